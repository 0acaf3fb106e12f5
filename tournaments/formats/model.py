"""Plain data of a draw: what goes in and what comes out.

Teams are numbered from 1 in their order in the event, entries from 1 within their team. Never names or
database ids: so the same entries and the same seed give the same draw in any installation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .errors import CannotDraw, gettext_noop

MAX_SQUAD = 5
MAX_ROUNDS = 100
MAX_SEED = 80


class Player(NamedTuple):
    """An entry as a draw knows it."""

    team: int
    entry: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What the organizer chooses; None leaves it to the format (rounds) or sets no limit (tables)."""

    squad_size: int = 1
    rounds: int | None = None
    tables: int | None = None


class DrawSquad(NamedTuple):
    """The entries of one team that sit down together; `number` from 1 within the team, in drawn order."""

    team: int
    number: int
    entries: tuple[int, ...]

    def players(self) -> Iterator[Player]:
        """Its entries with their team."""
        return (Player(self.team, entry) for entry in self.entries)


class DrawMatch(NamedTuple):
    """One meeting at one table. `games` are indices into `sides`; the first named takes seat 0."""

    number: int
    table: int
    sides: tuple[DrawSquad, ...]
    games: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Wave:
    """Matches that are played at the same time, one at each table."""

    number: int
    matches: tuple[DrawMatch, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """Matches in which nobody plays twice, and who has none: single squads, or all of a team that waits."""

    number: int
    waves: tuple[Wave, ...]
    byes: tuple[DrawSquad, ...] = ()

    def matches(self) -> Iterator[DrawMatch]:
        """All its matches, wave after wave."""
        return (match for wave in self.waves for match in wave.matches)


@dataclass(frozen=True, slots=True)
class DrawnRounds:
    """Who meets whom, when and at which table.

    `method` and `seed` let anybody repeat it. `plan` is the name of the plan of meetings (see
    `Format.layout`). `squads` holds each team's squads in drawn order, team 1 first.
    """

    format: str
    method: str
    seed: str
    plan: str
    squads: tuple[tuple[DrawSquad, ...], ...]
    rounds: tuple[Round, ...]

    def matches(self) -> Iterator[DrawMatch]:
        """All matches, in the order of their numbers."""
        return (match for each in self.rounds for match in each.matches())


def check_field(
    rosters: Sequence[Sequence[int]], squad_size: int, *, fewest_teams: int, most_teams: int
) -> None:
    """Refuse with `CannotDraw` what no draw between squads can be made of."""
    if not fewest_teams <= len(rosters) <= most_teams:
        raise CannotDraw(
            "teams",
            gettext_noop("Teams: %(teams)d; this format is for %(fewest)d to %(most)d."),
            fewest=fewest_teams,
            most=most_teams,
            teams=len(rosters),
        )
    check_squad_size(squad_size)
    expected = len(rosters[0])
    for team, roster in enumerate(rosters, start=1):
        if len(set(roster)) != len(roster) or any(entry < 1 for entry in roster):
            raise CannotDraw(
                "entry_numbers",
                gettext_noop("The entries of team %(team)d need different numbers from 1 up."),
                team=team,
            )
        if len(roster) != expected:
            raise CannotDraw(
                "unequal_numbers",
                gettext_noop(
                    "Every team needs the same number of entries: team 1 has %(expected)d, "
                    "team %(team)d has %(given)d."
                ),
                expected=expected,
                team=team,
                given=len(roster),
            )
    if expected == 0 or expected % squad_size:
        raise CannotDraw(
            "incomplete_squads",
            gettext_noop(
                "Entries of each team: %(entries)d; expected for whole squads: at least %(squad_size)d, "
                "and a multiple of it."
            ),
            entries=expected,
            squad_size=squad_size,
        )


def check_squad_size(squad_size: int) -> None:
    """Refuse with `CannotDraw` squads that are too small or too large."""
    if not 1 <= squad_size <= MAX_SQUAD:
        raise CannotDraw(
            "squad_size",
            gettext_noop("A squad has 1 to %(most)d entries, not %(given)d."),
            most=MAX_SQUAD,
            given=squad_size,
        )


def check_rounds(rounds: int | None) -> None:
    """Refuse with `CannotDraw` too few rounds or too many; None leaves it to the format."""
    if rounds is not None and not 1 <= rounds <= MAX_ROUNDS:
        raise CannotDraw(
            "rounds",
            gettext_noop("A draw has 1 to %(most)d rounds, not %(given)d."),
            most=MAX_ROUNDS,
            given=rounds,
        )


def check_settings(settings: Settings) -> None:
    """Refuse with `CannotDraw` rounds and tables out of range."""
    check_rounds(settings.rounds)
    if settings.tables is not None and settings.tables < 1:
        raise CannotDraw(
            "tables", gettext_noop("At least one table is needed, not %(given)d."), given=settings.tables
        )


def check_seed(seed: str) -> None:
    """Refuse with `CannotDraw` a seed that can't be read aloud and typed again."""
    if not seed or len(seed) > MAX_SEED or not seed.isprintable() or seed != seed.strip():
        raise CannotDraw(
            "seed",
            gettext_noop("A seed has 1 to %(most)d printable characters, no blanks at its ends."),
            most=MAX_SEED,
        )


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
