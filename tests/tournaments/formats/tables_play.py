"""Rounds at tables played to their end, and what is counted of them, for tests."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any

from hypothesis import strategies as st

from tournaments.formats.choice import FormatChoice
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.options import FormatOption, WholeOption, YesNo
from tournaments.formats.tables import planning
from tournaments.formats.tables.format import PlannedTables, RoundsAtTables, TablesByStanding
from tournaments.formats.tables.lot_order import METHOD

SEED = "palio-2022"
SEEDS = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)
RANDOMS = st.integers(0, 2**32).map(Random)


@st.composite
def fields(draw: st.DrawFn, fewest: int = 6, most: int = 20) -> tuple[Contestant, ...]:
    """Contestants, some of one team or with labels in common."""
    labels = st.frozensets(st.integers(1, 4), max_size=1)
    count = draw(st.integers(fewest, most))
    return tuple(Contestant(number, draw(st.integers(1, 6)), draw(labels)) for number in range(1, count + 1))


def played(form: RoundsAtTables, plan: RoundPlan, random: Random) -> PlayedRound:
    """A round in which every table has played, with places or cards at random."""
    outcomes = []
    for pairing in plan.pairings:
        if form.by_places:
            figures = [random.randint(1, 3) for _ in pairing.sides]
            places = [1 + sum(other < one for other in figures) for one in figures]
            outcomes.append(form.outcome_of_places(pairing, places))
        else:
            points = tuple(Fraction(random.randint(0, 60)) for _ in pairing.sides)
            outcomes.append(PairingOutcome(points, None))
    return PlayedRound(plan, tuple(outcomes))


def play(
    form: RoundsAtTables, contestants: tuple[Contestant, ...], seed: str, random: Random
) -> StageProgress:
    """All rounds, each drawn when the one before is over."""
    progress = StageProgress(contestants)
    while plan := form.next_round(progress, seed):
        progress = StageProgress(contestants, (*progress.rounds, played(form, plan, random)))
    return progress


def meetings(plans: Sequence[RoundPlan]) -> Counter[tuple[int, int]]:
    """How often two have sat at one table, the lower number first."""
    return Counter(
        pair for plan in plans for pairing in plan.pairings for pair in combinations(sorted(pairing.sides), 2)
    )


def repeats(plans: Sequence[RoundPlan]) -> int:
    """Repeated meetings: 1, 3, 6 for two who meet 2, 3, 4 times."""
    return sum(comb(times, 2) for times in meetings(plans).values())


def of_one_team(plans: Sequence[RoundPlan], contestants: Sequence[Contestant]) -> int:
    """How often two of one team have sat at one table."""
    team = {one.number: one.team for one in contestants}
    return sum(times for (one, other), times in meetings(plans).items() if team[one] == team[other])


def seats_of(plans: Sequence[RoundPlan]) -> dict[int, Counter[int]]:
    """How often each has sat in each seat, from 0."""
    found: dict[int, Counter[int]] = {}
    for plan in plans:
        for pairing in plan.pairings:
            for seat, side in enumerate(pairing.sides):
                found.setdefault(side, Counter())[seat] += 1
    return found


def spread(counts: Sequence[int]) -> int:
    """The difference between the most and the fewest."""
    return max(counts) - min(counts)


def _options() -> tuple[FormatOption, ...]:
    def option(key: str, default: Any, kind: Any) -> FormatOption:
        return FormatOption(key, key, key, default, kind)

    return (
        option("seats", 4, WholeOption(3, 10)),
        option("rounds", None, WholeOption(1, 100, or_none=True)),
        option("by_places", True, YesNo()),
        option("sits_out", True, YesNo()),
        option("teams_apart", True, YesNo()),
    )


def choice_of(form: type[PlannedTables] | type[TablesByStanding]) -> FormatChoice:
    """The format as the catalogue would offer it, for whatever reads the catalogue."""
    return FormatChoice(
        form.key,
        form.name,
        form.explanation,
        _options(),
        lambda chosen: form(**chosen),
        is_predetermined=form.is_predetermined,
        method=METHOD,
    )


@contextmanager
def short_search() -> Iterator[None]:
    """Plans are looked for in few steps: for what holds of any plan, however good."""
    steps = {"STEPS": planning.STEPS, "CYCLE_STEPS": planning.CYCLE_STEPS}
    planning.planned_rounds.cache_clear()
    try:
        for name in steps:
            setattr(planning, name, 2_000)
        yield
    finally:
        for name, count in steps.items():
            setattr(planning, name, count)
        planning.planned_rounds.cache_clear()
