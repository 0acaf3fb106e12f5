"""Table eliminations played to their ends, for tests."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from tournaments.formats.format import (
    Contestant,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.table_elimination.format import TableElimination

FORMATS = st.builds(TableElimination, seats=st.integers(3, 10), target=st.integers(1, 300))
SEEDS = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)
Deal = Callable[[RoundPairing], PairingOutcome]


@st.composite
def fields(draw: st.DrawFn, fewest: int = 2, most: int = 24) -> tuple[Contestant, ...]:
    """Contestants, some of one team or with labels in common."""
    labels = st.frozensets(st.integers(1, 5), max_size=2)
    return tuple(
        Contestant(number, draw(st.integers(1, 4)), draw(labels))
        for number in range(1, draw(st.integers(fewest, most)) + 1)
    )


def deals(random: Random) -> Deal:
    """A deal: one goes out with nothing, the others hold cards."""

    def deal(pairing: RoundPairing) -> PairingOutcome:
        winner = random.choice(pairing.sides)
        points = tuple(Fraction(0 if side == winner else random.randint(1, 150)) for side in pairing.sides)
        return PairingOutcome(points, winner)

    return deal


def bells(random: Random) -> Deal:
    """A deal that the bell ends: everybody holds cards, often as many points."""

    def deal(pairing: RoundPairing) -> PairingOutcome:
        return PairingOutcome(tuple(Fraction(random.randint(1, 4) * 20) for _ in pairing.sides), None)

    return deal


def played(plan: RoundPlan, deal: Deal) -> PlayedRound:
    """A round in which every table has played."""
    return PlayedRound(plan, tuple(deal(pairing) for pairing in plan.pairings))


def play(format_: TableElimination, field: tuple[Contestant, ...], seed: str, deal: Deal) -> StageProgress:
    """All rounds to the end."""
    progress = StageProgress(field)
    while (plan := format_.next_round(progress, seed)) is not None:
        assert not format_.is_finished(progress)
        progress = StageProgress(field, (*progress.rounds, played(plan, deal)))
        assert len(progress.rounds) < 500
    assert format_.is_finished(progress)
    return progress


def round_of(number: int, *tables: tuple[dict[int, int], int]) -> PlayedRound:
    """A round as it was: for each table the points that each took, and the table's number."""
    return PlayedRound(
        RoundPlan(
            number,
            "Round %(number)d",
            (("number", number),),
            tuple(RoundPairing(f"r{number}t{table}", tuple(points)) for points, table in tables),
        ),
        tuple(PairingOutcome(tuple(map(Fraction, points.values())), None) for points, _ in tables),
    )
