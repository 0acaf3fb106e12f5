"""A turn: playing a card, what the card does, and passing."""

from collections.abc import Callable

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
    WILDS,
    Card,
)
from games.engine.events import CardsPlayed, TurnPassed
from games.engine.refusals import Refusal
from games.engine.state import ANSWER, HIT, HIT_THEN_PLAY, Hit, State
from games.engine.transitions.challenge import four_is_legal
from games.engine.transitions.closing import end_deal
from games.engine.transitions.flow import act, begin_turn, end_turn, owe, settle
from games.engine.transitions.hands import too_many_copies


def not_your_turn(state: State, seat: int) -> Refusal:
    """The refusal for a move by another seat."""
    return Refusal("not-your-turn", f"it is seat {state.player}'s turn, not seat {seat}'s")


# What is legal


def check_play(state: State, event: CardsPlayed) -> None:
    """In `play`: any card held that goes on the pile."""
    card = _check_form(state, event)
    fresh = _check_held(state, event.seat, card)
    _check_lands(state, event.seat, card, fresh)


def check_play_drawn(state: State, event: CardsPlayed) -> None:
    """In `after_draw`: the drawn card, and no other. One drawn unseen is whatever is played."""
    card = _check_form(state, event)
    drawn = state.drawn
    if drawn is not None and card != drawn:
        raise Refusal("only-drawn-card", f"seat {event.seat} drew {drawn} and can play only that, or pass")
    _check_lands(state, event.seat, card, drawn is None)


def check_answer(state: State, event: CardsPlayed) -> None:
    """In `answer`: a draw card, where the rule set lets it go on the one that hit."""
    card = _check_form(state, event)
    if state.is_draw_card(card):
        raise Refusal(
            "not-in-ruleset",
            f"by these rules {state.top} can't be answered with {card}: draw, or challenge",
        )
    _check_held(state, event.seat, card)
    raise Refusal("no-match", f"{card} is no draw card: draw {state.owed}, or challenge")


def _check_form(state: State, event: CardsPlayed) -> Card:
    """The seat's turn, a colour where there must be one, and cards that go together; gives the card."""
    if event.seat != state.player:
        raise not_your_turn(state, event.seat)
    cards = event.cards
    card = cards[0]
    if card in WILDS if len(cards) == 1 else not WILDS.isdisjoint(cards):
        if event.color is None:
            raise Refusal("needs-color", "who plays a Wild names the colour: `color` R, Y, G or B")
    elif event.color is not None:
        raise Refusal("takes-no-color", f"{card} has its own colour; `color` is only for a Wild")
    if len(cards) > 1:
        _check_together(cards)
    return card


def _check_together(cards: tuple[Card, ...]) -> None:
    if len(cards) == 2 and cards[0] == cards[1] and NUMBER[cards[0]] is not None:
        raise Refusal("not-in-ruleset", "two identical cards together need the rule `burn`")
    raise Refusal("cards-not-together", "one card is played in a turn")


def _check_held(state: State, seat: int, card: Card) -> bool:
    """Whether a card that the seat can hold is seen for the first time."""
    if card in state.known[seat]:
        return False
    if not state.unknown[seat]:
        raise Refusal("card-not-held", f"seat {seat} doesn't hold {card}; all its cards are known")
    return True


def _check_lands(state: State, seat: int, card: Card, fresh: bool) -> None:
    if card not in state.fitting():
        raise Refusal(
            "no-match",
            f"{card} doesn't go on {state.top}: colour {state.color}, the same number or symbol, or a Wild",
        )
    if not state.ruleset.finish_on_action and NUMBER[card] is None and state.held(seat) == 1:
        raise Refusal("finish-on-action", f"{card} is seat {seat}'s last card, which has to be a number")
    if fresh and state.seen[card] >= state.limit[card]:
        raise too_many_copies(state, card)


def must_play(state: State, seat: int) -> Card | None:
    """A card known to be in the hand that the seat has to play rather than draw, if there is one.

    A Wild Draw Four counts only when the whole hand is known: then, with nothing else to play, it is legal.
    """
    if state.ruleset.voluntary_draw:
        return None
    fitting = state.fitting()
    known = state.known[seat]
    if fitting.isdisjoint(known):
        return None
    last_action = not state.ruleset.finish_on_action and state.held(seat) == 1
    for card in known:
        if card in fitting and not (last_action and NUMBER[card] is None):
            if card != WILD_FOUR:
                return card
            if not state.unknown[seat]:
                return card
    return None


