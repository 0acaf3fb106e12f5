"""Equal numbers: as many players for each team, the others wait as reserves."""

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import CannotDraw, gettext_noop
from .model import check_squad_size


@dataclass(frozen=True, slots=True)
class EqualNumbers:
    """How many of each team play, and how many wait: the last ones in the order of entering."""

    playing: int
    reserves: tuple[int, ...]


def equalize(counts: Sequence[int], squad_size: int = 1) -> EqualNumbers:
    """The smallest team fixes the number, rounded down to whole squads; raises CannotDraw if that is none."""
    check_squad_size(squad_size)
    for team, count in enumerate(counts, start=1):
        if count < squad_size:
            raise CannotDraw(
                "too_few_entries",
                gettext_noop("Entries of team %(team)d: %(given)d; needed for a squad: %(squad_size)d."),
                team=team,
                given=count,
                squad_size=squad_size,
            )
    smallest = min(counts, default=0)
    playing = smallest - smallest % squad_size
    return EqualNumbers(playing, tuple(count - playing for count in counts))


def left_over(counts: Sequence[int], squad_size: int, most: int | None) -> list[int]:
    """How many of each team are in no squad, where each team has as many squads as it can, `most` at most."""
    return [count - min(count // squad_size, most or count) * squad_size for count in counts]
