"""The palio: several disciplines in one event, and one table over all of them.

Each discipline, a tournament or a race whose places somebody wrote down, gives its teams placement points. A
discipline can weigh more than others. A team can play a joker on one, announced before it starts, which
counts the team's points there twice. The overall table has a tie rule of its own: metrics as in `metrics`,
but over places and points of disciplines. A metric that asks for something in particular has it after a colon
in its key. `places:2` is the number of second places, `place_in:race` the place in the discipline `race`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Self

from .by_results import recorded
from .errors import CannotRank, gettext_noop
from .metrics import check_order, unknown_metric
from .model import Decision, T, refuse_repeated_teams, refuse_unknown_teams, repeated
from .ordering import Measure, Ordering

JOKER = 2
"""How often a team's points count in the discipline of its joker."""


@dataclass(frozen=True, slots=True)
class Placing(Generic[T]):
    """A team's place in a discipline, and the placement points; None while lots or a play-off are awaited."""

    team: T
    place: int
    points: Fraction | None


@dataclass(frozen=True, slots=True)
class Discipline(Generic[T]):
    """One part of the palio. `key` is a word for programs, without a colon; `weight` multiplies its points.

    `placings` are there when it is decided; a team that isn't among them took no part. `began` is when it
    started, None before. Raises CannotRank for a weight that isn't above zero, a bad key, a place below 1, a
    team twice.
    """

    key: str
    placings: tuple[Placing[T], ...] = ()
    weight: Fraction = Fraction(1)
    began: datetime | None = None

    def __post_init__(self) -> None:
        refuse_repeated_teams(placing.team for placing in self.placings)
        if (
            self.weight <= 0
            or not self.key
            or ":" in self.key
            or any(each.place < 1 for each in self.placings)
        ):
            raise CannotRank(
                "discipline",
                gettext_noop(
                    "Discipline %(discipline)s needs a key without a colon, a weight above 0 (it has "
                    "%(weight)s) and places from 1."
                ),
                discipline=repr(self.key),
                weight=str(self.weight),
            )

    @classmethod
    def of_places(
        cls,
        key: str,
        places: Iterable[tuple[T, int]],
        scale: Sequence[int | Fraction],
        weight: Fraction = Fraction(1),
    ) -> Self:
        """Another game, by the places that were written down; who shares one takes the points of that place.

        Beyond the scale a place is worth nothing.
        """
        placings = tuple(
            Placing(team, place, Fraction(scale[place - 1]) if 1 <= place <= len(scale) else Fraction(0))
            for team, place in places
        )
        return cls(key, placings, weight)


@dataclass(frozen=True, slots=True)
class Joker(Generic[T]):
    """A team's announcement that its points in a discipline count twice."""

    team: T
    discipline: str
    announced: datetime


def check_jokers(
    jokers: Iterable[Joker[T]], disciplines: Iterable[Discipline[T]], jokers_each: int = 1
) -> None:
    """Raise CannotRank for a joker that may not be played: too late, one too many, on what isn't there."""
    there = {discipline.key: discipline for discipline in disciplines}
    given: Counter[T] = Counter()
    seen: set[tuple[T, str]] = set()
    for joker in jokers:
        if joker.discipline not in there:
            raise _unknown_discipline(joker.discipline, there)
        began = there[joker.discipline].began
        if began is not None and joker.announced >= began:
            raise CannotRank(
                "late_joker",
                gettext_noop(
                    "Team %(team)s announced its joker for %(discipline)s when that had begun; "
                    "it has to be announced before."
                ),
                team=str(joker.team),
                discipline=joker.discipline,
            )
        given[joker.team] += 1
        if given[joker.team] > jokers_each or (joker.team, joker.discipline) in seen:
            raise CannotRank(
                "many_jokers",
                gettext_noop(
                    "Team %(team)s has played more jokers than it may: %(most)s, each on a discipline of "
                    "its own."
                ),
                team=str(joker.team),
                most=str(jokers_each),
            )
        seen.add((joker.team, joker.discipline))


