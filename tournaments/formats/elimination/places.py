"""The places that a bracket decides."""

from collections.abc import Sequence
from dataclasses import dataclass

from .plan import BracketSource, Plan, SectionKind, SectionPart
from .state import State
from .titles import Title


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """Contestants who share the places from `first` to `last`; one who has a place alone has both equal."""

    first: int
    last: int
    contestants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LastMatch:
    """The last match of somebody who has a place: what is played in it, whether it was won, and who the
    other was (None where both lost it).
    """

    title: Title
    is_won: bool
    other: int | None


def last_matches(plan: Plan, state: State) -> dict[int, LastMatch]:
    """By what match each who has a place has it; nobody who never had an opponent is there."""
    placed = {one for place in ranking(plan, state) for one in place.contestants}
    found: dict[int, LastMatch] = {}
    for standing in state.values():
        if not standing.is_match or standing.is_open:
            continue
        node, winner = standing.node, standing.winner or None
        title = node.name if node.part is SectionPart.PLACES else plan.rounds[node.part, node.round]
        for one in standing.losers:
            found[one] = LastMatch(title, False, winner)
        if winner is not None:
            found[winner] = LastMatch(title, True, next(iter(standing.losers), None))
    return {one: each for one, each in found.items() if one in placed}


def ranking(plan: Plan, state: State) -> tuple[BracketPlace, ...]:
    """The places that are decided, the best first; whoever is still to be placed isn't there.

    Those who go out in the same round share its places, and have them once that round is over. After a
    correction somebody can be in a later match who has lost the earlier one: the later one gives their place,
    and the place of the earlier one stays open for who should have been there instead.
    """
    placed = []
    seen: set[int] = set()
    first = 1
    for rung in plan.rungs:
        coming = [_coming(source, state) for source in rung]
        size = sum(_size(source, who, state) for source, who in zip(rung, coming, strict=True))
        here = sorted({one for who in coming for one in who or ()} - seen)
        seen.update(here)
        if here and None not in coming:
            placed.append(BracketPlace(first, first + size - 1, tuple(here)))
        first += size
    return tuple(placed)


def _coming(source: BracketSource, state: State) -> Sequence[int] | None:
    """Who comes from there; None while it is open."""
    standing = state[source.slot]
    if source.kind is SectionKind.WINNER:
        if standing.winner is None:
            return None
        return (standing.winner,) if standing.winner else ()
    # Two who were gone both lost, and neither went on to the match that waited for the loser.
    before = [each for each in standing.node.sources if each.kind is SectionKind.LOSER]
    never_came = [one for each in before if len(lost := state[each.slot].losers) > 1 for one in lost]
    if not standing.is_match:
        return never_came
    return None if standing.is_open else (*standing.losers, *never_came)


def _size(source: BracketSource, who: Sequence[int] | None, state: State) -> int:
    """How many come from there, or will."""
    if who is not None:
        return len(who)
    return 1 if source.kind is SectionKind.WINNER or state[source.slot].is_match else 0