def check_pass_drawn(state: State, event: TurnPassed) -> None:
    """In `after_draw`: the drawn card is kept, unless it has to be played."""
    if event.seat != state.player:
        raise not_your_turn(state, event.seat)
    card = state.drawn
    if state.ruleset.drawn_card != "must_play" or card is None or card not in state.fitting():
        return
    if not state.ruleset.finish_on_action and NUMBER[card] is None and state.held(event.seat) == 1:
        return
    if card == WILD_FOUR and not _four_known_legal(state, event.seat):
        return
    raise Refusal("must-play-drawn", f"{card} was drawn and can be played, so it must be")


def _four_known_legal(state: State, seat: int) -> bool:
    rest = list(state.known[seat])
    rest.remove(WILD_FOUR)
    return not state.unknown[seat] and four_is_legal(state, state.color, state.top, rest)


def check_pass(state: State, event: TurnPassed) -> None:
    """In `play` and `answer`: only who can't draw, since there is nothing to be drawn, passes."""
    if event.seat != state.player:
        raise not_your_turn(state, event.seat)
    if state.pile or state.spare_discards():
        raise Refusal("may-not-pass", f"seat {event.seat} has to play or draw; a pass comes after a draw")
    if state.phase != ANSWER:
        card = must_play(state, event.seat)
        if card is not None:
            raise Refusal("must-play", f"seat {event.seat} holds {card} and has to play it")


def refuse_pass(state: State, event: TurnPassed) -> None:
    """A pass anywhere else."""
    raise Refusal("may-not-pass", f"nobody can pass in the phase {state.phase}: a pass comes after a draw")


def refuse_pass_in_turn(state: State, event: TurnPassed) -> None:
    """In `color`: a pass by the player whose turn it is, or by another."""
    if event.seat != state.player:
        raise not_your_turn(state, event.seat)
    refuse_pass(state, event)


# What follows


def evolve_play(state: State, event: CardsPlayed) -> None:
    """The card leaves the hand and lands."""
    seat = event.seat
    card = event.cards[0]
    known = state.known[seat]
    if card in known:
        known.remove(card)
    else:
        state.unknown[seat] -= 1
        state.seen[card] += 1
    _land(state, event, seat, card)


def evolve_play_drawn(state: State, event: CardsPlayed) -> None:
    """The drawn card leaves the hand and lands."""
    if state.drawn is not None:
        evolve_play(state, event)
        return
    seat = event.seat
    card = event.cards[0]
    state.unknown[seat] -= 1
    state.seen[card] += 1
    _land(state, event, seat, card)


def evolve_pass(state: State, event: TurnPassed) -> None:
    """The turn is over."""
    end_turn(state)


def _land(state: State, event: CardsPlayed, seat: int, card: Card) -> None:
    state.last_act = state.turns
    if state.missed:
        act(state)
    under, color_before = state.top, state.color
    state.discards.append(card)
    state.top = card
    state.color = COLOR[card] or event.color
    held = len(state.known[seat]) + state.unknown[seat]
    if held == 1:
        if not event.uno:
            state.missed.append((seat, state.turns))
    elif held == 0:
        state.out = seat
        state.missed = [(other, turn) for other, turn in state.missed if other != seat]
        if not (state.ruleset.final_draw and state.is_draw_card(card)):
            if SYMBOL[card] == REVERSE and not state.two_left():
                state.direction = -state.direction
            end_deal(state)
            return
    if card == WILD_FOUR:
        _hit_by_wild_four(state, seat, color_before, under)
    else:
        _EFFECTS[SYMBOL[card]](state, seat)


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


def hit_by_draw_two(state: State, seat: int) -> None:
    """The next player has to draw two."""
    target = state.next_seat(seat)
    begin_turn(state, target)
    owe(state, target, 2, HIT if state.ruleset.draw_two_skips else HIT_THEN_PLAY)
    settle(state)


def _hit_by_wild_four(state: State, seat: int, color: str | None, under: Card | None) -> None:
    target = state.next_seat(seat)
    begin_turn(state, target)
    if not state.ruleset.challenge:
        owe(state, target, 4, HIT)
        settle(state)
        return
    hit = Hit(seat, 4, four=True)
    hit.color = color
    hit.top = under
    hit.known = tuple(state.known[seat])
    hit.unknown = state.unknown[seat]
    state.hit = hit
    state.waiting = state.phase = ANSWER


_EFFECTS: dict[str, Callable[[State, int], None]] = {
    **dict.fromkeys((*NUMBERS, WILD), _go_on),
    SKIP: _skip,
    REVERSE: _reverse,
    DRAW_TWO: hit_by_draw_two,
}