@dataclass(frozen=True, slots=True)
class RankedPalio(Generic[T]):
    """All that overall metrics look at. Order plays no part, except that of `lots`, the latest last."""

    disciplines: tuple[Discipline[T], ...]
    jokers: tuple[Joker[T], ...]
    lots: tuple[tuple[T, ...], ...]

    def share(self, discipline: Discipline[T], team: T) -> Fraction | None:
        """What a discipline adds to a team's total; None while that isn't known."""
        found = [placing for placing in discipline.placings if placing.team == team]
        if not found:
            return Fraction(0) if discipline.placings else None
        if found[0].points is None:
            return None
        doubled = any(joker.team == team and joker.discipline == discipline.key for joker in self.jokers)
        return found[0].points * discipline.weight * (JOKER if doubled else 1)

    def placings(self) -> Iterator[Placing[T]]:
        """Every place that anybody took."""
        for discipline in self.disciplines:
            yield from discipline.placings


@dataclass(frozen=True, slots=True)
class OverallMetric:
    """One way to compare teams over all disciplines. Name, abbreviation, explanation and `ahead` are msgids.

    `ahead` says why one stands above the next, with `%(value)s`, `%(next)s` and `%(asked)s`. The last is what
    the key names after a colon: for `asks` a place's number or a discipline's key.
    """

    key: str
    name: str
    abbreviation: str
    explanation: str
    ahead: str
    # One registry serves every kind of team id, hence Any; the functions themselves are generic.
    function: Callable[[RankedPalio[Any], str, Collection[Any]], dict[Any, Fraction]]
    asks: str = ""
    highest_first: bool = True
    relative: bool = False


def _total(palio: RankedPalio[T], _asked: str, group: Collection[T]) -> dict[T, Fraction]:
    shares = {team: [palio.share(each, team) for each in palio.disciplines] for team in group}
    return {
        team: sum((share for share in each if share is not None), Fraction(0))
        for team, each in shares.items()
    }


def _places(palio: RankedPalio[T], asked: str, group: Collection[T]) -> dict[T, Fraction]:
    taken = Counter(placing.team for placing in palio.placings() if placing.place == int(asked))
    return {team: Fraction(taken[team]) for team in group}


def _place_in(palio: RankedPalio[T], asked: str, group: Collection[T]) -> dict[T, Fraction]:
    """Who took no part comes after all who did."""
    for discipline in palio.disciplines:
        if discipline.key == asked and discipline.placings:
            places = {placing.team: placing.place for placing in discipline.placings}
            behind = max(places.values()) + 1
            return {team: Fraction(places.get(team, behind)) for team in group}
    return {}


def _lots(palio: RankedPalio[T], _asked: str, group: Collection[T]) -> dict[T, Fraction]:
    return recorded(palio.lots, group)


OVERALL_METRICS: dict[str, OverallMetric] = {
    metric.key: metric
    for metric in (
        OverallMetric(
            "total",
            gettext_noop("Total"),
            gettext_noop("Tot"),
            gettext_noop("Placement points of all disciplines, with their weights, jokers twice."),
            gettext_noop("Ahead on the total: %(value)s to %(next)s"),
            _total,
        ),
        OverallMetric(
            "places",
            gettext_noop("Places of a kind"),
            gettext_noop("Pl"),
            gettext_noop("In how many disciplines the team took this place, shared or not."),
            gettext_noop("Ahead on disciplines in place %(asked)s: %(value)s to %(next)s"),
            _places,
            asks="place",
        ),
        OverallMetric(
            "place_in",
            gettext_noop("Place in a discipline"),
            gettext_noop("PD"),
            gettext_noop("The better place in this discipline; who took no part comes last."),
            gettext_noop("Ahead by the place in %(asked)s: %(value)s before %(next)s"),
            _place_in,
            asks="discipline",
            highest_first=False,
        ),
        OverallMetric(
            "lots",
            gettext_noop("Lots"),
            gettext_noop("Lots"),
            gettext_noop("The order in which lots were drawn among those who are tied."),
            gettext_noop("Ahead by lot: drawn before the next"),
            _lots,
            highest_first=False,
            relative=True,
        ),
    )
}


