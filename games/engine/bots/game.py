"""A whole game played by bots: who does what in each phase, written down as it happens."""

from collections.abc import Callable, Sequence
from random import Random as Generator
from typing import Final, TypeVar

from games.engine.bots.asides import other, said_after_play, slip
from games.engine.bots.choosing import (
    answers,
    any_of,
    challenge,
    color_to_name,
    may_be_last,
    pick,
    playable,
    with_others,
)
from games.engine.bots.draw_pile import Pile, Random
from games.engine.bots.styles import STYLES, Style
from games.engine.cards import PACK, POINTS, WILD_FOUR, WILDS, Card
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    Event,
    GameClosed,
    GameOpened,
    HandShown,
    PileReshuffled,
    Seat,
    TurnPassed,
)
from games.engine.hiding import hide
from games.engine.legal import with_choices
from games.engine.ruleset import Ruleset
from games.engine.state import (
    AFTER_DRAW,
    ANSWER,
    COLOR_PHASE,
    CUT,
    DEAL,
    DRAW,
    OVER,
    PLAY,
    SHOW,
    TURN_CARD,
    State,
    copies_to_deal,
)
from games.engine.transitions import advance
from games.engine.transitions.closing import unshown
from games.engine.transitions.turns import must_play

_Value = TypeVar("_Value")

CLOSED: Final = ("time", "forfeit", "abandoned")
"""How a game can be closed that bots don't play to its end."""

_MANY_CARDS: Final = 5
"""A hand of more than so many cards is shown as its points: nobody writes all of them down."""


def play_random_game(
    ruleset: Ruleset,
    seats: int | Sequence[Seat],
    seed: int,
    *,
    table: bool = False,
    style: str = "sensible",
    longest: int = 5000,
    closed: str = "time",
    kin: tuple[tuple[int, int], ...] | None = None,
) -> list[Event]:
    """A whole game as a log: full, or with `table` only what everybody sees.

    `seats` is a number of players or the seats themselves, `style` one of `STYLES`, `kin` the relatives at
    the table for rules that ask. A game that isn't over after `longest` events is then `closed` by the
    referee: out of `time`, as `abandoned`, or as a `forfeit`. By a forfeit of whose move it is, the next seat
    has won. Raises ValueError for an unknown style or way of closing, and Refusal where so many can't play by
    these rules. A Refusal later on, or an AssertionError since a bot found nothing to do, is a mistake of the
    engine or of the bots.
    """
    if closed not in CLOSED:
        raise ValueError(f"closed is one of {', '.join(CLOSED)}, not {closed!r}")
    if style not in STYLES:
        raise ValueError(f"style is one of {', '.join(STYLES)}, not {style!r}")
    people = (
        tuple([Seat(f"Bot {seat + 1}") for seat in range(seats)]) if isinstance(seats, int) else tuple(seats)
    )
    # The same game from the same seed is the point; nobody's secret depends on it.
    random = Generator(seed).random  # noqa: S311
    game = _BotGame(GameOpened(ruleset, people, kin), random, STYLES[style], table)
    return game.play(longest, closed)


def present(value: _Value | None) -> _Value:
    """What the phase says must be there: a player in `play`, a drawn card in `after_draw`, and so on."""
    if value is None:
        raise AssertionError("a phase without what it is about")
    return value


