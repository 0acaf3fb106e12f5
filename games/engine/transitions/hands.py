"""Hands and piles: how cards come to be seen, held and drawn."""

from collections.abc import Sequence

from games.engine.cards import Card, missing
from games.engine.refusals import Refusal
from games.engine.state import State


def check_copies(state: State, fresh: Sequence[Card]) -> None:
    """Refusal `too-many-copies` if these cards, seen for the first time, are more than the packs hold."""
    if len(fresh) == 1:
        card = fresh[0]
        if state.seen[card] >= state.limit[card]:
            raise too_many_copies(state, card)
        return
    counted: dict[Card, int] = {}
    for card in fresh:
        counted[card] = counted.get(card, 0) + 1
        if state.seen[card] + counted[card] > state.limit[card]:
            raise too_many_copies(state, card)


def too_many_copies(state: State, card: Card) -> Refusal:
    """The refusal for a card of which all copies are elsewhere, or which was taken out of the packs."""
    if not state.limit[card]:
        return removed_card(card)
    return Refusal(
        "too-many-copies",
        "{card:card} is in the packs {limit:times}, and all are seen in hands and discards: look at it again",
        card=card,
        limit=state.limit[card],
    )


def removed_card(card: Card) -> Refusal:
    """The refusal for a Reverse where the rule set takes them out."""
    return Refusal(
        "too-many-copies",
        "{card:card} isn't in the packs: with two players all Reverses are taken out",
        card=card,
        rule="reverse_with_two",
    )


def check_hand(state: State, seat: int, cards: Sequence[Card]) -> None:
    """Refusal `impossible-hand` unless these can be all cards of that seat."""
    held = state.held(seat)
    if len(cards) != held:
        raise Refusal(
            "impossible-hand",
            "{seat:seat} holds {held:count}, not {given}",
            seat=seat,
            held=held,
            given=len(cards),
        )
    lacking = missing(state.known[seat], cards)
    if lacking:
        raise Refusal(
            "impossible-hand",
            "the hand lacks {cards:cards}, which {seat:seat} is known to hold",
            cards=lacking,
            seat=seat,
        )


def reveal(state: State, seat: int, cards: Sequence[Card]) -> None:
    """A whole hand is known from now on."""
    for card in missing(cards, state.known[seat]):
        state.seen[card] += 1
    state.known[seat] = list(cards)
    state.unknown[seat] = 0


def receive(state: State, seat: int, count: int, cards: tuple[Card, ...] | None) -> None:
    """Cards go from the draw pile to a hand, seen or not."""
    state.pile -= count
    hit = state.hit
    if cards is None:
        state.unknown[seat] += count
        if hit is not None and hit.offender == seat:
            hit.drawn_unknown += count
        return
    state.known[seat].extend(cards)
    for card in cards:
        state.seen[card] += 1
    if hit is not None and hit.offender == seat:
        hit.drawn.extend(cards)
