"""The places that a bracket decides."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..format import OpenPlace, OpenPlaces
from .plan import BracketSource, Plan, SectionKind, SectionPart
from .state import NOBODY, BracketStatus, State
from .titles import Title


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """Contestants who share the places from `first` to `last`; one who has a place alone has both equal."""

    first: int
    last: int
    contestants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LastMatch:
    """The last match of somebody who plays no more: what is played in it, and whether it was won. `other` is
    who the other was, None where both lost it. `is_walkover`: nobody played it.

    `is_passed_over`: they would be in the next match but for `other`, who went on before a correction. Then
    it is the match whose losers they share their place with.
    """

    title: Title
    is_won: bool
    other: int | None
    is_walkover: bool = False
    is_passed_over: bool = False


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Somebody who by a correction should be in a match that was drawn with `other` before, and is in no
    other that follows. They share the place of who comes from `source`: of those who lost in the earlier
    round.
    """

    source: BracketSource
    other: int


def last_matches(plan: Plan, state: State) -> dict[int, LastMatch]:
    """By what match each whose place is settled has it; nobody who never had an opponent is there."""
    rungs = open_rungs(plan, state)
    passed = passed_over(plan, state, rungs)
    placed = {one for one, here in rungs.items() if len(here) == 1}
    found: dict[int, LastMatch] = {}
    for standing in state.values():
        if not standing.is_match or standing.is_open:
            continue
        node, winner = standing.node, standing.winner or None
        walkover = standing.outcome is not None and standing.outcome.walkover
        title = _title(plan, node.slot)
        for one in standing.losers:
            found[one] = LastMatch(title, False, winner, walkover)
        if winner is not None:
            found[winner] = LastMatch(title, True, next(iter(standing.losers), None), walkover)
    return {one: each for one, each in found.items() if one in placed} | {
        one: LastMatch(_title(plan, each.source.slot), False, each.other, is_passed_over=True)
        for one, each in passed.items()
    }


def _title(plan: Plan, slot: str) -> Title:
    """What is played in a match: its round, or the place that it is for."""
    node = plan.nodes[slot]
    return node.name if node.part is SectionPart.PLACES else plan.rounds[node.part, node.round]


def passed_over(plan: Plan, state: State, rungs: Mapping[int, Collection[int]]) -> dict[int, PassedOver]:
    """Who isn't in the match that they should be in since a correction, and in no other; `rungs` are those
    of all who have one.
    """
    found = {}
    for standing in state.values():
        if standing.pairing is None:
            continue
        for source, due, drawn in zip(standing.node.sources, standing.due, standing.sides, strict=True):
            if due and drawn and due not in standing.sides and due not in rungs:
                found[due] = PassedOver(_way_out(plan, state, source.slot), drawn)
    return found


def _way_out(plan: Plan, state: State, slot: str) -> BracketSource:
    """Where somebody's place is who loses this match, and those that are left to them then."""
    placed = {source for rung in plan.rungs for source in rung}
    source = BracketSource(SectionKind.LOSER, slot)
    while source not in placed:
        slot = next(node.slot for node in plan.nodes.values() if source in node.sources)
        kind = SectionKind.LOSER if state[slot].is_match else SectionKind.WINNER
        source = BracketSource(kind, slot)
    return source


def _went_on(state: State) -> set[tuple[str, int]]:
    """By the slot of a match, who was drawn as its winner in the next one and isn't, since a correction."""
    return {
        (source.slot, drawn)
        for standing in state.values()
        if standing.pairing is not None
        for source, drawn in zip(standing.node.sources, standing.sides, strict=True)
        if source.kind is SectionKind.WINNER and drawn and state[source.slot].winner != drawn
    }


def ranking(plan: Plan, state: State, *, ranks_passed_over: bool = True) -> tuple[BracketPlace, ...]:
    """The places that are decided, the best first; whoever is still to be placed isn't there.

    Those who go out in the same round share its places, and have them once that round is over. After a
    correction somebody can be in a later match who has lost the earlier one: the later one gives their place.
    Who should have been there instead shares the place of those who lost in the earlier round, with
    `ranks_passed_over`; without, it stays open.
    """
    placed = []
    seen: set[int] = set()
    passed = passed_over(plan, state, open_rungs(plan, state)) if ranks_passed_over else {}
    for rung, (first, last) in zip(plan.rungs, rung_places(plan, state), strict=True):
        coming = [_coming(source, state) for source in rung]
        instead = {one for one, each in passed.items() if each.source in rung}
        here = sorted({one for who in coming for one in who or ()} - seen | instead)
        seen.update(here)
        if here and None not in coming:
            placed.append(BracketPlace(first, last, tuple(here)))
    return tuple(placed)


def rung_places(plan: Plan, state: State) -> list[tuple[int, int]]:
    """The first and the last of the places that each rung shares, as far as it is known who comes there."""
    found = []
    first = 1
    for rung in plan.rungs:
        size = sum(_size(source, _coming(source, state), state) for source in rung)
        found.append((first, first + size - 1))
        first += size
    return found


