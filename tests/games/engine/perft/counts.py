"""Perft: how many courses a game can take in so many events, as chess programs count to prove themselves.

A **position** is a state in which every hand is known, and an order of the draw pile; so what a draw gives
is settled, and only what players choose is counted. `perft(position, depth)` is the number of different
sequences of exactly `depth` events that are legal from there, one after the other; a game that is over
sooner is none.

**The order of a pile** says how cards of which nothing else is known lie, from the first to be drawn: in the
order of the SHA-256 (in hexadecimal) of `SEED/DEAL/CARD/COPY`, where DEAL is the number of deals started and
COPY counts the copies of a card in that pile from 0: `7/1/R5/0`. It is used for a whole pack (`pack` can name
the cards that lie on top of the first one), and for the discards that a reshuffle takes. Hands are dealt
whole, seat after seat from seat 0, then the first card is turned; a Wild Draw Four goes to the bottom.

**What is counted** are events of the log, each way of writing one down that makes a difference:

- `moves`: what the seats do in their turns. Each different card that can be played, a Wild with each of the
  four colours, each different list of cards that can go together; draws, with the cards that lie there;
  `turn_passed`; `challenge_made` with the verdict that the hand proves; `color_named` four times;
  `pile_reshuffled`; and where a deal follows, `deal_started` and each `card_turned`, one way each. Who plays
  down to one card says UNO.
- `all`: besides, that play without UNO, and what can come at any moment: `uno_called`; `uno_caught`, no
  catcher named; `penalty_given`, no card named; `zero_gift`.

Never counted are `dealer_cut` and `dealer_named` (seat 0 deals), `game_closed`, `event_voided`, and what only
adds knowledge: a hand shown to a challenger, a catcher's or a wrong card's name, `at`, `by`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from itertools import permutations

from games.engine.cards import COLORS, NUMBER, WILD_FOUR, WILDS, Card
from games.engine.events import (
    PENALTY_REASONS,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerNamed,
    DealStarted,
    Event,
    GameOpened,
    PenaltyGiven,
    PileReshuffled,
    Seat,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset
from games.engine.snapshot import dump, load
from games.engine.state import (
    ANSWER,
    COLOR_PHASE,
    DEAL,
    PLAY,
    TABLE_PHASES,
    TURN_CARD,
    State,
    copies_to_deal,
)
from games.engine.transitions import advance, refusal_of

PROFILES = ("moves", "all")


@cache
def _place(seed: int, deal: int, card: Card, copy: int) -> str:
    return sha256(f"{seed}/{deal}/{card}/{copy}".encode()).hexdigest()


def pile_order(cards: Iterable[Card], seed: int, deal: int) -> tuple[Card, ...]:
    """Cards as they lie in a pile, the first to be drawn first."""
    places = [
        (_place(seed, deal, card, copy), card)
        for card, copies in Counter(cards).items()
        for copy in range(copies)
    ]
    return tuple(card for _, card in sorted(places))


class Position:
    """A state whose hands are all known, with the draw pile as it lies (the first to be drawn first)."""

    __slots__ = ("pack", "pile", "seed", "state")

    def __init__(self, state: State, pile: tuple[Card, ...], seed: int, pack: tuple[Card, ...] = ()) -> None:
        self.state = state
        self.pile = pile
        self.seed = seed
        self.pack = pack

    @classmethod
    def start(
        cls,
        ruleset: Ruleset,
        seats: int,
        seed: int,
        *,
        pack: tuple[Card, ...] = (),
        kin: tuple[tuple[int, int], ...] | None = None,
    ) -> "Position":
        """The position after the first card that stays: seat 0 deals, `pack` lies on top of the pack.

        Refusal if the rule set isn't for so many seats, or the packs don't hold the cards named.
        """
        position = cls(State(), (), seed, pack)
        people = tuple(Seat(f"Seat {seat}") for seat in range(seats))
        for event in (GameOpened(ruleset, people, kin), DealerNamed(0)):
            position = position.after(event)
        if Counter(pack) - Counter(dict(copies_to_deal(position.state))):
            raise Refusal(
                "too-many-copies", "the packs don't hold the cards that lie on top of the first one"
            )
        while position.state.phase in (DEAL, TURN_CARD):
            position = position.after(next(position.moves("moves")))
        return position

    @classmethod
    def of(cls, state: State, seed: int) -> "Position":
        """The position of any game: the cards that nobody sees lie in the draw pile in the order of the seed.

        ValueError where a hand isn't fully known.
        """
        if any(state.unknown):
            raise ValueError("a position needs every hand known")
        unseen = Counter(dict(state.limit)) - Counter(state.seen) if state.deal else Counter[Card]()
        return cls(copy_of(state), pile_order(unseen.elements(), seed, state.deal), seed)

    def after(self, event: Event) -> "Position":
        """The position after one event, Refusal if it isn't legal; a draw gets its cards from the pile."""
        state = copy_of(self.state)
        pile = self.pile
        if isinstance(event, CardsDrawn):
            event = CardsDrawn(event.seat, event.count, pile[: event.count] or None)
        taken = state.discards[: state.spare_discards()] if isinstance(event, PileReshuffled) else []
        advance(state, event)
        if isinstance(event, CardsDrawn):
            pile = pile[event.count :]
        elif isinstance(event, PileReshuffled):
            pile = pile_order(taken, self.seed, state.deal)
        elif isinstance(event, DealStarted):
            dealt = sum(len(cards) for cards in (event.hands or {}).values())
            pile = self._whole_pack()[dealt:]
        elif isinstance(event, CardTurned):
            pile = (*pile[1:], event.card) if event.card == WILD_FOUR else pile[1:]
        return Position(state, pile, self.seed, self.pack)

    def moves(self, profile: str) -> Iterator[Event]:
        """Every event that is counted here."""
        return (event for event in self._candidates(profile) if refusal_of(self.state, event) is None)

    def _whole_pack(self) -> tuple[Card, ...]:
        """The pack that is dealt next (or was just dealt from), as it lies."""
        started = self.state.deal + 1
        first = self.pack if started == 1 else ()
        rest = Counter(dict(copies_to_deal(self.state)))
        rest.subtract(first)
        return (*first, *pile_order((+rest).elements(), self.seed, started))

    def _candidates(self, profile: str) -> Iterator[Event]:
        """More than can be legal, each way of writing it once."""
        state, pile = self.state, self.pile
        phase, turn = state.phase, state.turn
        if phase == DEAL and state.dealer is not None:
            pack = self._whole_pack()
            size = state.ruleset.hand_size
            hands = {
                seat: pack[place * size : (place + 1) * size] for place, seat in enumerate(state.active())
            }
            yield DealStarted(state.dealer, hands)
        elif phase == TURN_CARD:
            yield CardTurned(pile[0])
        elif phase == COLOR_PHASE and turn is not None:
            yield from (ColorNamed(turn, color) for color in COLORS)
        elif turn is not None:
            yield from self._plays(turn, profile)
            count = min(1 if phase == PLAY else state.owed, len(pile))
            if count:
                yield CardsDrawn(turn, count, pile[:count])
            yield TurnPassed(turn)
            if phase == ANSWER:
                yield from (ChallengeMade(turn, upheld) for upheld in (True, False))
            yield PileReshuffled()
        if profile == "all" and phase in TABLE_PHASES:
            yield from self._interrupts()

    def _interrupts(self) -> Iterator[Event]:
        seats = range(len(self.state.seats))
        for seat in seats:
            yield UnoCalled(seat)
            yield UnoCaught(seat)
            yield from (PenaltyGiven(seat, reason) for reason in PENALTY_REASONS)
            yield from (ZeroGift(seat, to) for to in seats if to != seat)

    def _plays(self, seat: int, profile: str) -> Iterator[Event]:
        hand = self.state.known[seat]
        calls = (True, None) if profile == "all" else (True,)
        for cards in self._card_lists(hand):
            colors = COLORS if cards[0] in WILDS else (None,)
            for color in colors:
                if len(hand) - len(cards) == 1:
                    yield from (CardsPlayed(seat, cards, color, uno) for uno in calls)
                else:
                    yield CardsPlayed(seat, cards, color)

    def _card_lists(self, hand: list[Card]) -> Iterator[tuple[Card, ...]]:
        yield from ((card,) for card in dict.fromkeys(hand))
        ruleset = self.state.ruleset
        if self.state.phase != PLAY or (ruleset.single_card_per_turn and not ruleset.burn):
            return
        most = 2 if ruleset.single_card_per_turn else len(hand)
        for number in range(10):
            alike = [card for card in hand if NUMBER[card] == number]
            for length in range(2, min(len(alike), most) + 1):
                yield from dict.fromkeys(permutations(alike, length))


def perft(position: Position, depth: int, profile: str = "moves") -> int:
    """How many sequences of `depth` events (0 or more) there are; ValueError for another profile or depth."""
    if profile not in PROFILES:
        raise ValueError(f"profile is one of {', '.join(PROFILES)}, not {profile!r}")
    if depth < 0:
        raise ValueError("depth counts events: 0 or more")
    return _count(position, depth, profile)


def _count(position: Position, depth: int, profile: str) -> int:
    if depth == 0:
        return 1
    moves = position.moves(profile)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(_count(position.after(event), depth - 1, profile) for event in moves)


def divide(position: Position, depth: int, profile: str = "moves") -> list[tuple[Event, int]]:
    """Each event that can come first, with the sequences that begin with it: their sum is `perft`."""
    if depth < 1:
        raise ValueError("there is something to divide from depth 1")
    return [(event, perft(position.after(event), depth - 1, profile)) for event in position.moves(profile)]


def copy_of(state: State) -> State:
    """A state that goes its own way: it shares nothing that changes."""
    return load(dump(state))
