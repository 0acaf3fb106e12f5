"""A turn: what can be played, and passing."""

from collections.abc import Sequence
from typing import Final

from games.engine.cards import NUMBER, WILD_FOUR, WILDS, Card, missing
from games.engine.events import CardsPlayed, TurnPassed
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset
from games.engine.state import AFTER_DRAW, ANSWER, COLOR_PHASE, DRAW, PLAY, State
from games.engine.transitions.challenge import four_is_legal
from games.engine.transitions.effects import can_answer, is_burn, land, rule_of_answer
from games.engine.transitions.flow import end_turn
from games.engine.transitions.hands import check_copies
from games.engine.transitions.transition_types import UNDER_WAY, Handles, never


def check_turn(state: State, seat: int) -> None:
    """Refusal `not-your-turn` for a move by another seat."""
    if seat != state.player:
        raise Refusal(
            "not-your-turn", "it is {turn:seat}'s turn, not {given:seat}'s", turn=state.player, given=seat
        )


# What is legal


def check_play(state: State, event: CardsPlayed) -> None:
    """In `play`: any card held that goes on the pile, and others that may go with it."""
    card = _check_form(state, event)
    fresh = _check_held(state, event)
    if card not in state.fitting():
        raise _no_match(state, card)
    if not state.ruleset.finish_on_action:
        _check_last(state, event)
    if fresh:
        check_copies(state, fresh)
    if state.taken_back and card == WILD_FOUR:
        raise Refusal(
            "must-play",
            "the card that was taken back can't be played again: another has to be",
            rule="challenge_upheld",
        )


def check_play_drawn(state: State, event: CardsPlayed) -> None:
    """In `after_draw`: the drawn card, and no other. One drawn unseen is whatever is played.

    A wrong card that was named since may be the one, and is then no further copy.
    """
    card = _check_form(state, event)
    drawn = state.drawn
    unseen = drawn is None and card not in state.named
    possible = state.unknown[event.seat] > 0 if unseen else drawn in (None, card)
    if len(event.cards) > 1 or not possible:
        if drawn is None and not state.named:
            raise Refusal(
                "only-drawn-card",
                "{seat:seat} drew one card and can play only that one, or pass",
                seat=event.seat,
                rule="drawn_card",
            )
        raise Refusal(
            "only-drawn-card",
            "{seat:seat} drew {drawn:either} and can play nothing else, or pass",
            seat=event.seat,
            drawn=tuple(state.named) if drawn is None else (drawn,),
            rule="drawn_card",
        )
    if card not in state.fitting():
        raise _no_match(state, card)
    if not state.ruleset.finish_on_action:
        _check_last(state, event)
    if unseen:
        check_copies(state, (card,))


def check_answer(state: State, event: CardsPlayed) -> None:
    """In `answer`: a draw card, where the rule set lets it go on the one that hit."""
    card = _check_form(state, event)
    if state.is_draw_card(card) and not can_answer(state, state.top == WILD_FOUR, card):
        raise Refusal(
            "not-in-ruleset",
            "by these rules {card:card} can't answer {top:card}",
            card=card,
            top=state.top,
            rule=rule_of_answer(state, state.top == WILD_FOUR, card),
        )
    fresh = _check_held(state, event)
    if not state.is_draw_card(card):
        raise Refusal(
            "no-match",
            "{card:card} is no draw card and can't answer {top:card}: expected is a draw of {owed:count}",
            card=card,
            top=state.top,
            owed=state.owed,
        )
    if not state.ruleset.finish_on_action:
        _check_last(state, event)
    check_copies(state, fresh)


def _check_form(state: State, event: CardsPlayed) -> Card:
    """The seat's turn, a colour where there must be one, cards that go together; gives the first."""
    if event.seat != state.player:
        check_turn(state, event.seat)
    cards = event.cards
    card = cards[0]
    wild = card in WILDS if len(cards) == 1 else not WILDS.isdisjoint(cards)
    if wild:
        if event.color is None:
            raise Refusal(
                "needs-color", "with {card:card} a colour is named: red, yellow, green or blue", card=card
            )
    elif event.color is not None:
        raise Refusal("takes-no-color", "{card:card} has its own colour: none is named with it", card=card)
    if len(cards) > 1:
        _check_together(state.ruleset, cards)
    return card


def _check_together(ruleset: Ruleset, cards: tuple[Card, ...]) -> None:
    number = NUMBER[cards[0]]
    if number is None or any(NUMBER[card] != number for card in cards):
        raise Refusal(
            "cards-not-together",
            "{cards:cards}: only cards of one number can ever be played together",
            cards=cards,
        )
    if not ruleset.single_card_per_turn or (ruleset.burn and is_burn(cards)):
        return
    if is_burn(cards):
        raise Refusal("not-in-ruleset", "by these rules two identical cards don't go together", rule="burn")
    raise Refusal(
        "cards-not-together", "by these rules one card is played in a turn", rule="single_card_per_turn"
    )


def _check_held(state: State, event: CardsPlayed) -> Sequence[Card]:
    """The cards that are seen for the first time; Refusal if the seat can't hold them."""
    known = state.known[event.seat]
    if len(event.cards) == 1:
        fresh: Sequence[Card] = () if event.cards[0] in known else event.cards
    else:
        fresh = missing(event.cards, known)
    if len(fresh) > state.unknown[event.seat]:
        raise Refusal(
            "card-not-held",
            "{seat:seat} can't hold {cards:cards}; cards of that hand that aren't known: {unknown}",
            seat=event.seat,
            cards=fresh,
            unknown=state.unknown[event.seat],
        )
    return fresh