def open_rungs(
    plan: Plan, state: State, losing: Collection[int] = (), *, ranks_passed_over: bool = True
) -> dict[int, set[int]]:
    """By contestant, the indices of the rungs that they can still come to; somebody who is out has one.

    Each side of an open match can win it but for those who are `losing`. With `ranks_passed_over` (as in
    `ranking`) whoever went on before a correction can't come to the rung of those who lost before.
    """
    going_on: dict[str, set[int]] = {}
    going_out: dict[str, set[int]] = {}
    for slot, standing in state.items():
        if standing.winner is not None:
            going_on[slot], going_out[slot] = {standing.winner} - {NOBODY}, {*standing.losers}
            continue
        sides: set[int] = set()
        for who, source in zip(standing.sides, standing.node.sources, strict=True):
            if who is not None:
                sides.add(who)
                continue
            if source.kind is not SectionKind.LOSER:
                sides |= going_on[source.slot]
            if source.kind is not SectionKind.WINNER:
                sides |= going_out[source.slot]
        sides.discard(NOBODY)
        going_on[slot] = sides.difference(losing) if standing.is_match else sides
        going_out[slot] = sides if standing.is_match else set()
    went_on = _went_on(state) if ranks_passed_over else set()
    found: dict[int, set[int]] = {}
    for index, rung in enumerate(plan.rungs):
        for source in rung:
            coming: Iterable[int] | None = _coming(source, state)
            if coming is None:
                after = going_on if source.kind is SectionKind.WINNER else going_out
                coming = after[source.slot].union(_never_came(state[source.slot], state))
            for one in coming:
                if source.kind is SectionKind.WINNER or (source.slot, one) not in went_on:
                    found.setdefault(one, set()).add(index)
    return found


def _all_rungs(
    plan: Plan, state: State, losing: Collection[int], *, ranks_passed_over: bool
) -> dict[int, set[int]]:
    """`open_rungs`, and of whoever is passed over the one of those with whom they share a place."""
    rungs = open_rungs(plan, state, losing, ranks_passed_over=ranks_passed_over)
    if not ranks_passed_over:
        return rungs
    return rungs | {
        one: {index for index, rung in enumerate(plan.rungs) if each.source in rung}
        for one, each in passed_over(plan, state, rungs).items()
    }


def best_places(
    plan: Plan,
    state: State,
    contestants: Collection[int],
    gone: Collection[int],
    ranked_last: Collection[int],
    *,
    ranks_passed_over: bool = True,
) -> dict[int, int]:
    """The best place that each of `contestants` can still come to, but for those in `ranked_last`, who stand
    behind them all. Who is `gone` doesn't win any more.
    """
    rungs = _all_rungs(plan, state, gone, ranks_passed_over=ranks_passed_over)
    behind = [min(rungs[one]) for one in ranked_last if one in rungs]
    firsts = [first for first, _ in rung_places(plan, state)]
    ranked = [one for one in contestants if one not in ranked_last]
    best = {one: min(rungs[one]) for one in ranked if one in rungs}
    return {
        one: firsts[best[one]] - sum(each < best[one] for each in behind) if one in best else len(best) + 1
        for one in ranked
    }


def open_places(
    plan: Plan,
    state: State,
    contestants: Collection[int],
    gone: Collection[int],
    ranked_last: Collection[int],
    *,
    ranks_passed_over: bool = True,
) -> OpenPlaces:
    """The places of `contestants` but for those in `ranked_last`, who stand behind them all.

    Where nobody who is `gone` has a match ahead, and no correction has changed who should be in one, they are
    exact. Otherwise none that can be taken is missing.
    """
    known = _all_rungs(plan, state, (), ranks_passed_over=ranks_passed_over)
    rungs = {one: set[int]() for one in contestants} | known
    ahead = {one for one in gone if len(rungs.get(one, ())) != 1}
    is_regular = (
        all(rungs.values())
        and not any(len(each.losers) > 1 or each.is_changed for each in state.values())
        and not any(each.is_open and each.outcome is not None for each in state.values())
    )
    if is_regular and len(ahead) < 2 and ahead.isdisjoint(ranked_last):
        behind = [max(rungs[one]) for one in ranked_last]
        shared = []
        for index, (first, last) in enumerate(rung_places(plan, state)):
            first -= sum(each < index for each in behind)
            shared.append(OpenPlace(first, first, last - sum(each <= index for each in behind)))
        places = {one: frozenset(shared[index] for index in here) for one, here in rungs.items()}
        return OpenPlaces({one: places[one] for one in contestants if one not in ranked_last}, not ahead)
    # Two who are gone can meet, and then nobody goes on; whoever has no rung stands behind all who have.
    for one, here in rungs.items():
        if not here or one in ahead:
            here.update(range(min(here, default=0), len(plan.rungs) + 1))
    ranked = [one for one in contestants if one not in ranked_last]
    best = {one: min(rungs[one]) for one in ranked}
    worst = Counter(max(rungs[one]) for one in ranked)
    can_be_ahead = [sum(each < index for each in best.values()) for index in range(len(plan.rungs) + 2)]
    found = {}
    for one in ranked:
        found[one] = frozenset(
            OpenPlace(
                1 + sum(number for each, number in worst.items() if each < index),
                1 + can_be_ahead[index] - (best[one] < index),
                can_be_ahead[index + 1],
            )
            for index in rungs[one]
        )
    return OpenPlaces(found, is_exact=False)


def _coming(source: BracketSource, state: State) -> Sequence[int] | None:
    """Who comes from there; None while it is open."""
    standing = state[source.slot]
    if source.kind is SectionKind.WINNER:
        if standing.winner is None:
            return None
        return (standing.winner,) if standing.winner else ()
    never_came = _never_came(standing, state)
    if not standing.is_match:
        return never_came
    return None if standing.is_open else (*standing.losers, *never_came)


def _never_came(standing: BracketStatus, state: State) -> list[int]:
    """Two who were gone both lost, and neither went on to this match that waited for the loser."""
    before = [each for each in standing.node.sources if each.kind is SectionKind.LOSER]
    return [one for each in before if len(lost := state[each.slot].losers) > 1 for one in lost]


def _size(source: BracketSource, who: Sequence[int] | None, state: State) -> int:
    """How many come from there, or will."""
    if who is not None:
        return len(who)
    return 1 if source.kind is SectionKind.WINNER or state[source.slot].is_match else 0