class _BotGame:
    """One game being played: the state with all cards known, the pile, and the log so far.

    For a table log a second state knows only what everybody sees, since it needs hands to be shown.
    """

    def __init__(self, opened: GameOpened, random: Random, style: Style, table: bool) -> None:
        self.ruleset = opened.ruleset
        self.random = random
        self.style = style
        self.several = opened.ruleset.burn or not opened.ruleset.single_card_per_turn
        self.pile = Pile(random)
        self.log: list[Event] = []
        self.state = State()
        self.public = State() if table else None
        self.happens(opened)

    def play(self, longest: int, closed: str) -> list[Event]:
        """The log of the whole game."""
        state, style, random, log = self.state, self.style, self.random, self.log
        slips = style.slips
        while state.phase != OVER:
            if len(log) >= longest:
                self.close(closed)
                break
            said: Event | None = None
            if state.missed or state.gift is not None:
                said = said_after_play(state, style, random)
            if said is None and random() < slips:
                said = slip(state, random)
            if said is None:
                said = other(state, style, random)
            if said is not None:
                self.happens(said)
                continue
            before = state.events
            STEPS[state.phase](self)
            if state.events == before:
                raise AssertionError(f"nothing to do for seat {state.turn} in phase {state.phase}")
        return log

    def happens(self, event: Event) -> None:
        """Check an event, let it happen and write it down."""
        advance(self.state, event)
        if self.public is None:
            self.log.append(event)
        else:
            self.publish(self.public, event)

    def publish(self, public: State, event: Event) -> None:
        """Write down what everybody sees of an event, and the hands that are shown after it."""
        seen = hide(event)
        advance(public, seen)
        self.log.append(seen)
        while public.phase == SHOW and self.state.phase != SHOW:
            shown = self.hand_of(unshown(public)[0])
            advance(public, shown)
            self.log.append(shown)

    def hand_of(self, seat: int) -> HandShown:
        """A hand after a deal, by its cards if they are few."""
        hand = self.state.known[seat]
        if len(hand) > _MANY_CARDS:
            return HandShown(seat, points=sum(POINTS[card] for card in hand))
        return HandShown(seat, tuple(hand))

    def close(self, reason: str) -> None:
        """The referee ends the game."""
        state = self.state
        leaver = state.active()[0] if state.turn is None else state.turn
        self.happens(GameClosed(reason, state.next_seat(leaver) if reason == "forfeit" else None))

    # Before the first turn

    def cut(self) -> None:
        state = self.state
        if self.style.names_dealer and self.random() < self.style.names_dealer:
            self.happens(DealerNamed(any_of(self.random, state.active())))
            return
        pile = Pile(self.random, PACK * self.ruleset.decks)
        self.happens(DealerCut({seat: pile.draw() for seat, number in state.cut.items() if number is None}))

    def deal(self) -> None:
        state = self.state
        packs = copies_to_deal(state).items()
        self.pile = Pile(self.random, [card for card, copies in packs for _ in range(copies)])
        hands = {seat: self.pile.take(self.ruleset.hand_size) for seat in state.active()}
        self.happens(DealStarted(present(state.dealer), hands))

    def turn_card(self) -> None:
        card = self.pile.draw()
        self.happens(CardTurned(card))
        if card == WILD_FOUR:
            self.pile.cards.append(card)

    def name_color(self) -> None:
        seat = present(self.state.player)
        self.happens(ColorNamed(seat, color_to_name(self.state.known[seat], self.style, self.random)))

    # A turn

    def play_or_draw(self) -> None:
        state, style, random = self.state, self.style, self.random
        seat = present(state.player)
        choices = playable(state, seat, style, random)
        rather = self.ruleset.voluntary_draw and not state.taken_back and random() < style.draws_anyway
        if not choices or rather:
            self.draw_one(seat)
            return
        card = pick(choices, style, random)
        cards = with_others(state, seat, card, style, random) if self.several else (card,)
        self.lay(seat, cards)

    def lay(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Play cards, with a colour and UNO where they are due, unless UNO is forgotten."""
        hand = self.state.known[seat]
        color = color_to_name(hand, self.style, self.random) if cards[0] in WILDS else None
        one_left = len(hand) == len(cards) + 1
        said = True if one_left and self.random() >= self.style.forgets_uno else None
        played = with_choices(self.state, CardsPlayed(seat, cards, color, said))
        self.happens(played[0] if len(played) == 1 else any_of(self.random, played))

    def draw_one(self, seat: int) -> None:
        if self.pile.cards or self.reshuffle():
            self.happens(CardsDrawn(seat, 1, (self.pile.draw(),)))
        elif must_play(self.state, seat) is None:
            self.happens(TurnPassed(seat))

    def play_drawn_or_pass(self) -> None:
        state = self.state
        seat, card = present(state.player), present(state.drawn)
        if not self.pile.cards and self.reshuffle():
            return
        plays = card in state.fitting() and may_be_last(state, seat, [card])
        obliged = self.ruleset.drawn_card == "must_play"
        if plays and (obliged or self.random() >= self.style.keeps_drawn):
            self.lay(seat, (card,))
        else:
            self.happens(TurnPassed(seat))

    def answer(self) -> None:
        """Challenge, put a draw card on it, or give in; who can do nothing of it passes."""
        state, style, random = self.state, self.style, self.random
        seat = present(state.player)
        if random() < style.challenges:
            challenged = challenge(state, seat, random)
            if challenged is not None:
                self.happens(challenged)
                return
        cards = answers(state, seat)
        if cards and random() < style.answers:
            self.lay(seat, (pick(cards, style, random),))
        elif self.pile.cards:
            self.draw(seat)
        elif not self.reshuffle():
            self.happens(TurnPassed(seat))

    # Drawing what is owed

    def draw_owed(self) -> None:
        if self.pile.cards or self.reshuffle():
            self.draw(self.state.debts[-1].seat)

    def draw(self, seat: int) -> None:
        """What is owed, or what the pile still holds of it."""
        count = min(self.state.owed, len(self.pile.cards))
        self.happens(CardsDrawn(seat, count, self.pile.take(count)))

    def reshuffle(self) -> bool:
        """Make the discards a new pile, if they can be; whether they could."""
        taken = self.state.spare_discards()
        if not taken:
            return False
        self.pile = Pile(self.random, self.state.discards[:taken])
        self.happens(PileReshuffled())
        return True


STEPS: Final[dict[str, Callable[[_BotGame], None]]] = {
    CUT: _BotGame.cut,
    DEAL: _BotGame.deal,
    TURN_CARD: _BotGame.turn_card,
    COLOR_PHASE: _BotGame.name_color,
    PLAY: _BotGame.play_or_draw,
    AFTER_DRAW: _BotGame.play_drawn_or_pass,
    ANSWER: _BotGame.answer,
    DRAW: _BotGame.draw_owed,
}
"""What the bots do in each phase; in `show` nothing is left to be shown, since all cards are known."""
