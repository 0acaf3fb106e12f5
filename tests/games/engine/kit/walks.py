"""Any legal game: a walk through what `legal_events` offers, with real cards or with hidden ones."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from games.engine import Event, Ruleset, Seat, State, advance, legal_events, refusal_of
from games.engine.cards import NUMBER, WILD_FOUR, Card, missing
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    DealerCut,
    DealStarted,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    UnoCaught,
)
from games.engine.state import CUT, PLAY, copies_to_deal
from tests.games.engine.kit.rulesets import rulesets, seats_for

LONGEST = 120

_WEIGHTS = {
    "cards_played": 12.0,
    "challenge_made": 6.0,
    "pile_reshuffled": 6.0,
    "uno_caught": 3.0,
    "uno_called": 3.0,
    "zero_gift": 3.0,
    "cards_drawn": 4.0,
    "penalty_given": 0.6,
    "game_closed": 0.02,
}
"""How often a type is chosen beside another of weight 2 that is legal too; or nobody would ever go out."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A legal log: `full` with every card written down, or with some cards known or none."""

    events: tuple[Event, ...]
    full: bool
    seed: int

    def states(self) -> Iterator[tuple[Event, State]]:
        """Each event with the state after it: the same object each time, which the walk goes on changing."""
        state = State()
        for event in self.events:
            advance(state, event)
            yield event, state

    def random(self) -> Random:
        """Chance for whoever examines this walk, the same each time."""
        return Random(self.seed + 1)