def overall_metric(key: str) -> tuple[OverallMetric, str]:
    """The metric of a key such as `total` or `places:2`, and what stands after the colon.

    Raises CannotRank for one that isn't there, or that asks for something else.
    """
    kind, colon, asked = key.partition(":")
    metric = OVERALL_METRICS.get(kind)
    fits = {
        "": not colon,
        "place": asked.isascii() and asked.isdecimal() and not asked.startswith("0"),
        "discipline": bool(asked),
    }
    if metric is None or not fits[metric.asks]:
        raise unknown_metric(key, [_known_as(each) for each in OVERALL_METRICS.values()])
    return metric, asked


def _known_as(metric: OverallMetric) -> str:
    return f"{metric.key}:<{metric.asks}>" if metric.asks else metric.key


@dataclass(frozen=True, slots=True)
class OverallRules:
    """Metric keys in order of weight, and how many jokers a team has.

    Raises CannotRank for metrics that aren't there, are there twice, can't stand in this order, or ask for
    something that can't be.
    """

    metrics: tuple[str, ...] = ("total", "places:1", "places:2", "places:3")
    jokers_each: int = 1

    def __post_init__(self) -> None:
        for key in self.metrics:
            overall_metric(key)
        check_order(self.metrics)


@dataclass(frozen=True, slots=True)
class OverallRow(Generic[T]):
    """One team in the overall table.

    `shares` has what each discipline adds to the total, in order, None where that isn't known yet. `values`
    has each metric of the rules, `decided_by` what put this place above the next one.
    """

    team: T
    place: int
    tied_with: tuple[T, ...]
    shares: tuple[tuple[str, Fraction | None], ...]
    values: tuple[tuple[str, Fraction | None], ...]
    decided_by: Decision[T] | None


def rank_overall(
    teams: Sequence[T],
    disciplines: Iterable[Discipline[T]],
    rules: OverallRules,
    jokers: Iterable[Joker[T]] = (),
    lots: Iterable[Sequence[T]] = (),
) -> list[OverallRow[T]]:
    """The overall table, first place first; who shares a place (1, 2, 2, 4) stands in the order of `teams`.

    A discipline that isn't decided adds nothing. The order of jokers plays no part, that of disciplines only
    for the order of `shares`. Of `lots` the latest record that names all who are tied counts. Raises
    CannotRank.
    """
    palio = RankedPalio(tuple(disciplines), tuple(jokers), tuple(tuple(each) for each in lots))
    _check(palio, teams, rules)
    ordering = Ordering(teams, [_measure(key, palio) for key in rules.metrics])
    rows = []
    place = 1
    for index, group in enumerate(ordering.groups):
        for team in group:
            rows.append(
                OverallRow(
                    team=team,
                    place=place,
                    tied_with=tuple(other for other in group if other != team),
                    shares=tuple((each.key, palio.share(each, team)) for each in palio.disciplines),
                    values=tuple((key, ordering.value(key, team)) for key in rules.metrics),
                    decided_by=ordering.decisions[index] if index < len(ordering.decisions) else None,
                )
            )
        place += len(group)
    return rows


def _measure(key: str, palio: RankedPalio[T]) -> Measure[T]:
    metric, asked = overall_metric(key)
    values = partial(metric.function, palio, asked)
    return Measure(key, values, metric.highest_first, metric.relative, again=False)


def _check(palio: RankedPalio[T], teams: Sequence[T], rules: OverallRules) -> None:
    refuse_repeated_teams(teams)
    for order in palio.lots:
        refuse_repeated_teams(order)
    named: list[Hashable] = [
        *(placing.team for placing in palio.placings()),
        *(joker.team for joker in palio.jokers),
        *(team for order in palio.lots for team in order),
    ]
    refuse_unknown_teams(named, teams)
    keys = [discipline.key for discipline in palio.disciplines]
    for key in repeated(keys):
        raise CannotRank(
            "repeated_discipline",
            gettext_noop("Discipline %(discipline)s is there twice; once was expected."),
            discipline=str(key),
        )
    for metric, asked in map(overall_metric, rules.metrics):
        if metric.asks == "discipline" and asked not in keys:
            raise _unknown_discipline(asked, keys)
    check_jokers(palio.jokers, palio.disciplines, rules.jokers_each)


def _unknown_discipline(given: str, known: Collection[str]) -> CannotRank:
    return CannotRank(
        "unknown_discipline",
        gettext_noop("There is no discipline %(given)s; there are %(known)s."),
        given=repr(given),
        known=", ".join(known),
    )
