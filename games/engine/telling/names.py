"""Names of seats, teams and reasons; whoever tells a game decides them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.engine.events import GameOpened
from games.engine.translations import translate


@dataclass(frozen=True, slots=True)
class Names:
    """Names by seat, those of teams by what the log calls them, and the words of reasons for a correction.

    A team or reason that isn't listed is shown as the log has it, a seat that isn't by its number. A reason
    without words isn't told.
    """

    seats: Sequence[str] = ()
    teams: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)

    def seat(self, seat: int, language: str) -> str:
        """Whoever sits there, in the middle of a sentence."""
        if 0 <= seat < len(self.seats):
            return one_line(self.seats[seat])
        return translate("seat {number}", language).format(number=seat)

    @classmethod
    def of_log(cls, opened: GameOpened) -> "Names":
        """The names that a log itself has; of those that are the same, with the team or the seat's number."""
        plain = [one_line(seat.name) for seat in opened.seats]
        full = [
            f"{name} ({one_line(seat.team)})" if seat.team and plain.count(name) > 1 else name
            for name, seat in zip(plain, opened.seats, strict=True)
        ]
        return cls(
            [
                f"{name} ({seat})".lstrip() if not name or full.count(name) > 1 else name
                for seat, name in enumerate(full)
            ]
        )


def one_line(text: str) -> str:
    """What somebody wrote, without what would break a line or steer a terminal."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
