"""Penalties for prompting and for a wrong card, and the gift of a 0."""

from typing import Final

from games.engine.cards import Card
from games.engine.events import PenaltyGiven, ZeroGift
from games.engine.refusals import Refusal
from games.engine.state import AFTER_DRAW, ANSWER, DRAW, PENALTY, PENALTY_ENDS_TURN, PLAY, TABLE_PHASES, State
from games.engine.transitions.draws import refuse_owing
from games.engine.transitions.effects import hit_reason
from games.engine.transitions.flow import owe, settle
from games.engine.transitions.hands import check_copies
from games.engine.transitions.transition_types import Handles
from games.engine.transitions.turns import check_turn

GIFT_CARDS: Final = 4


def check_penalty(state: State, event: PenaltyGiven) -> None:
    """A penalty that the rule set has, for somebody who plays; a wrong card only for who is to move.

    One that the rule set doesn't have is refused as that, whoever it is for.
    """
    seat = event.seat
    is_prompting = event.reason == "prompting"
    if state.phase == DRAW and not is_prompting:
        refuse_owing(state, event)
    if is_prompting and not state.ruleset.prompting_penalty:
        raise Refusal("not-in-ruleset", "these rules have no penalty for prompting", rule="prompting_penalty")
    if not is_prompting and not state.ruleset.wrong_card_penalty:
        raise Refusal(
            "not-in-ruleset",
            "these rules have no penalty for a wrong card: it is just taken back",
            rule="wrong_card_penalty",
        )
    if seat in state.left or (state.out is not None and not state.held(seat)):
        raise Refusal("out-of-order", "{seat:seat} is out: penalties are for who still plays", seat=seat)
    if is_prompting:
        return
    check_turn(state, seat)
    card = event.card
    if card is not None and card not in state.known[seat]:
        if not state.unknown[seat]:
            raise Refusal(
                "card-not-held",
                "{seat:seat} doesn't hold {card:card}: all cards of that hand are known",
                seat=seat,
                card=card,
            )
        check_copies(state, (card,))


def evolve_penalty(state: State, event: PenaltyGiven) -> None:
    """The cards are owed before anything else; a wrong card is known from now on, and may cost the turn."""
    seat = event.seat
    if event.reason == "prompting":
        owe(state, seat, state.ruleset.prompting_penalty, PENALTY)
        settle(state)
        return
    card = event.card
    if card is not None and card not in state.known[seat]:
        _name(state, seat, card)
    reason = PENALTY
    if state.ruleset.wrong_card_ends_turn:
        if state.phase in (PLAY, AFTER_DRAW):
            reason = PENALTY_ENDS_TURN
        elif state.phase == ANSWER:
            owe(state, seat, state.awaited_hit().total, hit_reason(state))
            state.hit = None
            state.waiting = PLAY
    owe(state, seat, state.ruleset.wrong_card_penalty, reason)
    settle(state)


def _name(state: State, seat: int, card: Card) -> None:
    """One of the unknown cards of a seat is known from now on; it may be the one just drawn unseen."""
    if state.phase == AFTER_DRAW and state.drawn is None:
        if state.unknown[seat] == 1 and not state.named:
            state.drawn = card
        else:
            state.named.append(card)
    state.unknown[seat] -= 1
    state.known[seat].append(card)
    state.seen[card] += 1


def check_gift(state: State, event: ZeroGift) -> None:
    """By who played a 0, to a relative at the table, before the next player acts."""
    if not state.ruleset.zero_gift:
        raise Refusal("not-in-ruleset", "these rules have no gift after a 0", rule="zero_gift")
    if state.gift != (event.seat, state.last_act):
        if state.phase == DRAW:
            refuse_owing(state, event)
        raise Refusal(
            "out-of-order",
            "{seat:seat} hasn't just played a 0, or has had somebody draw for it already",
            seat=event.seat,
        )
    pair = (event.seat, event.to)
    if event.to in state.left or (pair not in state.kin and pair[::-1] not in state.kin):
        raise Refusal(
            "not-kin",
            "{to:seat} and {seat:seat} are no declared relatives at this table",
            to=event.to,
            seat=event.seat,
            rule="zero_gift",
        )


def evolve_gift(state: State, event: ZeroGift) -> None:
    """The relative draws, before anything else."""
    state.gift = None
    owe(state, event.to, GIFT_CARDS, PENALTY)
    settle(state)


HANDLES: Final[Handles] = {
    PenaltyGiven: dict.fromkeys(TABLE_PHASES, (check_penalty, evolve_penalty)),
    ZeroGift: dict.fromkeys(TABLE_PHASES, (check_gift, evolve_gift)),
}
