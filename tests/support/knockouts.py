"""Knockouts of numbered contestants, played by results that a test chooses."""

import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from tournaments.formats.elimination.format import Elimination
from tournaments.formats.elimination.seeding import depth_for, standard_order
from tournaments.formats.elimination.tree import Bracket, BracketMatch
from tournaments.formats.format import (
    Contestant,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)

Winner = Callable[[RoundPairing], int]
SEED = "palio-2022"


def field(count: int, teams: int | None = None, labels: dict[int, set[int]] | None = None) -> StageProgress:
    """Contestants 1 to `count`, in turn of so many teams (None: of one each)."""
    return StageProgress(
        tuple(
            Contestant(number, (number - 1) % (teams or count) + 1, frozenset((labels or {}).get(number, ())))
            for number in range(1, count + 1)
        )
    )


def match_in(bracket: Bracket, slot: str) -> BracketMatch:
    """The match of that slot."""
    return next(match for each in bracket.rounds for match in each.matches if match.slot == slot)


def first_pairs(seeded: Sequence[int]) -> list[tuple[int, int | None]]:
    """Who meets whom first, of contestants in the order of seeds, from the top; None is a bye."""
    order = standard_order(depth_for(len(seeded)))
    pairs = (sorted(pair) for pair in zip(order[::2], order[1::2], strict=False))
    return [(seeded[one - 1], seeded[other - 1] if other <= len(seeded) else None) for one, other in pairs]


def won(pairing: RoundPairing, winner: int) -> PairingOutcome:
    """A match that ended 2 to 1."""
    points = {True: Fraction(2), False: Fraction(1)}
    return PairingOutcome(tuple(points[side == winner] for side in pairing.sides), winner)


def better_seed(pairing: RoundPairing) -> int:
    """Who has the lower number wins."""
    return min(pairing.sides)


def at_random(number: int) -> Winner:
    """Winners drawn by a generator with this seed."""
    generator = random.Random(number)
    return lambda pairing: generator.choice(pairing.sides)


def with_round(progress: StageProgress, plan: RoundPlan, winners: Iterable[int | None]) -> StageProgress:
    """The same and one round more; None for a match that isn't decided."""
    outcomes = tuple(
        None if winner is None else won(pairing, winner)
        for pairing, winner in zip(plan.pairings, winners, strict=True)
    )
    return StageProgress(progress.contestants, (*progress.rounds, PlayedRound(plan, outcomes)), progress.gone)


def drawn(form: Elimination, progress: StageProgress) -> RoundPlan:
    """The next round, of which there has to be one."""
    plan = form.next_round(progress, SEED)
    assert plan is not None
    return plan


def played(form: Elimination, progress: StageProgress, winner: Winner, rounds: int = 1000) -> StageProgress:
    """The knockout played to its end, or for so many rounds more."""
    for _ in range(rounds):
        plan = form.next_round(progress, SEED)
        if plan is None:
            break
        progress = with_round(progress, plan, [winner(pairing) for pairing in plan.pairings])
    return progress
