"""From results to places, placement points, and the reason for every order."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Generic

from .metrics import METRICS, Metric, metrics_for
from .model import Adjustment, Decision, GameResult, Row, T, Tally
from .rules import Rules, TiePolicy


def rank(
    teams: Sequence[T],
    results: Iterable[GameResult[T]],
    rules: Rules,
    adjustments: Iterable[Adjustment[T]] = (),
    lots: Iterable[Sequence[T]] = (),
) -> list[Row[T]]:
    """The standings, first place first; who shares a place (1, 2, 2, 4) stands in the order of `teams`.

    `lots` are the recorded orders, the latest last; the latest record that names all who are tied breaks
    their tie, so lots drawn between two don't break a tie that a correction makes one of three. With the
    policy `lots` the metric `lots` is asked last even if the rules don't list it. The order in which
    results come plays no part. Raises CannotRank.
    """
    metrics = metrics_for(rules.metrics)
    if rules.ties is TiePolicy.LOTS and METRICS["lots"] not in metrics:
        metrics.append(METRICS["lots"])
    ranking = _Ranking(Tally.of(teams, results, adjustments, lots))
    groups, decisions = ranking.order(list(teams), metrics)
    for metric in metrics:
        if not metric.relative:
            ranking.ask(metric, list(teams))

    rows = []
    place = 1
    for index, group in enumerate(groups):
        points = _placement_points(rules, place, len(group))
        for team in group:
            rows.append(
                Row(
                    team=team,
                    place=place,
                    tied_with=tuple(other for other in group if other != team),
                    values=tuple((metric.key, ranking.asked.get((metric.key, team))) for metric in metrics),
                    decided_by=decisions[index] if index < len(decisions) else None,
                    placement_points=points,
                    unresolved=points is None,
                )
            )
        place += len(group)
    return rows


def unresolved_ties(rows: Sequence[Row[T]]) -> list[tuple[T, ...]]:
    """The groups of teams among which lots must still be drawn, first place first."""
    groups: dict[int, list[T]] = {}
    for row in rows:
        if row.unresolved:
            groups.setdefault(row.place, []).append(row.team)
    return [tuple(group) for group in groups.values()]


class _Ranking(Generic[T]):
    """One computation: the tally and the first value of each metric for each team."""

    def __init__(self, tally: Tally[T]) -> None:
        self.tally = tally
        self.asked: dict[tuple[str, T], Fraction] = {}

    def ask(self, metric: Metric, group: list[T]) -> dict[T, Fraction]:
        """The metric's values among the group."""
        values: dict[T, Fraction] = metric.function(self.tally, group)
        for team, value in values.items():
            self.asked.setdefault((metric.key, team), value)
        return values

    def order(self, group: list[T], metrics: Sequence[Metric]) -> tuple[list[list[T]], list[Decision[T]]]:
        """The group in order, as groups that stay tied, and what decided between each and the next."""
        if len(group) < 2 or not metrics:
            return ([group] if group else []), []
        metric, later = metrics[0], metrics[1:]
        values = self.ask(metric, group)
        levels = sorted(set(values.values()), reverse=metric.highest_first)
        if len(levels) < 2:
            return self.order(group, later)
        groups: list[list[T]] = []
        decisions: list[Decision[T]] = []
        for index, level in enumerate(levels):
            if index:
                decisions.append(Decision(metric.key, levels[index - 1], level, tuple(group)))
            tied = [team for team in group if values[team] == level]
            inner, reasons = self.order(tied, metrics if metric.relative else later)
            groups += inner
            decisions += reasons
        return groups, decisions


def _placement_points(rules: Rules, place: int, tied: int) -> Fraction | None:
    """What each of `tied` teams from `place` on takes; None if that has to be decided by lots first."""
    spanned = [
        Fraction(rules.scale[index]) if index < len(rules.scale) else Fraction(0)
        for index in range(place - 1, place - 1 + tied)
    ]
    if rules.ties is TiePolicy.AVERAGE:
        return sum(spanned, Fraction(0)) / tied
    if rules.ties is TiePolicy.LOTS and len(set(spanned)) > 1:
        return None
    return spanned[0]
