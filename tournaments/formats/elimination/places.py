"""The places that a bracket decides."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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
    """

    title: Title
    is_won: bool
    other: int | None
    is_walkover: bool = False


def last_matches(plan: Plan, state: State) -> dict[int, LastMatch]:
    """By what match each whose place is settled has it; nobody who never had an opponent is there."""
    placed = {one for one, rungs in open_rungs(plan, state).items() if len(rungs) == 1}
    found: dict[int, LastMatch] = {}
    for standing in state.values():
        if not standing.is_match or standing.is_open:
            continue
        node, winner = standing.node, standing.winner or None
        walkover = standing.outcome is not None and standing.outcome.walkover
        title = node.name if node.part is SectionPart.PLACES else plan.rounds[node.part, node.round]
        for one in standing.losers:
            found[one] = LastMatch(title, False, winner, walkover)
        if winner is not None:
            found[winner] = LastMatch(title, True, next(iter(standing.losers), None), walkover)
    return {one: each for one, each in found.items() if one in placed}


def ranking(plan: Plan, state: State) -> tuple[BracketPlace, ...]:
    """The places that are decided, the best first; whoever is still to be placed isn't there.

    Those who go out in the same round share its places, and have them once that round is over. After a
    correction somebody can be in a later match who has lost the earlier one: the later one gives their place,
    and the place of the earlier one stays open for who should have been there instead.
    """
    placed = []
    seen: set[int] = set()
    for rung, (first, last) in zip(plan.rungs, rung_places(plan, state), strict=True):
        coming = [_coming(source, state) for source in rung]
        here = sorted({one for who in coming for one in who or ()} - seen)
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


def open_rungs(plan: Plan, state: State, losing: Collection[int] = ()) -> dict[int, set[int]]:
    """By contestant, the indices of the rungs that they can still come to; somebody who is out has one.

    Each side of an open match can win it but for those who are `losing`.
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
    found: dict[int, set[int]] = {}
    for index, rung in enumerate(plan.rungs):
        for source in rung:
            coming: Iterable[int] | None = _coming(source, state)
            if coming is None:
                after = going_on if source.kind is SectionKind.WINNER else going_out
                coming = after[source.slot].union(_never_came(state[source.slot], state))
            for one in coming:
                found.setdefault(one, set()).add(index)
    return found


def best_places(
    plan: Plan,
    state: State,
    contestants: Collection[int],
    gone: Collection[int],
    ranked_last: Collection[int],
) -> dict[int, int]:
    """The best place that each of `contestants` can still come to, but for those in `ranked_last`, who stand
    behind them all. Who is `gone` doesn't win any more.
    """
    rungs = open_rungs(plan, state, gone)
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
) -> OpenPlaces:
    """The places of `contestants` but for those in `ranked_last`, who stand behind them all.

    Where nobody who is `gone` has a match ahead, and no correction has changed who should be in one, they are
    exact. Otherwise none that can be taken is missing.
    """
    rungs = {one: set[int]() for one in contestants} | open_rungs(plan, state)
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
