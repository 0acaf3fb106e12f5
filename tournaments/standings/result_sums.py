"""Sums of results. A result is counted, or takes the place of what was known before.

So standings after one more game cost nothing that grows with the games before it. Those that are computed
anew count in the very same way.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Generic, Self

from .errors import CannotRank, gettext_noop
from .model import CountedResult, T
from .round_results import Rounds

Number = int | Fraction


@dataclass(slots=True)
class Meeting(Generic[T]):
    """The same sides, in their order, wherever they met: how often, how many of these times are decided, and
    the points of each in all.
    """

    sides: tuple[T, ...]
    points: list[Number]
    times: int = 0
    decided: int = 0


class Meetings(Generic[T]):
    """All that gives points: games, or matches."""

    def __init__(self) -> None:
        self.points: defaultdict[T, Number] = defaultdict(int)
        """What each team has taken in all."""
        self._met: dict[tuple[T, ...], Meeting[T]] = {}
        # Whoever asks among some teams looks at theirs alone.
        self._by_first: defaultdict[T, list[Meeting[T]]] = defaultdict(list)

    @classmethod
    def of_matches(cls, rounds: Rounds[T], *, walkovers: bool = True) -> Self:
        """The matches of a tournament that is drawn round by round, with or without walkovers."""
        meetings = cls()
        for match in rounds.matches:
            if match.walkover and not walkovers:
                continue
            meetings.meet(match.sides)
            if match.points is not None:
                meetings.add(match.sides, match.points)
        return meetings

    @classmethod
    def of_tables(cls, rounds: Rounds[T]) -> Self:
        """Every two who sat at one table as a match of two: who came before the other has won it."""
        meetings = cls()
        for match in rounds.matches:
            if match.walkover:
                continue
            for one, other in combinations(range(len(match.sides)), 2):
                sides = match.sides[one], match.sides[other]
                meetings.meet(sides)
                if match.places:
                    meetings.add(sides, _points_of_two(match.places[one], match.places[other]))
        return meetings

    def meet(self, sides: tuple[T, ...]) -> None:
        """These sides meet once more."""
        meeting = self._met.get(sides)
        if meeting is None:
            meeting = self._met[sides] = Meeting(sides, [0] * len(sides))
            self._by_first[sides[0]].append(meeting)
        meeting.times += 1

    def add(self, sides: tuple[T, ...], points: Sequence[Number], times: int = 1) -> None:
        """Points of sides that meet, in their order; `times` -1 takes them back."""
        self._met[sides].decided += times
        sums = self._met[sides].points
        for place, (team, taken) in enumerate(zip(sides, points, strict=True)):
            if taken:
                sums[place] += taken * times
                self.points[team] += taken * times

    def among(self, group: Collection[T]) -> Iterator[Meeting[T]]:
        """The meetings of which every side is in the group (quick if that is a set or a dictionary)."""
        for team in group:
            for meeting in self._by_first.get(team, ()):
                if all(side in group for side in meeting.sides):
                    yield meeting


def _points_of_two(own: int, other: int) -> tuple[Fraction, Fraction]:
    """What two have of the places that they came to at one table: a point, or a half each."""
    points = Fraction(1, 2) if own == other else Fraction(own < other)
    return points, 1 - points


@dataclass(slots=True)
class SideFigures(Generic[T]):
    """One kind of figures: each team's own, and those of the others at its tables.

    It also has for how many of a team's games that were played nobody counted them.
    """

    own: Counter[T] = field(default_factory=Counter)
    others: Counter[T] = field(default_factory=Counter)
    uncounted: Counter[T] = field(default_factory=Counter)

    def add(self, result: CountedResult[T], figures: tuple[int, ...] | None, times: int) -> None:
        """Those of one game; `times` -1 takes them back."""
        sides = result.sides
        if figures is None:
            if result.is_played:
                for team in sides:
                    self.uncounted[team] += times
            return
        total = sum(figures)
        for team, figure in zip(sides, figures, strict=True):
            self.own[team] += figure * times
            self.others[team] += (total - figure) * times


@dataclass(slots=True)
class _CountedMatch(Generic[T]):
    """A match of one or several games: what each side took, and how many games aren't closed."""

    score: Counter[T] = field(default_factory=Counter)
    open: int = 0

    def leader(self) -> T | None:
        """Who alone took the most, once all games are closed."""
        if self.open:
            return None
        best = max(self.score.values())
        leaders = [team for team, taken in self.score.items() if taken == best]
        return leaders[0] if len(leaders) == 1 else None


class Count(Generic[T]):
    """The results of games, and what they add up to by team."""

    def __init__(self) -> None:
        self.results: dict[Hashable, CountedResult[T]] = {}
        """The results by game, in the order in which games came."""
        self.meetings: Meetings[T] = Meetings()
        self.closed = 0
        """How many games are closed."""
        self.games_closed: Counter[T] = Counter()
        self.games_won: Counter[T] = Counter()
        """Of each team, forfeits among them."""
        self.wins: Counter[T] = Counter()
        """Games won against somebody who was there."""
        self.card_points: SideFigures[T] = SideFigures()
        self.penalties: SideFigures[T] = SideFigures()
        self.mini_tournaments: Counter[T] = Counter()
        """Matches in which the team alone took the most points."""
        self._matches: defaultdict[Hashable, _CountedMatch[T]] = defaultdict(_CountedMatch)
        self.teams: set[T] = set()
        """All who play."""

    @classmethod
    def of(cls, results: Iterable[CountedResult[T]]) -> Self:
        """The results of different games; raises CannotRank for a game that is there twice."""
        count = cls()
        for result in results:
            if result.game in count.results:
                raise CannotRank(
                    "repeated_game",
                    gettext_noop("Game %(game)s has two results; one was expected."),
                    game=str(result.game),
                )
            count.put(result)
        return count

    def put(self, result: CountedResult[T]) -> None:
        """Take a result in, or in the place of what was known of its game, which has the same sides."""
        before = self.results.get(result.game)
        match = self._matches[result.match]
        if before is not None:
            if (before.sides, before.match) != (result.sides, result.match):
                raise ValueError("a game keeps its sides and its match")
            self._add(before, match, -1)
        else:
            self.teams.update(result.sides)
            self.meetings.meet(result.sides)
            match.score.update(dict.fromkeys(result.sides, 0))
            # Another game of it: whoever led a match that seemed to be over doesn't any more.
            self._lead(match, -1)
            match.open += 1
            self._lead(match, 1)
        self.results[result.game] = result
        self._add(result, match, 1)

    def _add(self, result: CountedResult[T], match: _CountedMatch[T], times: int) -> None:
        self.card_points.add(result, result.card_points, times)
        self.penalties.add(result, result.penalties, times)
        if result.closed is None:
            return
        self._lead(match, -1)
        points = [result.points(team) for team in result.sides]
        self.meetings.add(result.sides, points, times)
        for team, taken in zip(result.sides, points, strict=True):
            match.score[team] += taken * times
            self.games_closed[team] += times
        match.open -= times
        self.closed += times
        if result.winner is not None:
            self.games_won[result.winner] += times
            if result.is_played:
                self.wins[result.winner] += times
        self._lead(match, 1)

    def _lead(self, match: _CountedMatch[T], times: int) -> None:
        leader = match.leader()
        if leader is not None:
            self.mini_tournaments[leader] += times
