"""Events between the moves: a forgotten UNO, prompting, wrong cards, the gift of a 0, and all others."""

from games.engine.bots.choosing import any_of
from games.engine.bots.draw_pile import Random
from games.engine.bots.styles import Style
from games.engine.cards import Card
from games.engine.events import Event, PenaltyGiven, UnoCalled, UnoCaught, ZeroGift
from games.engine.legal import ASIDES, legal_asides
from games.engine.state import DRAW, TABLE_PHASES, State
from games.engine.transitions import refusal_of

_OTHERS = [cls for cls in ASIDES if cls not in (UnoCalled, UnoCaught, PenaltyGiven, ZeroGift)]


def other(state: State, style: Style, random: Random) -> Event | None:
    """An event of a type that bots have no opinion on: any that is legal, or None."""
    for cls in _OTHERS:
        events = legal_asides(state, cls)
        if events and random() < style.others:
            return any_of(random, events)
    return None


def said_after_play(state: State, style: Style, random: Random) -> Event | None:
    """What somebody says or does about the last card played though it is no move, or None."""
    if state.phase not in TABLE_PHASES:
        return None
    if state.missed and random() < style.notices_uno:
        return _uno(state, random)
    if state.gift is not None and random() < style.gives:
        return _gift(state, random)
    return None


def _uno(state: State, random: Random) -> Event:
    """Who forgot says it after all, if that is in time; or is caught, by somebody or by the referee."""
    seat = state.missed[-1][0]
    call = UnoCalled(seat)
    if random() < 0.5 and refusal_of(state, call) is None:
        return call
    others = [other for other in state.active() if other != seat]
    return UnoCaught(seat, any_of(random, [*others, None]))


def _gift(state: State, random: Random) -> ZeroGift | None:
    """Who just played a 0 has a relative draw."""
    if state.gift is None or state.gift[1] != state.last_act:
        return None
    seat = state.gift[0]
    kin = [one if other == seat else other for one, other in state.kin if seat in (one, other)]
    present = [other for other in kin if other not in state.left]
    return ZeroGift(seat, any_of(random, present)) if present else None


def slip(state: State, random: Random) -> PenaltyGiven | None:
    """Somebody prompts, or who is to move lays a wrong card: one that doesn't fit, named or not.

    None where the rules make nobody draw for it, and before the first turn.
    """
    turn = state.turn
    ruleset = state.ruleset
    if turn is None:
        return None
    if ruleset.wrong_card_penalty and state.phase != DRAW and random() < 0.5:
        # Before a colour is named, nothing fits.
        fitting = state.fitting() if state.color is not None else frozenset[Card]()
        wrong = [card for card in state.known[turn] if card not in fitting]
        return PenaltyGiven(turn, "wrong_card", any_of(random, [*wrong[:1], None]))
    if not ruleset.prompting_penalty:
        return None
    seat = any_of(random, state.active())
    # Who is out can't be penalized.
    return PenaltyGiven(seat, "prompting") if state.out is None or state.held(seat) else None
