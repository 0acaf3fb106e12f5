"""A bot's move: which card, with which others, which colour; answer, or challenge."""

from collections.abc import Sequence
from typing import Final, TypeVar

from games.engine.bots.draw_pile import Random
from games.engine.bots.styles import Style
from games.engine.cards import COLOR, COLORS, NUMBER, POINTS, WILD, WILD_FOUR, Card, Color
from games.engine.events import ChallengeMade
from games.engine.state import State
from games.engine.transitions.challenge import proven_verdict
from games.engine.transitions.effects import can_answer

_Choice = TypeVar("_Choice")

WORTH: Final = {**POINTS, WILD: -1, WILD_FOUR: -2}
"""What a bot that weighs gets rid of first: dear cards. Wilds are kept for when nothing else goes."""


def any_of(random: Random, choices: Sequence[_Choice]) -> _Choice:
    """One of several, each as likely."""
    return choices[int(random() * len(choices))]


def playable(state: State, seat: int, style: Style, random: Random) -> list[Card]:
    """The cards of a hand that the bot is ready to play; a Wild Draw Four beside others is a bluff."""
    fitting = state.fitting()
    hand = state.known[seat]
    choices = [card for card in hand if card in fitting]
    if WILD_FOUR in choices:
        others = [card for card in choices if card != WILD_FOUR]
        if state.taken_back or (others and random() >= style.bluffs):
            choices = others
        elif style.weighs:
            choices = [WILD_FOUR]
    return may_be_last(state, seat, choices)


def may_be_last(state: State, seat: int, cards: list[Card]) -> list[Card]:
    """Those of the cards that the rules let be played: an action card may not be allowed as the last one."""
    if state.ruleset.finish_on_action or state.held(seat) > 1:
        return cards
    return [card for card in cards if NUMBER[card] is not None]


def pick(choices: Sequence[Card], style: Style, random: Random) -> Card:
    """The card to play, of those that the bot is ready to play."""
    if style.weighs:
        return max(choices, key=WORTH.__getitem__)
    return any_of(random, choices)


def color_to_name(hand: Sequence[Card], style: Style, random: Random) -> Color:
    """The colour held most (the first of those held as often), or any."""
    if not style.weighs:
        return any_of(random, COLORS)
    colors = [COLOR[card] for card in hand]
    return max(COLORS, key=colors.count)


def with_others(state: State, seat: int, card: Card, style: Style, random: Random) -> tuple[Card, ...]:
    """A number card, and those of the hand that go along where the rules let several be played together."""
    number = NUMBER[card]
    if number is None or random() < style.lays_one:
        return (card,)
    others = list(state.known[seat])
    others.remove(card)
    twin = card in others
    if state.ruleset.burn and twin and (state.ruleset.single_card_per_turn or random() < 0.5):
        return (card, card)
    if state.ruleset.single_card_per_turn:
        return (card,)
    return (card, *[other for other in others if NUMBER[other] == number])


def answers(state: State, seat: int) -> list[Card]:
    """The draw cards of a hand that can go on the one that hit."""
    on_four = state.top == WILD_FOUR
    cards = [
        card for card in state.known[seat] if state.is_draw_card(card) and can_answer(state, on_four, card)
    ]
    return may_be_last(state, seat, cards)


def challenge(state: State, seat: int, random: Random) -> ChallengeMade | None:
    """A challenge with its true verdict; in half of them the offender's cards are written down."""
    hit = state.hit
    if hit is None or not state.challengeable():
        return None
    hand = state.known[hit.offender]
    upheld = bool(proven_verdict(state, hit, hand, 0))
    return ChallengeMade(seat, upheld, tuple(hand) if random() < 0.5 else None)
