"""Matches round by round: of two in Swiss tournaments and round robins, of more at tables."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from .errors import CannotRank, gettext_noop
from .model import T, repeated


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[T]):
    """A match of two or more in a round (from 1): the points of each side, or None while it isn't decided.

    A `walkover` was decided without a game; nobody's if no side was there. `games` is the score in games of a
    match of two, such as 2 and 1, forfeited ones among them. `places` are those at a table of many: the first
    has won it. Raises CannotRank for a match of one, and for points or places that don't fit.
    """

    match: Hashable
    round: int
    sides: tuple[T, ...]
    points: tuple[Fraction, ...] | None = None
    walkover: bool = False
    games: tuple[int, ...] = (0, 0)
    places: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        points, count = self.points, len(self.sides)
        if (
            len(set(self.sides)) != count
            or count < 2
            or self.round < 1
            or (self.walkover if points is None else len(points) != count or min(points) < 0)
            or (self.places and (points is None or len(self.places) != count))
        ):
            raise CannotRank(
                "match",
                gettext_noop(
                    "The result of match %(match)s contradicts itself: round %(round)s, sides %(sides)s, "
                    "points %(points)s."
                ),
                match=str(self.match),
                round=str(self.round),
                sides=", ".join(map(str, self.sides)),
                points="–" if points is None else ", ".join(map(str, points)),
            )

    @property
    def winner(self) -> T | None:
        """Who alone came first, or has most points; None for a draw and while it isn't decided."""
        good = [Fraction(-place) for place in self.places] or self.points
        if good is None or good.count(max(good)) > 1:
            return None
        return self.sides[good.index(max(good))]


@dataclass(frozen=True, slots=True)
class Bye(Generic[T]):
    """A round in which a team has nobody to meet, and the points that it gives.

    `requested`: the team asked to sit out, it wasn't left over by the draw. `games` are those that count as
    won. `is_absent`: it has left, or wasn't there.
    """

    team: T
    round: int
    points: Fraction
    requested: bool = False
    games: int = 0
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class Rounds(Generic[T]):
    """All that was drawn round by round.

    `draw` is what a drawn match of two gives each of its sides, `win` what a won one gives, the most that
    there is. `seats` are those of a full table, 2 for matches of two.

    A round that is drawn and has no result yet gives nobody anything, not even for a bye. A team that a round
    has neither in a match nor with a bye sat out: it came late, or left. `predetermined`: who meets whom was
    fixed from the start (a round robin), so that a walkover counts as a match like others. Raises CannotRank
    where a team is twice in a round or a match is there twice.
    """

    matches: tuple[MatchResult[T], ...] = ()
    byes: tuple[Bye[T], ...] = ()
    draw: Fraction = Fraction(1, 2)
    predetermined: bool = False
    win: Fraction = Fraction(1)
    seats: int = 2

    def __post_init__(self) -> None:
        for match in repeated(each.match for each in self.matches):
            raise CannotRank(
                "repeated_match",
                gettext_noop("Match %(match)s has two results; one was expected."),
                match=str(match),
            )
        busy = [
            *((match.round, side) for match in self.matches for side in match.sides),
            *((bye.round, bye.team) for bye in self.byes),
        ]
        for number, team in repeated(busy):
            raise CannotRank(
                "twice_in_round",
                gettext_noop("Team %(team)s is twice in round %(round)s."),
                team=str(team),
                round=str(number),
            )

    @property
    def last(self) -> int:
        """The number of rounds that count so far: a match of the last one is decided, or it has none."""
        meeting = {match.round for match in self.matches}
        begun = {match.round for match in self.matches if match.points is not None}
        return max([*begun, *(bye.round for bye in self.byes if bye.round not in meeting)], default=0)

    def counted_byes(self) -> Iterator[Bye[T]]:
        """The byes that give their points by now: those of a round come with its first result."""
        last = self.last
        return (bye for bye in self.byes if bye.round <= last)

    def teams(self) -> Iterator[T]:
        """Everybody that is named."""
        for match in self.matches:
            yield from match.sides
        for bye in self.byes:
            yield bye.team
