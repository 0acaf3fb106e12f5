"""Before the first turn: the table is opened, a dealer found, cards dealt and the first one turned."""

from collections.abc import Mapping
from typing import Final

from games.engine.cards import (
    CARDS,
    COLOR,
    DRAW_TWO,
    NUMBER,
    REVERSE,
    SKIP,
    SYMBOL,
    WILD,
    WILD_FOUR,
)
from games.engine.events import CardTurned, ColorNamed, DealerCut, DealerNamed, DealStarted, Event, GameOpened
from games.engine.refusals import Refusal
from games.engine.state import (
    COLOR_PHASE,
    CUT,
    DEAL,
    PLAY,
    START,
    TURN_CARD,
    ImpossibleStateError,
    State,
    copies_in,
    copies_to_deal,
)
from games.engine.transitions.effects import hit_by_draw_two
from games.engine.transitions.flow import begin_turn
from games.engine.transitions.hands import check_copies, removed_card
from games.engine.transitions.transition_types import Check, Handles
from games.engine.transitions.turns import check_turn


def check_kin(state: State, event: GameOpened) -> None:
    """Relatives who sit at the table."""
    count = len(event.seats)
    for pair in event.kin or ():
        if max(pair) >= count:
            raise Refusal(
                "malformed",
                "`kin` names seat {given}, but only {count} players sit here, counted from 0",
                given=max(pair),
                count=count,
            )


def check_open(state: State, event: GameOpened) -> None:
    """The rule set can be played by so many."""
    event.ruleset.check(len(event.seats))


def evolve_open(state: State, event: GameOpened) -> None:
    """The seats are taken; a dealer is wanted."""
    count = len(event.seats)
    state.ruleset = event.ruleset
    state.seats = event.seats
    state.kin = event.kin or ()
    state.limit = copies_in(event.ruleset.decks)
    state.seen = dict.fromkeys(CARDS, 0)
    state.known = [[] for _ in range(count)]
    state.unknown = [0] * count
    state.scores = [0] * count
    state.cut = dict.fromkeys(range(count))
    state.waiting = CUT


def check_cut(state: State, event: DealerCut) -> None:
    """Exactly those cut who have to."""
    due = {seat for seat, number in state.cut.items() if number is None}
    if set(event.cards) != due:
        raise Refusal("wrong-cut", "these cut now, and nobody else: {due:seats}", due=sorted(due))


def evolve_cut(state: State, event: DealerCut) -> None:
    """The best number deals; who drew an action card that doesn't count, or tied, cuts again."""
    ruleset = state.ruleset
    for seat, card in event.cards.items():
        number = NUMBER[card]
        if number is None and ruleset.cut_action_cards == "zero":
            number = 0
        state.cut[seat] = number
    numbers = [number for number in state.cut.values() if number is not None]
    if len(numbers) < len(state.cut):
        return
    best = max(numbers) if ruleset.dealer_cut == "highest" else min(numbers)
    tied = [seat for seat, number in state.cut.items() if number == best]
    if len(tied) == 1:
        _name_dealer(state, tied[0])
    else:
        state.cut = dict.fromkeys(tied)


def check_name(state: State, event: DealerNamed) -> None:
    """Anybody at the table can be named."""


def evolve_name(state: State, event: DealerNamed) -> None:
    """The dealer is known without a cut."""
    _name_dealer(state, event.seat)


def _name_dealer(state: State, seat: int) -> None:
    state.dealer = seat
    state.cut = {}
    state.waiting = DEAL


def check_deal(state: State, event: DealStarted) -> None:
    """The dealer who is due deals full hands of cards that the packs hold."""
    hands = event.hands or {}
    limit = copies_to_deal(state)
    counted = dict.fromkeys(CARDS, 0) if hands else {}
    for cards in hands.values():
        for card in cards:
            counted[card] += 1
            if counted[card] > limit[card]:
                if not limit[card]:
                    raise removed_card(card)
                raise Refusal(
                    "too-many-copies",
                    "{card:card} is dealt {given:times}, but is in the packs {limit:times}",
                    card=card,
                    given=counted[card],
                    limit=limit[card],
                )
    if event.dealer != state.dealer:
        raise Refusal(
            "wrong-dealer",
            "{dealer:seat} deals, not {given:seat}",
            dealer=state.dealer,
            given=event.dealer,
        )
    for seat, cards in sorted(hands.items()):
        size = 0 if seat in state.left else state.ruleset.hand_size
        if len(cards) != size:
            raise Refusal(
                "impossible-hand",
                "{seat:seat} is dealt {size:count}, not {given}",
                seat=seat,
                size=size,
                given=len(cards),
                rule="hand_size" if size else None,
            )


def evolve_deal(state: State, event: DealStarted) -> None:
    """Everybody still in the game holds a new hand; nothing else is known."""
    size = state.ruleset.hand_size
    hands = event.hands or {}
    active = state.active()
    state.limit = copies_to_deal(state)
    state.seen = dict.fromkeys(CARDS, 0)
    state.known = [[] for _ in state.seats]
    state.unknown = [0] * len(state.seats)
    for seat in active:
        if seat in hands:
            state.known[seat] = list(hands[seat])
            for card in hands[seat]:
                state.seen[card] += 1
        else:
            state.unknown[seat] = size
    state.pile = sum(state.limit.values()) - size * len(active)
    state.discards = []
    state.deal += 1
    state.out = None
    state.points = {}
    state.waiting = TURN_CARD


def check_turned(state: State, event: CardTurned) -> None:
    """A card that isn't in a hand."""
    check_copies(state, (event.card,))


def evolve_turned(state: State, event: CardTurned) -> None:
    """The first card takes effect on the first player; a Wild Draw Four goes back into the pile."""
    card = event.card
    if card == WILD_FOUR:
        return
    if state.dealer is None:
        raise ImpossibleStateError("a card is turned where nobody deals")
    state.pile -= 1
    state.discards.append(card)
    state.seen[card] += 1
    state.top = card
    state.color = COLOR[card]
    symbol = SYMBOL[card]
    first = state.next_seat(state.dealer)
    if symbol == REVERSE:
        state.direction = -1
        begin_turn(state, state.dealer)
    elif symbol == SKIP:
        begin_turn(state, state.next_seat(first))
    elif symbol == DRAW_TWO:
        hit_by_draw_two(state, state.dealer)
    else:
        begin_turn(state, first)
        if card == WILD:
            state.waiting = COLOR_PHASE


def check_color(state: State, event: ColorNamed) -> None:
    """The first player names it."""
    check_turn(state, event.seat)


def evolve_color(state: State, event: ColorNamed) -> None:
    """The colour is in play, and the same player begins."""
    state.color = event.color
    state.waiting = PLAY


HANDLES: Final[Handles] = {
    GameOpened: {START: (check_open, evolve_open)},
    DealerCut: {CUT: (check_cut, evolve_cut)},
    DealerNamed: {CUT: (check_name, evolve_name)},
    DealStarted: {DEAL: (check_deal, evolve_deal)},
    CardTurned: {TURN_CARD: (check_turned, evolve_turned)},
    ColorNamed: {COLOR_PHASE: (check_color, evolve_color)},
}
AT_TABLE: Final[Mapping[type[Event], Check]] = {GameOpened: check_kin}
