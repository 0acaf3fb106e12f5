"""Effects of a card, and which draw cards can answer each other."""

from collections.abc import Callable
from typing import Final

from games.engine.cards import (
    COLOR,
    DRAW_TWO,
    NUMBER,
    NUMBERS,
    REVERSE,
    SKIP,
    SYMBOL,
    WILD,
    WILD_FOUR,
    Card,
    Color,
)
from games.engine.events import CardsPlayed
from games.engine.state import ANSWER, HIT, HIT_THEN_PLAY, Hit, State
from games.engine.transitions.closing import end_deal
from games.engine.transitions.flow import act, begin_turn, owe, settle

_TWO, _FOUR = 2, 4


def is_burn(cards: tuple[Card, ...]) -> bool:
    """Whether these are exactly two cards of the same number and colour."""
    return len(cards) == 2 and cards[0] == cards[1] and NUMBER[cards[0]] is not None


def land(state: State, event: CardsPlayed) -> None:
    """Cards that have left the hand lie on the discards, and the last one takes effect."""
    seat = event.seat
    cards = event.cards
    card = cards[-1]
    state.last_act = state.turns
    if state.missed:
        act(state)
    under, color = state.top, state.color
    state.discards.extend(cards)
    state.top = card
    state.color = COLOR[card] or event.color
    if state.ruleset.zero_gift:
        state.gift = (seat, state.turns) if NUMBER[card] == 0 else None
    held = len(state.known[seat]) + state.unknown[seat]
    if held == 1 and not event.uno:
        state.missed.append((seat, state.turns))
    elif held == 0:
        # Only the first in a deal has won it.
        state.out = seat if state.out is None else state.out
        state.missed = [(other, turn) for other, turn in state.missed if other != seat]
        if not (state.ruleset.final_draw and state.is_draw_card(card)):
            # Whose turn comes next is settled all the same: where play goes on, the card's effect stands.
            effect = _go_on if state.is_draw_card(card) else _effect(state, cards)
            effect(state, seat)
            end_deal(state)
            return
    if card == WILD_FOUR:
        _hit_by_wild_four(state, seat, color, under)
    else:
        _effect(state, cards)(state, seat)


def _effect(state: State, cards: tuple[Card, ...]) -> Callable[[State, int], None]:
    if len(cards) > 1 and state.ruleset.burn and is_burn(cards):
        return _skip
    return _EFFECTS[SYMBOL[cards[-1]]]


def _go_on(state: State, seat: int) -> None:
    begin_turn(state, state.next_seat(seat))


def _skip(state: State, seat: int) -> None:
    begin_turn(state, state.next_seat(state.next_seat(seat)))


def _reverse(state: State, seat: int) -> None:
    if not state.two_left():
        state.direction = -state.direction
        begin_turn(state, state.next_seat(seat))
    elif state.ruleset.reverse_with_two == "skip":
        begin_turn(state, seat)
    else:
        begin_turn(state, state.next_seat(seat))


# Draw cards


def can_answer(state: State, on_four: bool, card: Card) -> bool:
    """Whether by the rules a draw card can answer the one that hit (`on_four`: a Wild Draw Four)."""
    if state.out is not None and not _can_pass_on(state):
        return False
    allowed: bool = getattr(state.ruleset, _field_of_answer(on_four, card))
    return allowed


def _can_pass_on(state: State) -> bool:
    """Whether the seat that was hit after somebody went out can hit another seat in its turn.

    Who holds no cards is out and is passed over. Where nobody else is left, an answer would come back to who
    gives it. So it is between two players, and at a larger table once all others are out.
    """
    holding = sum(state.held(seat) > 0 for seat in state.active())
    return state.ruleset.stack_on_last_card and holding > 1


def rule_of_answer(state: State, on_four: bool, card: Card) -> str:
    """The field of the rule set that keeps a draw card from answering the one that hit."""
    if state.out is not None and not _can_pass_on(state):
        return "stack_on_last_card"
    return _field_of_answer(on_four, card)


def _field_of_answer(on_four: bool, card: Card) -> str:
    """The field that says whether such a draw card can answer such another."""
    if card == WILD_FOUR:
        return "wild_four_on_wild_four" if on_four else "wild_four_on_draw_two"
    return "draw_two_on_wild_four" if on_four else "draw_two_stacks"


def hit_by_draw_two(state: State, seat: int) -> None:
    """The next player has to draw two (and what was owed before), or may answer."""
    total = _TWO if state.hit is None else _TWO + state.hit.total
    _hit(state, Hit(seat, total, four=False))


def _hit_by_wild_four(state: State, seat: int, color: Color | None, under: Card | None) -> None:
    """The next player has to draw four (and what was owed before), may answer, or challenge."""
    answered = state.hit
    hit = Hit(
        seat,
        _FOUR if answered is None else _FOUR + answered.total,
        four=True,
        answers=answered is not None,
        color=color,
        first_color=answered.first_color if answered is not None and answered.four else color,
        top=under,
        unknown=state.unknown[seat],
        known=tuple(state.known[seat]),
    )
    _hit(state, hit)


def _hit(state: State, hit: Hit) -> None:
    target = victim(state, hit.offender)
    if target is None:
        # Nobody is left to draw, and the turn is over all the same: where play goes on, the next seat plays.
        _go_on(state, hit.offender)
        end_deal(state)
        return
    begin_turn(state, target)
    if (hit.four and state.ruleset.challenge) or can_be_answered(state, hit.four):
        state.hit = hit
        state.waiting = ANSWER
    else:
        owe(state, target, hit.total, hit_reason(state))
        settle(state)


def victim(state: State, seat: int) -> int | None:
    """Who is hit: the next player, but nobody who is out; None if all others are."""
    target = state.next_seat(seat)
    if state.out is not None:
        for _ in state.seats:
            if state.held(target):
                return target
            target = state.next_seat(target)
        return None
    return target


def can_be_answered(state: State, four: bool) -> bool:
    """Whether by the rules some draw card can answer the one that hit (`four`: a Wild Draw Four)."""
    return any(can_answer(state, four, card) for card in ("R+2", WILD_FOUR))


def hit_reason(state: State) -> str:
    """Why the victim of the draw card on top owes: with its turn, or before it."""
    return HIT if state.top == WILD_FOUR or state.ruleset.draw_two_skips else HIT_THEN_PLAY


_EFFECTS: Final[dict[str, Callable[[State, int], None]]] = {
    **dict.fromkeys((*NUMBERS, WILD), _go_on),
    SKIP: _skip,
    REVERSE: _reverse,
    DRAW_TWO: hit_by_draw_two,
}
