"""From results to places, placement points, and the reason for every order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from .errors import CannotRank, gettext_noop
from .metric_inputs import Tally
from .metrics import METRICS, Data, Metric, metrics_for
from .model import Adjustment, CountedResult, Row, T
from .ordering import Measure, Ordering
from .result_sums import Count
from .round_results import Rounds
from .rules import DECIDING, Rules, TiePolicy


def rank(
    teams: Sequence[T],
    results: Iterable[CountedResult[T]] | Count[T],
    rules: Rules,
    adjustments: Iterable[Adjustment[T]] = (),
    lots: Iterable[Sequence[T]] = (),
    *,
    play_offs: Iterable[Sequence[T]] = (),
    rounds: Rounds[T] | None = None,
    places: Mapping[T, int] | None = None,
    ranked_last: Collection[T] = (),
    unknown: Mapping[str, Collection[T]] | None = None,
) -> list[Row[T]]:
    """The standings, first place first; who shares a place (1, 2, 2, 4) stands in the order of `teams`.

    With `rounds`, points, wins and the direct match are of matches, and metrics that look at opponents can be
    asked. Card points, penalties and mini-tournaments are of the games in `results` all the same. `places`
    are what the format itself says, for the metric `stage_place`. Where that is asked first and all have one,
    they are the places. So it is also while others are to come to them (1, 1, 1, 1, 1, 5). Those in
    `ranked_last` were removed. They share the place behind all others, without placement points, and the
    others move up. Nobody is tied with them.

    `lots` and `play_offs` are recorded orders, the latest last. The latest record that names all who are tied
    breaks their tie. So lots drawn between two don't break a tie that a correction makes one of three. With
    the policy `lots` the metric `lots` is asked last even if the rules don't list it. With `play_off` the
    metric of that name is asked before it. The order in which results come plays no part. Who ranks one state
    after another gives a `Count` of them, which goes on from the one before.

    `unknown` has, by metric, the teams whose value can't be foreseen. Who is level with one of them before
    that metric stays so, and is `undetermined`. Raises CannotRank.
    """
    metrics = _asked(rules)
    if rounds is None:
        _refuse_without_matches(metrics)
    tally = Tally.of(teams, results, adjustments, lots, play_offs, rounds, places, ranked_last)
    unforeseen = unknown or {}
    ordering = Ordering(
        tally.ranked,
        [_measure(metric, tally, unforeseen.get(metric.key, ()), rules.edition) for metric in metrics],
    )

    rows = []
    firsts = _first_places(ordering.groups, _given_places(tally, metrics, rules))
    for index, (group, place) in enumerate(zip(ordering.groups, firsts, strict=True)):
        points = _placement_points(rules, place, len(group))
        for team in group:
            rows.append(
                Row(
                    team=team,
                    place=place,
                    tied_with=tuple(other for other in group if other != team),
                    values=tuple((metric.key, ordering.value(metric.key, team)) for metric in metrics),
                    decided_by=ordering.decisions[index] if index < len(ordering.decisions) else None,
                    placement_points=points,
                    unresolved=points is None,
                    undetermined=team in ordering.undetermined,
                )
            )
    return rows + _last_rows(tally, metrics, len(tally.ranked) + 1)


def _first_places(groups: Sequence[Sequence[T]], given: Mapping[T, int]) -> list[int]:
    """The place of each group: that which the format gives, or the one behind all who are ahead."""
    found: list[int] = []
    place, before = 1, None
    for group in groups:
        by_format = given.get(group[0])
        if by_format is not None and by_format != before:
            place = by_format
        found.append(place)
        place, before = place + len(group), by_format
    return found


def _given_places(tally: Tally[T], metrics: Sequence[Metric], rules: Rules) -> Mapping[T, int]:
    """The places that the format itself gives, where they are asked first; none up to edition 4, which
    counted who stands ahead.
    """
    by_format = rules.edition > 4 and [metric.key for metric in metrics[:1]] == ["stage_place"]
    return tally.places if by_format and tally.places.keys() >= set(tally.ranked) else {}


def _last_rows(tally: Tally[T], metrics: Sequence[Metric], place: int) -> list[Row[T]]:
    """The rows of those that are ranked last, with what each metric that looks at one team says of them."""
    last = tuple(team for team in tally.teams if team in tally.ranked_last)
    known = {
        metric.key: {} if metric.relative else metric.function(tally, last) for metric in metrics if last
    }
    return [
        Row(
            team=team,
            place=place,
            tied_with=tuple(other for other in last if other != team),
            values=tuple((metric.key, known[metric.key].get(team)) for metric in metrics),
            decided_by=None,
            placement_points=Fraction(0),
            unresolved=False,
            ranked_last=True,
        )
        for team in last
    ]


def unresolved_ties(rows: Sequence[Row[T]]) -> list[tuple[T, ...]]:
    """The groups of teams among which lots or a play-off must still decide, first place first."""
    return ties([row for row in rows if row.unresolved])


def ties(rows: Iterable[Row[T]]) -> list[tuple[T, ...]]:
    """The groups of teams that are tied, first place first, each in the order of its rows."""
    found: dict[frozenset[T], list[T]] = {}
    for row in rows:
        if row.tied_with:
            found.setdefault(frozenset((row.team, *row.tied_with)), []).append(row.team)
    return [tuple(teams) for teams in found.values()]


def _asked(rules: Rules) -> list[Metric]:
    """The metrics in the order in which they are asked: the rules', then what the policy for ties adds."""
    metrics = metrics_for(rules.metrics)
    deciding = DECIDING.get(rules.ties)
    if deciding and METRICS[deciding] not in metrics:
        before_lots = metrics.index(METRICS["lots"]) if METRICS["lots"] in metrics else len(metrics)
        metrics.insert(before_lots, METRICS[deciding])
    return metrics


def _refuse_without_matches(metrics: Iterable[Metric]) -> None:
    for metric in metrics:
        if Data.MATCHES in metric.needs:
            raise CannotRank(
                "no_matches",
                gettext_noop("The metric %(metric)s needs matches of two, round by round; there are none."),
                metric=metric.key,
            )


def _measure(metric: Metric, tally: Tally[T], unknown: Collection[T], edition: int) -> Measure[T]:
    function, at_most = metric.asked_by(edition)
    return Measure(
        metric.key,
        partial(function, tally),
        metric.highest_first,
        metric.relative,
        metric.again,
        frozenset(unknown),
        None if at_most is None else partial(at_most, tally),
    )


def _placement_points(rules: Rules, place: int, tied: int) -> Fraction | None:
    """What each of `tied` teams from `place` on takes; None if that has to be decided first."""
    spanned = [
        Fraction(rules.scale[index]) if index < len(rules.scale) else Fraction(0)
        for index in range(place - 1, place - 1 + tied)
    ]
    if rules.ties is TiePolicy.AVERAGE:
        return sum(spanned, Fraction(0)) / tied
    if rules.ties in DECIDING and len(set(spanned)) > 1:
        return None
    return spanned[0]
