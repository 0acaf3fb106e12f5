"""What goes into a ranking and what comes out of it. `T` is whatever names a team: a UUID, a number, a
text.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .errors import CannotRank, gettext_noop

if TYPE_CHECKING:
    from .rounds import Rounds

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
_AT_THE_TABLE = {Closing.PLAYED, Closing.BELL, Closing.SHARED}


@dataclass(frozen=True, slots=True)
class GameResult(Generic[T]):
    """One game of a match. `closed` None: still to be played, or being played.

    `card_points` is what each side took in cards, in the order of the sides: what the others were left
    holding. `penalties` is how many cards each side drew as penalties. None where nobody counted.
    Raises CannotRank where winner and closing don't go together, or figures and sides.
    """

    game: Hashable
    match: Hashable
    sides: tuple[T, ...]
    winner: T | None = None
    closed: Closing | None = None
    card_points: tuple[int, ...] | None = None
    penalties: tuple[int, ...] | None = None

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
        for figures in (self.card_points, self.penalties):
            if figures is not None and (len(figures) != len(self.sides) or min(figures) < 0):
                raise CannotRank(
                    "figures",
                    gettext_noop(
                        "Game %(game)s needs a number from 0 for each of its sides %(sides)s, not %(given)s."
                    ),
                    game=str(self.game),
                    sides=", ".join(map(str, self.sides)),
                    given=", ".join(map(str, figures)),
                )

    @property
    def is_played(self) -> bool:
        """Whether cards were played to an end: not a forfeit, not void, not open."""
        return self.closed in _AT_THE_TABLE

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
    while `unresolved`: lots or a play-off have still to decide, and the places at stake have different
    points.
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
    """All that metrics look at. Order plays no part, except that of `lots` and `play_offs`, the latest last.

    `rounds` is there where teams meet two by two, round by round: then points are of matches, not of games.
    `places` are what the format itself says (a bracket, the places in groups), 1 for the first.
    """

    teams: tuple[T, ...]
    results: tuple[GameResult[T], ...]
    adjustments: tuple[Adjustment[T], ...]
    lots: tuple[tuple[T, ...], ...]
    play_offs: tuple[tuple[T, ...], ...] = ()
    rounds: "Rounds[T] | None" = None
    places: Mapping[T, int] = field(default_factory=dict)
    meetings: "tuple[Meeting[T], ...]" = ()

    @classmethod
    def of(
        cls,
        teams: Sequence[T],
        results: Iterable[GameResult[T]],
        adjustments: Iterable[Adjustment[T]] = (),
        lots: Iterable[Sequence[T]] = (),
        play_offs: Iterable[Sequence[T]] = (),
        rounds: "Rounds[T] | None" = None,
        places: Mapping[T, int] | None = None,
    ) -> "Tally[T]":
        """Take the input as it comes; raises CannotRank for what is there twice or belongs to nobody."""
        tally = cls(
            tuple(teams),
            tuple(results),
            tuple(adjustments),
            tuple(tuple(each) for each in lots),
            tuple(tuple(each) for each in play_offs),
            rounds,
            dict(places or {}),
        )
        tally = replace(tally, meetings=meetings_of(tally.results, rounds))
        for game in repeated(result.game for result in tally.results):
            raise CannotRank(
                "repeated_game",
                gettext_noop("Game %(game)s has two results; one was expected."),
                game=str(game),
            )
        refuse_repeated_teams(tally.teams)
        for each in (*tally.lots, *tally.play_offs):
            refuse_repeated_teams(each)
        named = [
            *(side for result in tally.results for side in result.sides),
            *(adjustment.team for adjustment in tally.adjustments),
            *(team for each in (*tally.lots, *tally.play_offs) for team in each),
            *(rounds.teams() if rounds else ()),
            *tally.places,
        ]
        refuse_unknown_teams(named, tally.teams)
        return tally


@dataclass(frozen=True, slots=True)
class Meeting(Generic[T]):
    """The same sides, in their order, wherever they met: how often, and the points of each in all."""

    sides: tuple[T, ...]
    times: int
    points: tuple[Fraction, ...]


def meetings_of(results: Iterable[GameResult[T]], rounds: "Rounds[T] | None") -> tuple[Meeting[T], ...]:
    """All that gives points: matches, or else games. Metrics look at it often, and sides meet again."""
    met: dict[tuple[T, ...], list[Any]] = {}
    given: Iterable[tuple[tuple[T, ...], Sequence[int | Fraction] | None]]
    if rounds is None:
        given = (
            (
                result.sides,
                None if result.closed is None else [result.points(team) for team in result.sides],
            )
            for result in results
        )
    else:
        given = ((match.sides, match.points or None) for match in rounds.matches)
    for sides, points in given:
        sums = met.get(sides)
        if sums is None:
            sums = met[sides] = [0] * (len(sides) + 1)
        sums[0] += 1
        if points is not None:
            for place, each in enumerate(points, start=1):
                sums[place] += each
    return tuple(
        Meeting(sides, times, tuple(Fraction(each) for each in points))
        for sides, (times, *points) in met.items()
    )


def refuse_unknown_teams(named: Iterable[Hashable], teams: Iterable[Hashable]) -> None:
    """Raise CannotRank if one that is named isn't one of the teams."""
    known = set(teams)
    for team in named:
        if team not in known:
            raise CannotRank(
                "unknown_team",
                gettext_noop("Team %(team)s is not in this tournament."),
                team=str(team),
            )


def refuse_repeated_teams(teams: Iterable[Hashable]) -> None:
    """Raise CannotRank if a team is there twice."""
    for team in repeated(teams):
        raise CannotRank(
            "repeated_team",
            gettext_noop("Team %(team)s is there twice; once was expected."),
            team=str(team),
        )


def repeated(names: Iterable[T]) -> Iterator[T]:
    """The names that have come before."""
    seen: set[T] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)
