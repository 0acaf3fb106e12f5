"""Plain data of a ranking. `T` is whatever names a team: a UUID, a number, a text."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Generic, TypeVar

from .errors import CannotRank, gettext_noop

T = TypeVar("T", bound=Hashable)
_Key = TypeVar("_Key", bound=Any)


class GameClosing(StrEnum):
    """How a game ended."""

    PLAYED = "played"  # somebody went out: there is a winner
    BELL = "bell"  # the bell ended it: a winner by the bell rule, or none and no point
    SHARED = "shared"  # the bell ended it and every side takes a point
    FORFEIT = "forfeit"  # won by who was there; with no winner if nobody was
    VOID = "void"  # closed without being played: no point to anybody

    @property
    def is_played(self) -> bool:
        """Whether cards were played to an end: not a forfeit, not void."""
        return self in (GameClosing.PLAYED, GameClosing.BELL, GameClosing.SHARED)


class RemovedPlace(StrEnum):
    """What becomes of the place of a team or squad that was removed."""

    RULE = "rule"  # what the format's rule says, which may annul; removals of earlier versions mean this
    KEEPS = "keeps"  # its results and its place stand
    LAST = "last"  # its results stand; it comes last, without placement points
    ANNULLED = "annulled"  # no result against it counts; it comes last, without placement points


RANKED_LAST = frozenset({RemovedPlace.LAST, RemovedPlace.ANNULLED})
"""With these somebody stands behind everybody else, without placement points."""


_WINNER_NEEDED = {GameClosing.PLAYED}
_NO_WINNER = {GameClosing.SHARED, GameClosing.VOID, None}


@dataclass(frozen=True, slots=True)
class CountedResult(Generic[T]):
    """One game of a match. `closed` None: still to be played, or being played.

    `card_points` is what each side took in cards, in the order of the sides: what the others were left
    holding. `penalties` is how many cards each side drew as penalties. None where nobody counted.
    Raises CannotRank where winner and closing don't go together, or figures and sides.
    """

    game: Hashable
    match: Hashable
    sides: tuple[T, ...]
    winner: T | None = None
    closed: GameClosing | None = None
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
        return self.closed is not None and self.closed.is_played

    def points(self, team: T) -> int:
        """The points a side takes from this game: 1 or 0."""
        return int(team == self.winner or (self.closed == GameClosing.SHARED and team in self.sides))


@dataclass(frozen=True, slots=True)
class Adjustment(Generic[T]):
    """Points given to a team (or taken, if negative) by decision; `code` says why."""

    team: T
    points: int | Fraction
    code: str


def still_held(decided: Iterable[Adjustment[T]]) -> list[Adjustment[T]]:
    """Those that no opposite adjustment took back."""
    held: list[Adjustment[T]] = []
    for each in decided:
        back = next((one for one in held if (one.team, one.points) == (each.team, -each.points)), None)
        if back is None:
            held.append(each)
        else:
            held.remove(back)
    return held


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """What put a place above the next one: the metric, its values for both, and the teams it was asked among.

    `among` matters where a metric looks at the tied teams alone (the direct match). `missing`: games among
    them are missing, and `next_value` is the most that any of those behind could have with them.
    """

    metric: str
    value: Fraction
    next_value: Fraction
    among: tuple[T, ...]
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """One team in the standings.

    `values` has each metric of the rules in order; None where it was not asked (no tie came
    so far) or could not tell.
    `decided_by` is what put this place above the next place; None for the last. `placement_points` is None
    while `unresolved`: lots or a play-off have still to decide, and the places at stake have different
    points. `undetermined`: who shares the place may be told apart by values that nobody knows yet.
    `ranked_last`: it was removed, and stands behind all others. `can_come_to` has all places that are left
    where `place` is the best that an open tie inside a group leaves; nothing elsewhere.
    """

    team: T
    place: int
    tied_with: tuple[T, ...]
    values: tuple[tuple[str, Fraction | None], ...]
    decided_by: Decision[T] | None
    placement_points: Fraction | None
    unresolved: bool
    undetermined: bool = False
    ranked_last: bool = False
    can_come_to: frozenset[int] = frozenset()

    def value(self, metric: str) -> Fraction | None:
        """The value of one metric; KeyError if the rules don't have it."""
        return dict(self.values)[metric]


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


def by_level(keyed: Iterable[tuple[_Key, T]]) -> tuple[tuple[T, ...], ...]:
    """Who has the same key together, in the order in which they come; the lowest key first."""
    levels: dict[_Key, list[T]] = {}
    for key, one in keyed:
        levels.setdefault(key, []).append(one)
    return tuple(tuple(levels[key]) for key in sorted(levels))
