"""The metrics that can order teams: each a few lines in the registry.

A metric's function gets the tally and the teams that are tied on every metric before it, and gives each of
them a value, or nothing at all if it can't tell (lots that weren't drawn). A `relative` metric is asked of
tied teams alone: where it separates some of them, those that are left tied are asked again among
themselves, until it separates nobody; then the next metric has its turn, and none goes back to an earlier
one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from .errors import CannotRank, gettext_noop
from .model import T, Tally

Values = dict[T, Fraction]


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to compare teams; name, abbreviation and explanation are msgids."""

    key: str
    name: str
    abbreviation: str
    explanation: str
    # One registry serves every kind of team id, hence Any; the functions themselves are generic.
    function: Callable[[Tally[Any], Collection[Any]], dict[Any, Fraction]]
    highest_first: bool = True
    relative: bool = False


def _points(tally: Tally[T], group: Collection[T]) -> Values[T]:
    values = dict.fromkeys(group, Fraction(0))
    for result in tally.results:
        for team in result.sides:
            if team in values:
                values[team] += result.points(team)
    for adjustment in tally.adjustments:
        if adjustment.team in values:
            values[adjustment.team] += adjustment.points
    return values


def _direct_match(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Nothing where some of the group were drawn against each other more often than others: it would favour
    them.
    """
    values = dict.fromkeys(group, Fraction(0))
    meetings: Counter[frozenset[T]] = Counter()
    for result in tally.results:
        if all(side in values for side in result.sides):
            meetings.update(frozenset(pair) for pair in combinations(result.sides, 2))
            for team in result.sides:
                values[team] += result.points(team)
    met = {meetings[frozenset(pair)] for pair in combinations(group, 2)}
    return values if len(met) == 1 else {}


def _mini_tournaments(tally: Tally[T], group: Collection[T]) -> Values[T]:
    points: dict[Hashable, Counter[T]] = defaultdict(Counter)
    unfinished = set()
    for result in tally.results:
        if result.closed is None:
            unfinished.add(result.match)
        for team in result.sides:
            points[result.match][team] += result.points(team)
    values = dict.fromkeys(group, Fraction(0))
    for match, score in points.items():
        best = max(score.values())
        leaders = [team for team in score if score[team] == best]
        if match not in unfinished and len(leaders) == 1 and leaders[0] in values:
            values[leaders[0]] += 1
    return values


def _lots(tally: Tally[T], group: Collection[T]) -> Values[T]:
    for record in reversed(tally.lots):
        if set(group) <= set(record):
            return {team: Fraction(record.index(team) + 1) for team in group}
    return {}


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(
            "points",
            gettext_noop("Points"),
            gettext_noop("Pts"),
            gettext_noop("Games won, with what was added or taken by decision."),
            _points,
        ),
        Metric(
            "direct_match",
            gettext_noop("Direct match"),
            gettext_noop("DM"),
            gettext_noop(
                "Points in the games among those who are tied, asked again among those who stay tied."
            ),
            _direct_match,
            relative=True,
        ),
        Metric(
            "mini_tournaments",
            gettext_noop("Mini-tournaments won"),
            gettext_noop("MT"),
            gettext_noop("Finished mini-tournaments in which the team alone took the most points."),
            _mini_tournaments,
        ),
        Metric(
            "lots",
            gettext_noop("Lots"),
            gettext_noop("Lots"),
            gettext_noop("The order in which lots were drawn among those who are tied."),
            _lots,
            highest_first=False,
            relative=True,
        ),
    )
}


def metrics_for(keys: Sequence[str]) -> list[Metric]:
    """The metrics of these keys in order; raises CannotRank for an unknown, repeated or misplaced one."""
    for key in keys:
        if key not in METRICS:
            raise CannotRank(
                "unknown_metric",
                gettext_noop("There is no metric %(given)s; there are %(known)s."),
                given=repr(key),
                known=", ".join(METRICS),
            )
    if len(set(keys)) != len(keys):
        raise CannotRank(
            "repeated_metric",
            gettext_noop("Each metric is asked once, and these have one twice: %(given)s."),
            given=", ".join(keys),
        )
    if "lots" in keys[:-1]:
        raise CannotRank("lots_first", gettext_noop("Lots leave nothing to decide, so they are asked last."))
    return [METRICS[key] for key in keys]
