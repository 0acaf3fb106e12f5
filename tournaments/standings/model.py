"""What goes into a ranking and what comes out of it. `T` is whatever names a team: a UUID, a number, a
text.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Generic, TypeVar

from .errors import CannotRank, gettext_noop

T = TypeVar("T", bound=Hashable)


class Closing(StrEnum):
    """How a game ended."""

    PLAYED = "played"  # somebody went out: there is a winner
    BELL = "bell"  # the bell ended it: a winner by the bell rule, or none and no point
    SHARED = "shared"  # the bell ended it and every side takes a point
    FORFEIT = "forfeit"  # won by who was there; with no winner if nobody was
    VOID = "void"  # closed without being played: no point to anybody


_WINNER_NEEDED = {Closing.PLAYED}
_NO_WINNER = {Closing.SHARED, Closing.VOID, None}


@dataclass(frozen=True, slots=True)
class GameResult(Generic[T]):
    """One game of a match. `closed` None: still to be played, or being played.

    Raises CannotRank where winner and closing don't go together.
    """

    game: Hashable
    match: Hashable
    sides: tuple[T, ...]
    winner: T | None = None
    closed: Closing | None = None

    def __post_init__(self) -> None:
        wrong = (self.closed in _NO_WINNER if self.winner is not None else self.closed in _WINNER_NEEDED) or (
            self.winner is not None and self.winner not in self.sides
        )
        if wrong or len(set(self.sides)) != len(self.sides) or len(self.sides) < 2:
            raise CannotRank(
                "result",
                gettext_noop(
                    "The result of game %(game)s contradicts itself: sides %(sides)s, winner %(winner)s, "
                    "closing %(closed)s."
                ),
                game=str(self.game),
                sides=", ".join(map(str, self.sides)),
                winner=str(self.winner),
                closed=str(self.closed),
            )

    def points(self, team: T) -> int:
        """The points a side takes from this game: 1 or 0."""
        return int(team == self.winner or (self.closed == Closing.SHARED and team in self.sides))


@dataclass(frozen=True, slots=True)
class Adjustment(Generic[T]):
    """Points given to a team (or taken, if negative) by decision; `code` says why."""

    team: T
    points: int | Fraction
    code: str


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """What put a place above the next one: the metric, its values for both, and the teams it was asked among.

    `among` matters where a metric looks at the tied teams alone (the direct match).
    """

    metric: str
    value: Fraction
    next_value: Fraction
    among: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """One team in the standings.

    `values` has each metric of the rules in order; None where it was not asked (no tie came
    so far) or could not tell.
    `decided_by` is what put this place above the next place; None for the last. `placement_points` is None
    while `unresolved`: lots are still to be drawn, and the places at stake have different points.
    """

    team: T
    place: int
    tied_with: tuple[T, ...]
    values: tuple[tuple[str, Fraction | None], ...]
    decided_by: Decision[T] | None
    placement_points: Fraction | None
    unresolved: bool

    def value(self, metric: str) -> Fraction | None:
        """The value of one metric; KeyError if the rules don't have it."""
        return dict(self.values)[metric]


@dataclass(frozen=True, slots=True)
class Tally(Generic[T]):
    """All that metrics look at. Order plays no part, except that of `lots`, the latest record last."""

    teams: tuple[T, ...]
    results: tuple[GameResult[T], ...]
    adjustments: tuple[Adjustment[T], ...]
    lots: tuple[tuple[T, ...], ...]

    @classmethod
    def of(
        cls,
        teams: Sequence[T],
        results: Iterable[GameResult[T]],
        adjustments: Iterable[Adjustment[T]],
        lots: Iterable[Sequence[T]],
    ) -> "Tally[T]":
        """Take the input as it comes; raises CannotRank for what is there twice or belongs to nobody."""
        tally = cls(tuple(teams), tuple(results), tuple(adjustments), tuple(tuple(each) for each in lots))
        for game in _repeated(result.game for result in tally.results):
            raise CannotRank(
                "repeated_game",
                gettext_noop("Game %(game)s has two results; one was expected."),
                game=str(game),
            )
        _refuse_repeated_teams(tally.teams)
        known = set(tally.teams)
        for each in tally.lots:
            _refuse_repeated_teams(each)
        named = [
            *(side for result in tally.results for side in result.sides),
            *(adjustment.team for adjustment in tally.adjustments),
            *(team for each in tally.lots for team in each),
        ]
        for team in named:
            if team not in known:
                raise CannotRank(
                    "unknown_team",
                    gettext_noop("Team %(team)s is not in this tournament."),
                    team=str(team),
                )
        return tally


def _refuse_repeated_teams(teams: Sequence[Hashable]) -> None:
    for team in _repeated(teams):
        raise CannotRank(
            "repeated_team",
            gettext_noop("Team %(team)s is there twice; once was expected."),
            team=str(team),
        )


def _repeated(names: Iterable[Hashable]) -> Iterator[Hashable]:
    seen: set[Hashable] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)
