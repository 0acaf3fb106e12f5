"""Effects of a correction: drawn rounds compared with what would be drawn by the results now.

Pairs that haven't begun move; games that were begun stay where they are and are flagged. A bracket is
compared slot by slot, since each pair follows from two matches. Nobody moves to a match of a round who sits
in another one of it that stays. In other formats a round is drawn as a whole. So it moves as a whole or,
where any of it has begun, stays as it was drawn.
"""

from collections import Counter
from dataclasses import dataclass, replace
from uuid import UUID

from tournaments.facts import stages
from tournaments.formats import CannotDraw
from tournaments.formats.edits import swap_all
from tournaments.formats.format import (
    Due,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.projections.rounds.course import StageHistory, not_begun


@dataclass(frozen=True, slots=True)
class ChangedPair:
    """A slot of a drawn round: who was drawn, and who would be now (None: nobody, or not known yet).

    `is_held`: it isn't begun and stays, since one who is due here sits in another match of the round that
    stays.
    """

    slot: str
    drawn: tuple[int, ...]
    due: tuple[int | None, ...]
    is_begun: bool
    is_held: bool = False

    @property
    def waits(self) -> bool:
        """Whether it hasn't begun, and can't be drawn anew before a match that it follows from is decided."""
        return not self.is_begun and None in self.due


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """A drawn round that would be drawn otherwise now, and what it becomes: begun games stay."""

    number: int
    pairs: tuple[ChangedPair, ...]
    becomes: RoundPlan
    moves: bool


def changed_rounds(course: StageHistory, begun: frozenset[UUID]) -> list[ChangedRound]:
    """The rounds that would be drawn otherwise, in order; `begun` are the matches in which anything was
    entered.
    """
    if course.choice.is_predetermined:
        return []
    due = course.format.due(course.progress, course.seed)
    return _of_rounds(course, begun) if due is None else _of_slots(course, due, begun)


def changes_by(now: StageHistory, then: StageHistory, begun: frozenset[UUID]) -> list[ChangedRound]:
    """The rounds that other results (`then`) would change, but for those that the results as they are (`now`)
    have changed in the same way already.
    """
    known = {each.number: each.pairs for each in changed_rounds(now, begun)}
    return [each for each in changed_rounds(then, begun) if known.get(each.number) != each.pairs]


def _of_slots(course: StageHistory, due: Due, begun: frozenset[UUID]) -> list[ChangedRound]:
    found = []
    for played in course.progress.rounds:
        changed = []
        moving: dict[str, tuple[int, ...]] = {}
        for pairing in played.plan.pairings:
            expected = due.get(pairing.slot)
            if expected is None:
                continue
            is_begun = stages.match_id(course.stage, pairing.slot, pairing.sides) in begun
            changed.append(ChangedPair(pairing.slot, pairing.sides, expected, is_begun))
            sides = tuple(who for who in expected if who is not None)
            if not is_begun and len(sides) == len(expected):
                moving[pairing.slot] = sides
        held = _take_held(played.plan, moving)
        if changed:
            pairs = tuple(replace(pair, is_held=pair.slot in held) for pair in changed)
            pairings = tuple(
                RoundPairing(each.slot, moving[each.slot]) if each.slot in moving else each
                for each in played.plan.pairings
            )
            plan = replace(played.plan, pairings=pairings)
            found.append(ChangedRound(plan.number, pairs, plan, plan != played.plan))
    return found


def _take_held(plan: RoundPlan, moving: dict[str, tuple[int, ...]]) -> set[str]:
    """Take out of `moving` (new sides by slot) what would seat anybody twice in the round; its slots."""
    held: set[str] = set()
    while True:
        seated = Counter(
            side for pairing in plan.pairings for side in moving.get(pairing.slot, pairing.sides)
        )
        twice = {slot for slot, sides in moving.items() if any(seated[side] > 1 for side in sides)}
        if not twice:
            return held
        held |= twice
        for slot in twice:
            del moving[slot]


def outdated_matches(course: StageHistory) -> tuple[UUID, ...]:
    """The matches of a bracket in which others would meet by the results now than were drawn, begun or not;
    nothing of another format.
    """
    due = course.format.due(course.progress, course.seed) if course.progress.rounds else None
    return tuple(match.id for match in course.matches if due and match.pairing.slot in due)


def as_due(course: StageHistory) -> StageHistory:
    """The stage with the pairs of its bracket that a correction has changed, as they follow from the results.

    Only pairs of which no game is over change. They are drawn anew, or not drawn where a match before is open
    again. What is held back stays.
    """
    due = course.format.due(course.progress, course.seed) if course.progress.rounds else None
    if not due:
        return course
    played = frozenset(match.id for match in course.matches if match.is_begun)
    changed = {
        (each.number, pair.slot): pair
        for each in _of_slots(course, due, played)
        for pair in each.pairs
        if not pair.is_begun and not pair.is_held
    }
    if not changed:
        return course
    matches = [match for match in course.matches if (match.round, match.pairing.slot) not in changed]
    rounds = []
    for each in course.progress.rounds:
        kept: list[tuple[RoundPairing, PairingOutcome | None]] = []
        for pairing, outcome in each.matches():
            pair = changed.get((each.plan.number, pairing.slot))
            if pair is None:
                kept.append((pairing, outcome))
            elif not pair.waits:
                sides = tuple(who for who in pair.due if who is not None)
                kept.append((RoundPairing(pairing.slot, sides), None))
                matches.append(not_begun(course, each.plan.number, kept[-1][0]))
        plan = replace(each.plan, pairings=tuple(pairing for pairing, _ in kept))
        rounds.append(PlayedRound(plan, tuple(outcome for _, outcome in kept)))
    progress = replace(course.progress, rounds=tuple(rounds))
    return replace(course, progress=progress, matches=tuple(matches))


def _of_rounds(course: StageHistory, begun: frozenset[UUID]) -> list[ChangedRound]:
    """The first round that would be drawn otherwise: whatever follows, follows from it."""
    rounds = course.progress.rounds
    for at, played in enumerate(rounds[1:], start=1):
        # Who has left since, or was away then, is no correction.
        before = StageProgress(
            course.progress.contestants, rounds[:at], course.gone_before[at], course.annulled_before[at]
        )
        try:
            now = course.format.next_round(before, course.seed, rematches=played.plan.rematches)
        except CannotDraw:
            return []
        if now is None or _who_meets(played.plan) in (_who_meets(now), _by_hand(now, course, at)):
            continue
        in_play = {
            pairing.slot
            for pairing in played.plan.pairings
            if stages.match_id(course.stage, pairing.slot, pairing.sides) in begun
        }
        due = {pairing.slot: pairing.sides for pairing in now.pairings}
        pairs = tuple(
            ChangedPair(pairing.slot, pairing.sides, due.get(pairing.slot, ()), pairing.slot in in_play)
            for pairing in played.plan.pairings
            if pairing.sides != due.get(pairing.slot)
        )
        moves = not in_play and at == len(rounds) - 1
        return [ChangedRound(now.number, pairs, now if moves else played.plan, moves)]
    return []


def _by_hand(now: RoundPlan, course: StageHistory, at: int) -> tuple[object, object] | None:
    """Who meets in a round, after what was changed in it by hand; None where that can't be changed in it."""
    try:
        return _who_meets(swap_all(now, course.edits[at]))
    except CannotDraw:
        return None


def _who_meets(plan: RoundPlan) -> tuple[frozenset[frozenset[int]], frozenset[int]]:
    return frozenset(frozenset(pairing.sides) for pairing in plan.pairings), frozenset(plan.byes)