class Walker:
    """Walks: chooses, fills in cards, and lets it happen. With real cards it holds the draw pile."""

    def __init__(self, ruleset: Ruleset, seats: int, seed: int, *, full: bool) -> None:
        self.random = Random(seed)
        self.full = full
        self.pile: list[Card] = []
        self.state = State()
        self.events: list[Event] = []
        people = tuple(Seat(f"Seat {seat}", "AB"[seat % 2] if seat < 4 else None) for seat in range(seats))
        self.happens(GameOpened(ruleset, people, ((0, 1),)))

    def happens(self, event: Event) -> None:
        advance(self.state, event)
        self.events.append(event)

    def walk(self, length: int) -> None:
        """Go on for so many events, or to the game's end."""
        for _ in range(length):
            choices: list[Event] = list(legal_events(self.state))
            if self.state.phase == CUT:
                choices.append(self.a_cut())
            if not choices:
                return
            types = sorted({event.type for event in choices})
            (type_,) = self.random.choices(types, [_WEIGHTS.get(type_, 2.0) for type_ in types])
            chosen = self.random.choice([event for event in choices if event.type == type_])
            fill: Callable[[Walker, Any], Event] | None = _FILL.get(type(chosen))
            if fill is not None:
                chosen = fill(self, chosen)
            if self.chance(0.1):
                chosen = replace(chosen, by="Ugo «il lento»", at="2026-09-19T14:05:00.25+02:00")
            self.happens(chosen)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def if_legal(self, event: Event, otherwise: Event) -> Event:
        return otherwise if refusal_of(self.state, event) else event

    # What is written into an event beyond what is offered

    def a_cut(self) -> Event:
        cutters = [seat for seat, number in self.state.cut.items() if number is None]
        pack = list(self.state.limit)
        return DealerCut({seat: self.random.choice(pack) for seat in cutters})

    def hidden_cards(self, count: int, besides: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """Cards that nobody has seen, as many as asked for."""
        seen = self.state.seen
        hidden = [card for card, copies in self.state.limit.items() for _ in range(copies - seen[card])]
        for card in besides:
            hidden.remove(card)
        return tuple(self.random.sample(hidden, count))

    def take(self, count: int) -> tuple[Card, ...]:
        return tuple(self.pile.pop() for _ in range(count))

    def deal(self, event: DealStarted) -> Event:
        pack = [card for card, copies in copies_to_deal(self.state).items() for _ in range(copies)]
        self.random.shuffle(pack)
        self.pile = pack
        size = self.state.ruleset.hand_size
        share = 1.0 if self.full else self.random.choice((0.0, 0.0, 0.5))
        dealt = [seat for seat in self.state.active() if self.full or self.chance(share)]
        hands = {seat: self.take(size) for seat in dealt}
        return replace(event, hands=hands) if hands else event

    def turn_card(self, event: CardTurned) -> Event:
        if not self.full:
            return event
        card = self.pile.pop()
        if card == WILD_FOUR:
            self.pile.insert(self.random.randrange(len(self.pile) + 1), card)
        return CardTurned(card)

    def draw(self, event: CardsDrawn) -> Event:
        if self.full:
            return replace(event, cards=self.take(event.count))
        if self.chance(0.1):
            return replace(event, cards=self.hidden_cards(event.count))
        return event

    def reshuffle(self, event: PileReshuffled) -> Event:
        if self.full:
            self.pile = self.state.discards[: self.state.spare_discards()]
            self.random.shuffle(self.pile)
        return event

    def play(self, event: CardsPlayed) -> Event:
        rules, number = self.state.ruleset, NUMBER[event.cards[0]]
        together = rules.burn or not rules.single_card_per_turn
        if not together or number is None or self.state.phase != PLAY or self.chance(0.3):
            return event
        rest = list(self.state.known[event.seat])
        if event.cards[0] in rest:
            rest.remove(event.cards[0])
        others = [card for card in rest if NUMBER[card] == number]
        some = self.random.sample(others, self.random.randint(0, len(others)))
        return self.if_legal(replace(event, cards=(*event.cards, *some)), event)

    def challenge(self, event: ChallengeMade) -> Event:
        hit = self.state.hit
        if hit is None or self.chance(0.5):
            return event
        shown = (*self.state.known[hit.offender], *self.hidden_cards(self.state.unknown[hit.offender]))
        return self.if_legal(replace(event, hand=shown), event)

    def penalize(self, event: PenaltyGiven) -> Event:
        if event.reason != "wrong_card" or self.chance(0.3):
            return event
        cards = list(self.state.known[event.seat])
        if self.state.unknown[event.seat]:
            cards.extend(self.hidden_cards(1))
        return replace(event, card=self.random.choice(cards)) if cards else event

    def catch(self, event: UnoCaught) -> Event:
        return replace(event, catcher=self.random.choice([s for s in self.state.active() if s != event.seat]))

    def show(self, event: HandShown) -> Event:
        if self.chance(0.5):
            return event
        known, unknown = self.state.known[event.seat], self.state.unknown[event.seat]
        shown = HandShown(event.seat, (*known, *self.hidden_cards(unknown)))
        # Points that others showed may need some of these cards; then only points are left to show.
        return self.if_legal(shown, event)


_FILL: dict[type[Event], Callable[[Walker, Any], Event]] = {
    DealStarted: Walker.deal,
    CardTurned: Walker.turn_card,
    CardsDrawn: Walker.draw,
    PileReshuffled: Walker.reshuffle,
    CardsPlayed: Walker.play,
    ChallengeMade: Walker.challenge,
    PenaltyGiven: Walker.penalize,
    UnoCaught: Walker.catch,
    HandShown: Walker.show,
}


@st.composite
def walks(draw: st.DrawFn, full: bool | None = None) -> Walk:
    """A legal game of some length under any rule set, 2 to 10 seats; `full` or not, else either."""
    ruleset = draw(rulesets())
    seats = draw(seats_for(ruleset))
    with_cards = draw(st.booleans()) if full is None else full
    length = draw(st.one_of(st.integers(2, LONGEST), st.just(LONGEST)))
    seed = draw(st.integers(0, 10**9))
    walker = Walker(ruleset, seats, seed, full=with_cards)
    walker.walk(length)
    return Walk(tuple(walker.events), with_cards, seed)


def pile_by_the_log(walk: Walk) -> Iterator[tuple[State, Counter[Card]]]:
    """Of a full log: each state, and the cards of the draw pile by what was written down alone."""
    pile: Counter[Card] = Counter()
    discards: list[Card] = []
    for event, state in walk.states():
        if isinstance(event, DealStarted):
            hands = [card for hand in (event.hands or {}).values() for card in hand]
            pile = Counter(state.limit) - Counter(hands)
        elif isinstance(event, CardTurned):
            pile -= Counter([event.card] if event.card != WILD_FOUR else [])
        elif isinstance(event, CardsDrawn):
            pile -= Counter(event.cards or ())
        elif isinstance(event, PileReshuffled):
            pile += Counter(missing(discards, state.discards))
        discards = list(state.discards)
        yield state, pile