def _no_match(state: State, card: Card) -> Refusal:
    return Refusal(
        "no-match",
        "{card:card} doesn't go on {top:card}: expected {color:color}, the same number or symbol, or a Wild",
        card=card,
        top=state.top,
        color=state.color,
    )


def _check_last(state: State, event: CardsPlayed) -> None:
    card = event.cards[0]
    if _is_last_action(state, event.seat, card):
        raise Refusal(
            "finish-on-action",
            "{seat:seat} can't go out with {card:card}: the last card has to be a number",
            seat=event.seat,
            card=card,
            rule="finish_on_action",
        )


def _is_last_action(state: State, seat: int, card: Card) -> bool:
    """Whether a card can't be played since it would be the seat's last and is no number."""
    return not state.ruleset.finish_on_action and NUMBER[card] is None and state.held(seat) == 1


def must_play(state: State, seat: int) -> Card | None:
    """A card known to be in the hand that the seat has to play rather than draw, if there is one.

    A Wild Draw Four counts only when the whole hand is known: then, with nothing else to play, it is legal.
    After one was taken back it doesn't count.
    """
    if state.ruleset.voluntary_draw and not state.taken_back:
        return None
    fitting = state.fitting()
    known = state.known[seat]
    if fitting.isdisjoint(known):
        return None
    for card in known:
        if card in fitting and not _is_last_action(state, seat, card):
            if card != WILD_FOUR:
                return card
            if not state.unknown[seat] and not state.taken_back:
                return card
    return None


def check_may_keep(state: State, seat: int) -> None:
    """Refusal `must-play` for a seat that has to play, and can neither draw nor pass.

    After a card was taken back it has to play another, whatever `voluntary_draw` says. Where no known card
    fits, two things free it of that. The card was judged by cards that needn't go on the pile. Or by now it
    is known that the seat holds no card that fits, though the verdict said so.
    """
    card = must_play(state, seat)
    is_free = card is None and (state.can_draw_instead or not _may_hold_another(state, seat))
    if state.taken_back and not is_free:
        raise Refusal(
            "must-play",
            "after the card was taken back another has to be played, without a draw",
            rule="challenge_upheld",
        )
    if card is not None:
        raise Refusal(
            "must-play",
            "{seat:seat} holds {card:card}, which can be played: a card has to be played",
            seat=seat,
            card=card,
            rule="voluntary_draw",
        )


def _may_hold_another(state: State, seat: int) -> bool:
    """Whether among the unknown cards of a seat can be one that fits, Wild Draw Fours aside."""
    others = state.fitting() - {WILD_FOUR}
    return state.unknown[seat] > 0 and any(state.seen[card] < state.limit[card] for card in others)


def check_pass_drawn(state: State, event: TurnPassed) -> None:
    """In `after_draw`: the drawn card is kept, unless it has to be played."""
    check_turn(state, event.seat)
    card = state.drawn
    if state.ruleset.drawn_card != "must_play" or card is None or card not in state.fitting():
        return
    if _is_last_action(state, event.seat, card):
        return
    if card == WILD_FOUR and not _four_known_legal(state, event.seat):
        return
    raise Refusal(
        "must-play-drawn",
        "{card:card} was drawn and can be played, so it must be",
        card=card,
        rule="drawn_card",
    )


def _four_known_legal(state: State, seat: int) -> bool:
    rest = list(state.known[seat])
    rest.remove(WILD_FOUR)
    return not state.unknown[seat] and four_is_legal(state, state.color, state.top, rest)


def check_pass(state: State, event: TurnPassed) -> None:
    """In `play` and `answer`: only who can't draw, since there is nothing to be drawn, passes."""
    check_turn(state, event.seat)
    if state.pile or state.spare_discards():
        raise Refusal(
            "may-not-pass", "{seat:seat} has to play or draw: a pass comes after a draw", seat=event.seat
        )
    if state.phase != ANSWER:
        check_may_keep(state, event.seat)


def refuse_pass(state: State, event: TurnPassed) -> None:
    """A pass anywhere else."""
    raise Refusal("may-not-pass", "nobody can pass now: a pass comes after a draw")


def refuse_pass_in_turn(state: State, event: TurnPassed) -> None:
    """In `color`: a pass by the player whose turn it is, or by another."""
    check_turn(state, event.seat)
    refuse_pass(state, event)


# What follows


def evolve_play(state: State, event: CardsPlayed) -> None:
    """The cards leave the hand and land."""
    known = state.known[event.seat]
    for card in event.cards:
        if card in known:
            known.remove(card)
        else:
            state.unknown[event.seat] -= 1
            state.seen[card] += 1
    land(state, event)


def evolve_play_drawn(state: State, event: CardsPlayed) -> None:
    """The drawn card leaves the hand and lands."""
    if state.drawn is not None or event.cards[0] in state.named:
        evolve_play(state, event)
        return
    state.unknown[event.seat] -= 1
    state.seen[event.cards[0]] += 1
    land(state, event)


def evolve_pass(state: State, event: TurnPassed) -> None:
    """The turn is over."""
    end_turn(state)


HANDLES: Final[Handles] = {
    CardsPlayed: {
        PLAY: (check_play, evolve_play),
        AFTER_DRAW: (check_play_drawn, evolve_play_drawn),
        ANSWER: (check_answer, evolve_play),
    },
    TurnPassed: {
        **{phase: (refuse_pass, never) for phase in UNDER_WAY if phase != DRAW},
        COLOR_PHASE: (refuse_pass_in_turn, never),
        PLAY: (check_pass, evolve_pass),
        AFTER_DRAW: (check_pass_drawn, evolve_pass),
        ANSWER: (check_pass, evolve_pass),
    },
}
