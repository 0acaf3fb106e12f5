"""The ways in which open games can end, counted by what they change rather than one by one.

Games between the same sides are interchangeable; where mini-tournaments count, so are matches that are alike
(the same sides, points so far and open games). What is enumerated are the combinations of alike outcomes, as
far as they lead to given points. So 20 open games of three teams are a million outcomes and a few hundred
points.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Generic

from .metric_inputs import Tally
from .model import CountedResult, GameClosing, T

Gains = tuple[int, ...]
"""What each team takes from the open games, in the order of the teams."""

MOST_GAINS = 20_000
"""Beyond so many different gains nothing is enumerated."""


class TooManyError(Exception):
    """There are more different gains than `MOST_GAINS`, or more ways than a kind of games should have."""


@dataclass(frozen=True, slots=True)
class OutcomeWay(Generic[T]):
    """One way in which the open games of a unit (a match, or a single game) go.

    `winners` are of each game; None where the bell ends it with its sides level. `leader`: who alone has the
    most points of the match then; None if several do.
    """

    gains: Gains
    winners: tuple[T | None, ...]
    leader: T | None


@dataclass(frozen=True, slots=True)
class OutcomeKind(Generic[T]):
    """Units that are alike: their open games, unit by unit in the same order, and how each can go."""

    units: tuple[tuple[CountedResult[T], ...], ...]
    ways: tuple[OutcomeWay[T], ...]


class Outcomes(Generic[T]):
    """All ways in which the open games of a tally can end, by gains.

    Raises TooManyError.
    """

    def __init__(self, tally: Tally[T], by_match: bool, level: GameClosing | None = None) -> None:
        """`by_match`: whether it matters which games are of one match. `level`: how a game is closed whose
        sides are level at the bell; None where somebody always wins.
        """
        self._level = level
        self.index = {team: place for place, team in enumerate(tally.teams)}
        self.kinds = self._kinds(tally, by_match)
        # Gains are added as numbers, a digit for each team: nobody takes more than the open games. Numbers
        # are in the order of their digits.
        self._base = 1 + sum(len(games) for kind in self.kinds for games in kind.units)
        # What the kinds from each one on can give together.
        self._later: list[set[int]] = [{0}]
        for kind in reversed(self.kinds):
            single = {self._number(way.gains) for way in kind.ways}
            reached = self._later[-1]
            for _ in kind.units:
                reached = {one + other for one in reached for other in single}
                if len(reached) > MOST_GAINS:
                    raise TooManyError
            self._later.append(reached)
        self._later.reverse()
        self._sums: list[dict[int, list[tuple[OutcomeWay[T], ...]]] | None] = [None] * len(self.kinds)

    def gains(self) -> list[Gains]:
        """All that the open games can give, in a fixed order."""
        return [self._gains(number) for number in sorted(self._later[0])]

    def leading_to(self, gains: Gains) -> Iterator[list[tuple[OutcomeWay[T], ...]]]:
        """What happens in each kind wherever that gives these gains."""
        return self._leading_to(self._number(gains), 0)

    def _leading_to(self, gains: int, start: int) -> Iterator[list[tuple[OutcomeWay[T], ...]]]:
        """The same for the kinds from `start` on."""
        if start == len(self.kinds):
            yield []
            return
        for given, combinations in self._by_sum(start).items():
            left = gains - given
            if left in self._later[start + 1]:
                for combination in combinations:
                    for rest in self._leading_to(left, start + 1):
                        yield [combination, *rest]

    def winners(
        self, chosen: Sequence[tuple[OutcomeWay[T], ...]]
    ) -> Iterator[tuple[CountedResult[T], T | None]]:
        """Each open game with its winner; None where it ends level."""
        for kind, ways in zip(self.kinds, chosen, strict=True):
            for unit, way in zip(kind.units, ways, strict=True):
                yield from zip(unit, way.winners, strict=True)

    def _number(self, gains: Gains) -> int:
        number = 0
        for gain in gains:
            number = number * self._base + gain
        return number

    def _gains(self, number: int) -> Gains:
        gains = []
        for _ in self.index:
            number, gain = divmod(number, self._base)
            gains.append(gain)
        return tuple(reversed(gains))

    def _by_sum(self, number: int) -> dict[int, list[tuple[OutcomeWay[T], ...]]]:
        known = self._sums[number]
        if known is None:
            known = defaultdict(list)
            kind = self.kinds[number]
            # Which unit is which plays no part.
            for count, combination in enumerate(combinations_with_replacement(kind.ways, len(kind.units))):
                if count > MOST_GAINS:
                    raise TooManyError
                known[sum(self._number(way.gains) for way in combination)].append(combination)
            self._sums[number] = known
        return known

    def _kinds(self, tally: Tally[T], by_match: bool) -> list[OutcomeKind[T]]:
        matches: dict[Hashable, list[CountedResult[T]]] = defaultdict(list)
        for result in tally.results:
            # Games that stand alone are units of their own.
            matches[result.match if by_match else result.game].append(result)
        alike: dict[Hashable, tuple[Counter[T], list[tuple[CountedResult[T], ...]]]] = {}
        for games in matches.values():
            still_open = sorted((game for game in games if game.closed is None), key=self._sides_of)
            if still_open:
                score = Counter({team: 0 for game in games for team in game.sides})
                for game in games:
                    score.update({team: game.points(team) for team in game.sides})
                what = (tuple(map(self._sides_of, still_open)), by_match and frozenset(score.items()))
                alike.setdefault(what, (score, []))[1].append(tuple(still_open))
        return [OutcomeKind(tuple(units), self._ways(units[0], score)) for score, units in alike.values()]

    def _sides_of(self, game: CountedResult[T]) -> tuple[int, ...]:
        return tuple(sorted(self.index[team] for team in game.sides))

    def _ways(self, games: Sequence[CountedResult[T]], score: Counter[T]) -> tuple[OutcomeWay[T], ...]:
        """Games of the same sides are interchangeable: only how many each side wins of them matters."""
        ways: dict[Hashable, OutcomeWay[T]] = {}
        level: tuple[None, ...] = () if self._level is None else (None,)
        for count, winners in enumerate(product(*((*game.sides, *level) for game in games))):
            if count > MOST_GAINS:
                raise TooManyError
            what = frozenset(Counter(zip(map(self._sides_of, games), winners, strict=True)).items())
            if what not in ways:
                gained = self._gained(games, winners)
                final = {team: score[team] + gained[team] for team in score}
                best = [team for team in final if final[team] == max(final.values())]
                ways[what] = OutcomeWay(
                    tuple(gained[team] for team in self.index), winners, best[0] if len(best) == 1 else None
                )
        return tuple(ways.values())

    def _gained(self, games: Sequence[CountedResult[T]], winners: Sequence[T | None]) -> Counter[T]:
        """What each side takes from games that end so."""
        gained = Counter[T]()
        for game, winner in zip(games, winners, strict=True):
            if winner is not None:
                gained[winner] += 1
            elif self._level is GameClosing.SHARED:
                gained.update(game.sides)
        return gained
