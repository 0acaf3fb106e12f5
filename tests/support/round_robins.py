"""Fields, and stages played to the end, for the tests of round robins."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from hypothesis import strategies as st

from tournaments.formats.format import (
    Contestant,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.round_robin.groups import Grouping

SEEDS = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)


@dataclass(frozen=True, slots=True)
class InOrder(RoundRobin):
    """Numbers in the table are those of the seeding, so that a test can say who meets whom."""

    def _numbered(self, members: Sequence[Contestant], seed: str) -> list[int]:
        return sorted(one.number for one in members)


FORMATS = st.builds(
    RoundRobin,
    legs=st.integers(1, 3),
    groups=st.integers(1, 4),
    grouping=st.sampled_from(Grouping),
)


@st.composite
def fields(draw: st.DrawFn, fewest: int = 2, most: int = 24) -> tuple[Contestant, ...]:
    """Contestants with numbers that have gaps, in any order, some of one team or with labels in common."""
    numbers = draw(st.lists(st.integers(1, 99), min_size=fewest, max_size=most, unique=True))
    labels = st.frozensets(st.integers(1, 6), max_size=2)
    return tuple(Contestant(number, draw(st.integers(1, 30)), draw(labels)) for number in numbers)


def first_side_wins(pairing: RoundPairing) -> PairingOutcome:
    """A decided match."""
    return PairingOutcome((Fraction(1), Fraction(0)), pairing.sides[0])


def with_round(
    progress: StageProgress,
    plan: RoundPlan,
    outcome: Callable[[RoundPairing], PairingOutcome | None] = first_side_wins,
) -> StageProgress:
    """The stage after one more round."""
    played = PlayedRound(plan, tuple(outcome(pairing) for pairing in plan.pairings))
    return replace(progress, rounds=(*progress.rounds, played))


def play(form: RoundRobin, progress: StageProgress, seed: str, rounds: int | None = None) -> StageProgress:
    """The stage after so many more rounds, or all, drawn one by one."""
    while rounds is None or rounds > 0:
        plan = form.next_round(progress, seed)
        if plan is None:
            break
        progress = with_round(progress, plan)
        rounds = None if rounds is None else rounds - 1
    return progress


def meetings(plans: Iterable[RoundPlan]) -> Counter[frozenset[int]]:
    """How often each two meet."""
    return Counter(frozenset(pairing.sides) for plan in plans for pairing in plan.pairings)


def plans_of(progress: StageProgress) -> list[RoundPlan]:
    """The rounds as they were drawn."""
    return [each.plan for each in progress.rounds]


def seats(plans: Iterable[RoundPlan], contestant: int) -> list[int]:
    """The seats (0 for the first) that a contestant has, round after round."""
    return [
        pairing.sides.index(contestant)
        for plan in plans
        for pairing in plan.pairings
        if contestant in pairing.sides
    ]


def longest_run(values: Iterable[int]) -> int:
    """How often the same value comes running, at most."""
    return max((len(list(run)) for _, run in groupby(values)), default=0)
