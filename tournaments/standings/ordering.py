"""Putting teams in order by one measure after another, and keeping what decided."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from .model import Decision, T


@dataclass(frozen=True, slots=True)
class Measure(Generic[T]):
    """A metric with all it looks at: `values` gives numbers to those among some teams of whom it can tell.

    What the flags mean is in `metrics`. `unknown` are the teams whose value games to come can still change in
    a way that nobody can foresee. `at_most` gives what each of some teams could have at most, where something
    that the measure counts is missing. `values` are then what they have at least.
    """

    key: str
    values: Callable[[Collection[T]], dict[T, Fraction]]
    highest_first: bool
    relative: bool
    again: bool
    unknown: frozenset[T] = frozenset()
    at_most: Callable[[Collection[T]], dict[T, Fraction]] | None = None


class Ordering(Generic[T]):
    """Teams in groups that stay tied, first place first, those of a group in the order they were given.

    `decisions` has what decided between each group and the next. `undetermined` has who is in a group whose
    order hangs on an unknown value: no later measure is asked among them. A measure that looks at each team
    by itself is asked once, for all. Of one that compares tied teams, `value` knows what it said first.
    """

    def __init__(self, teams: Sequence[T], measures: Sequence[Measure[T]]) -> None:
        self._asked: dict[str, dict[T, Fraction]] = {
            measure.key: {} if measure.relative else measure.values(teams) for measure in measures
        }
        self.undetermined: set[T] = set()
        self.groups, self.decisions = self._order(list(teams), measures)

    def value(self, key: str, team: T) -> Fraction | None:
        """What a measure said of a team; None if it wasn't asked or couldn't tell."""
        return self._asked[key].get(team)

    def _ask(self, measure: Measure[T], group: list[T]) -> dict[T, Fraction]:
        asked = self._asked[measure.key]
        if not measure.relative:
            return {team: asked[team] for team in group if team in asked}
        values = measure.values(group)
        for team, value in values.items():
            asked.setdefault(team, value)
        return values

    def _order(
        self, group: list[T], measures: Sequence[Measure[T]]
    ) -> tuple[list[list[T]], list[Decision[T]]]:
        if len(group) < 2 or not measures:
            return ([group] if group else []), []
        measure, later = measures[0], measures[1:]
        if not measure.unknown.isdisjoint(group):
            self.undetermined.update(group)
            return [group], []
        if measure.at_most is not None:
            most = measure.at_most(group)
            least = measure.values(group)
            if most != least:
                return self._order_by_least(group, measures, least, most)
        values = self._ask(measure, group)
        levels = sorted(set(values.values()), reverse=measure.highest_first)
        # One of whom nothing can be told can't be compared, and the others alone would be favoured or harmed.
        if len(values) < len(group) or len(levels) < 2:
            return self._order(group, later)
        groups: list[list[T]] = []
        decisions: list[Decision[T]] = []
        tied: dict[Fraction, list[T]] = {level: [] for level in levels}
        for team in group:
            tied[values[team]].append(team)
        among = tuple(group)
        for index, level in enumerate(levels):
            if index:
                decisions.append(Decision(measure.key, levels[index - 1], level, among))
            inner, reasons = self._order(tied[level], measures if measure.again else later)
            groups += inner
            decisions += reasons
        return groups, decisions

    def _order_by_least(
        self,
        group: list[T],
        measures: Sequence[Measure[T]],
        least: dict[T, Fraction],
        most: dict[T, Fraction],
    ) -> tuple[list[list[T]], list[Decision[T]]]:
        """Put first who is ahead of all others whatever is missing, then the second, and so on.

        The rest is asked again or left to the next measure.
        """
        measure = measures[0]
        groups: list[list[T]] = []
        decisions: list[Decision[T]] = []
        left = list(group)
        while len(left) > 1:
            first = max(left, key=least.__getitem__)
            others = [team for team in left if team != first]
            reach = max(most[team] for team in others)
            if least[first] <= reach:
                break
            self._asked[measure.key].setdefault(first, least[first])
            groups.append([first])
            decisions.append(Decision(measure.key, least[first], reach, tuple(group), True))
            left = others
        if not groups:
            return self._order(group, measures[1:])
        inner, reasons = self._order(left, measures if measure.again else measures[1:])
        return groups + inner, decisions + reasons
