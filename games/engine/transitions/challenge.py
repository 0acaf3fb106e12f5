"""Challenging a Wild Draw Four: who may, what the known cards prove, and who draws."""

from collections.abc import Iterable
from typing import Final, NoReturn

from games.engine.cards import CARDS, DRAW_TWO, OF_COLOR, SYMBOL, WILD_FOUR, Card, Color, missing
from games.engine.events import ChallengeMade
from games.engine.refusals import Refusal
from games.engine.state import ANSWER, DRAW, HIT, PENALTY, PLAY, Hit, ImpossibleStateError, State
from games.engine.transitions.flow import act, begin_turn, owe, settle
from games.engine.transitions.hands import check_copies, check_hand, reveal
from games.engine.transitions.transition_types import UNDER_WAY, Handles, never
from games.engine.translations import mark

_WILD_FOUR_CARDS: Final = 4


_DRAW_TWOS: Final = frozenset(card for card in CARDS if SYMBOL[card] == DRAW_TWO)


def _forbidding(state: State, color: Color | None, top: Card | None) -> frozenset[Card]:
    """The cards that make a Wild Draw Four illegal, where one of them is held beside it."""
    if color is None or top is None:
        raise ImpossibleStateError(f"a Wild Draw Four is judged on {top} in {color}")
    if state.ruleset.wild_four_condition == "no_color_match":
        return OF_COLOR[color]
    return state.fitting(color, top) - {WILD_FOUR}


def four_is_legal(state: State, color: Color | None, top: Card | None, rest: Iterable[Card]) -> bool:
    """Whether a Wild Draw Four is legal on this card and colour, with the rest of the hand fully known."""
    return _forbidding(state, color, top).isdisjoint(rest)


def _forbidding_hit(state: State, hit: Hit) -> frozenset[Card]:
    """As `_forbidding`, for one that was played, perhaps as an answer to another draw card."""
    ruleset = state.ruleset
    if not hit.answers:
        return _forbidding(state, hit.color, hit.top)
    if ruleset.stacked_wild_four_free:
        return frozenset()
    if ruleset.wild_four_condition == "no_playable_card":
        # Nothing else that could answer: that is only ever a Draw Two.
        answered_four = hit.top == WILD_FOUR
        could = ruleset.draw_two_on_wild_four if answered_four else ruleset.draw_two_stacks
        return _DRAW_TWOS if could else frozenset()
    before_first = ruleset.stacked_wild_four_color == "before_first"
    return _forbidding(state, hit.first_color if before_first else hit.color, hit.top)


def check_challenge(state: State, event: ChallengeMade) -> None:
    """In `answer`: by the seat that would draw, with a hand and a verdict that agree with what is known."""
    hit = state.hit
    if hit is None or not state.challengeable() or event.seat != state.player:
        refuse_challenge(state, event)
    offender = hit.offender
    known, unknown = state.known[offender], state.unknown[offender]
    if event.hand is not None:
        check_copies(state, missing(event.hand, known))
        check_hand(state, offender, event.hand)
        known, unknown = list(event.hand), 0
    proven = proven_verdict(state, hit, known, unknown)
    if proven is not None and proven != event.upheld:
        free = hit.answers and state.ruleset.stacked_wild_four_free
        raise Refusal(
            "verdict",
            mark("{seat:seat} held a card that forbids {four:card}: the challenge is upheld")
            if proven
            else mark("{seat:seat} held nothing that forbids {four:card}: the challenge fails"),
            seat=offender,
            four=WILD_FOUR,
            rule="stacked_wild_four_free" if free else "wild_four_condition",
        )


def proven_verdict(state: State, hit: Hit, known: Iterable[Card], unknown: int) -> bool | None:
    """What the offender's hand as known now proves: True that the play was illegal, False that it was legal.

    Where nothing forbids the card it is legal with any hand.
    Judged is the hand beside the card when it was played. Cards drawn since don't count, so of those that
    came to be known later as many may be innocent as were drawn unseen.
    """
    forbidden = _forbidding_hit(state, hit)
    if not forbidden:
        return False
    if not forbidden.isdisjoint(hit.known):
        return True
    learned = missing(missing(known, hit.known), hit.drawn)
    suspicious = sum(card in forbidden for card in learned)
    if suspicious > hit.drawn_unknown:
        return True
    if hit.unknown == 0 or (unknown == 0 and suspicious == 0):
        return False
    return None


def refuse_challenge(state: State, event: ChallengeMade) -> NoReturn:
    """A challenge that can't be made now."""
    if not state.ruleset.challenge:
        raise Refusal(
            "no-challenge", "by these rules nobody challenges {four:card}", four=WILD_FOUR, rule="challenge"
        )
    if not state.challengeable():
        raise Refusal("no-challenge", "there is no {four:card} now that can be challenged", four=WILD_FOUR)
    raise Refusal(
        "no-challenge",
        "{seat:seat} would draw: nobody else can challenge, and only before drawing",
        seat=state.player,
    )


def must_draw(state: State) -> Refusal:
    """In `draw`: the refusal for anything but the draw that is owed."""
    return Refusal(
        "must-draw",
        "first {seat:seat} has to draw {owed:count}",
        seat=state.debts[-1].seat,
        owed=state.owed,
    )


def check_challenge_owing(state: State, event: ChallengeMade) -> None:
    """In `draw`: one that will be possible waits for the penalty's draw; any other never can be."""
    if state.challengeable() and event.seat == state.player:
        raise must_draw(state)
    refuse_challenge(state, event)


def evolve_challenge(state: State, event: ChallengeMade) -> None:
    """The challenger has acted: now the offender draws the four, or the challenger more than that."""
    hit, challenger = state.awaited_hit(), event.seat
    act(state)
    if event.hand is not None:
        reveal(state, hit.offender, event.hand)
    state.hit = None
    state.waiting = PLAY
    if event.upheld:
        if state.ruleset.challenge_upheld == "taken_back":
            _take_back(state, hit)
        owe(state, hit.offender, hit.total, PENALTY)
    else:
        extra = state.ruleset.challenge_failed_cards - _WILD_FOUR_CARDS
        owe(state, challenger, hit.total + extra, HIT)
    settle(state)


def _take_back(state: State, hit: Hit) -> None:
    """The card goes back to the offender's hand, whose turn goes on: another card has to be played."""
    state.discards.pop()
    state.known[hit.offender].append(WILD_FOUR)
    state.top, state.color = hit.top, hit.color
    state.missed = [(seat, turn) for seat, turn in state.missed if seat != hit.offender]
    begin_turn(state, hit.offender)
    state.taken_back = True
    state.can_draw_instead = not _forbidding_hit(state, hit) <= state.fitting()


HANDLES: Final[Handles] = {
    ChallengeMade: {
        **dict.fromkeys(UNDER_WAY, (refuse_challenge, never)),
        ANSWER: (check_challenge, evolve_challenge),
        DRAW: (check_challenge_owing, never),
    },
}
