"""Bots that play whole games, the same ones from the same seed: for tests, measurements and rehearsals.

They hold real cards, so every event of theirs is checked in full. They also forget UNO, catch each other,
bluff with a Wild Draw Four, challenge and prompt, each now and then.
"""

from collections.abc import Callable, Sequence
from random import Random

from games.engine.cards import COLOR, COLORS, NUMBER, POINTS, WILD_FOUR, WILDS, Card, Color
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealStarted,
    Event,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    Seat,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.hiding import hide
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
    TABLE_PHASES,
    TURN_CARD,
    State,
    copies_to_deal,
)
from games.engine.transitions import advance
from games.engine.transitions.challenge import proven_verdict
from games.engine.transitions.closing import unshown
from games.engine.transitions.effects import can_answer
from games.engine.transitions.turns import must_play

STYLES = ("sensible", "random")


def play_random_game(
    ruleset: Ruleset,
    seats: int | Sequence[Seat],
    seed: int,
    *,
    table: bool = False,
    style: str = "sensible",
    longest: int = 5000,
    kin: tuple[tuple[int, int], ...] | None = None,
) -> list[Event]:
    """A whole game as a log: full, or with `table` only what everybody sees.

    `seats` is a number of players or the seats themselves. `sensible` bots get rid of dear cards and name the
    colour they hold most of; `random` ones play anything legal. A game of `longest` events is closed as out
    of time. `kin` are the relatives at the table, for rules that ask.
    """
    if style not in STYLES:
        raise ValueError(f"style is one of {', '.join(STYLES)}, not {style!r}")
    people = (
        tuple(Seat(f"Bot {seat + 1}") for seat in range(seats)) if isinstance(seats, int) else tuple(seats)
    )
    random = Random(seed)  # noqa: S311 - the same game from the same seed is the point
    opened = GameOpened(ruleset, people, kin)
    return _BotGame(opened, random, table, style == "sensible").play(longest)


class _BotGame:
    """One game being played: the pile with its cards, which no state knows, and the log so far."""

    def __init__(self, opened: GameOpened, random: Random, table: bool, sensible: bool) -> None:
        self.ruleset = opened.ruleset
        self.random = random
        self.sensible = sensible
        self.pile: list[Card] = []
        self.log: list[Event] = []
        self.state = State()
        self.public = State() if table else None
        self.happens(opened)
        self.steps: dict[str, Callable[[], None]] = {
            CUT: self.cut,
            DEAL: self.deal,
            TURN_CARD: self.turn_card,
            COLOR_PHASE: self.name_color,
            PLAY: self.play_or_draw,
            AFTER_DRAW: self.play_drawn_or_pass,
            ANSWER: self.answer,
            DRAW: self.draw_owed,
        }

    def play(self, longest: int) -> list[Event]:
        state, steps = self.state, self.steps
        while state.phase != OVER:
            if len(self.log) >= longest:
                self.happens(GameClosed("time", None))
                break
            if self.random.random() < 0.01:
                self.interrupt()
            steps[state.phase]()
        return self.log

    def happens(self, event: Event) -> None:
        advance(self.state, event)
        if self.public is None:
            self.log.append(event)
            return
        self.publish(self.public, hide(event))
        while self.public.phase == SHOW and self.state.phase != SHOW:
            seat = unshown(self.public)[0]
            self.publish(self.public, HandShown(seat, tuple(self.state.known[seat])))

    def publish(self, public: State, event: Event) -> None:
        advance(public, event)
        self.log.append(event)

    # Before the first turn

    def shuffled(self) -> list[Card]:
        cards = [card for card, copies in copies_to_deal(self.state).items() for _ in range(copies)]
        self.random.shuffle(cards)
        return cards

    def cut(self) -> None:
        cards = self.shuffled()
        cutters = [seat for seat, number in self.state.cut.items() if number is None]
        self.happens(DealerCut({seat: cards.pop() for seat in cutters}))

    def deal(self) -> None:
        dealer = self.state.dealer
        if dealer is None:
            return
        self.pile = self.shuffled()
        hands = {seat: self.take(self.ruleset.hand_size) for seat in self.state.active()}
        self.happens(DealStarted(dealer, hands))

    def take(self, count: int) -> tuple[Card, ...]:
        return tuple(self.pile.pop() for _ in range(count))

    def turn_card(self) -> None:
        card = self.pile.pop()
        self.happens(CardTurned(card))
        if card == WILD_FOUR:
            self.pile.insert(self.random.randrange(len(self.pile) + 1), card)

    def name_color(self) -> None:
        if self.state.player is not None:
            self.happens(ColorNamed(self.state.player, self.best_color(self.state.player)))

    # A turn

    def best_color(self, seat: int) -> Color:
        if not self.sensible:
            return self.random.choice(COLORS)
        counted = dict.fromkeys(COLORS, 0)
        for card in self.state.known[seat]:
            color = COLOR[card]
            if color is not None:
                counted[color] += 1
        return max(COLORS, key=counted.__getitem__)

    def play_or_draw(self) -> None:
        state, random = self.state, self.random
        seat = state.player
        if seat is None:
            return
        fitting = state.fitting()
        hand = state.known[seat]
        choices = [card for card in hand if card in fitting and card != WILD_FOUR]
        bluffs = not choices or random.random() < 0.05
        if bluffs and WILD_FOUR in hand and not state.taken_back:
            choices = [WILD_FOUR]
        if len(hand) == 1 and not self.ruleset.finish_on_action:
            choices = [card for card in choices if NUMBER[card] is not None]
        willing = self.ruleset.voluntary_draw and not state.taken_back and random.random() < 0.05
        if not choices or willing:
            self.draw_one(seat)
        elif self.sensible:
            self.lay(seat, max(choices, key=self.worth))
        else:
            self.lay(seat, choices[int(random.random() * len(choices))])

    def worth(self, card: Card) -> int:
        """Dear cards first, wilds kept for later."""
        return -1 if card in WILDS else POINTS[card]

    def lay(self, seat: int, card: Card) -> None:
        color = self.best_color(seat) if card in WILDS else None
        cards = self.with_others(seat, card)
        one_left = len(self.state.known[seat]) == len(cards) + 1
        said = True if one_left and self.random.random() < 0.7 else None
        self.happens(CardsPlayed(seat, cards, color, said))
        if one_left and not said:
            self.notice(seat)
        if self.state.gift is not None and NUMBER[card] == 0:
            self.give(seat)

    def with_others(self, seat: int, card: Card) -> tuple[Card, ...]:
        """The card, and what goes with it where the rules let several go together."""
        number = NUMBER[card]
        burn = self.ruleset.burn
        if self.state.phase != PLAY or number is None or not (burn or not self.ruleset.single_card_per_turn):
            return (card,)
        others = list(self.state.known[seat])
        others.remove(card)
        if not self.ruleset.single_card_per_turn and self.random.random() < 0.8:
            return (card, *(other for other in others if NUMBER[other] == number))
        return (card, card) if burn and card in others else (card,)

    def give(self, seat: int) -> None:
        """After a 0, perhaps a relative draws."""
        state = self.state
        kin = [one if other == seat else other for one, other in state.kin if seat in (one, other)]
        present = [other for other in kin if other not in state.left]
        if present and state.phase in TABLE_PHASES and self.random.random() < 0.5:
            self.happens(ZeroGift(seat, present[0]))

    def notice(self, seat: int) -> None:
        """UNO was forgotten: perhaps it is still called, perhaps somebody catches it."""
        state = self.state
        if not any(missed == seat for missed, _ in state.missed):
            return
        chance = self.random.random()
        if chance < 0.5:
            others = [other for other in state.active() if other != seat]
            catcher = self.random.choice(others) if chance < 0.4 else None
            self.happens(UnoCaught(seat, catcher))
        elif chance < 0.8 and self.ruleset.uno_call != "with_card":
            self.happens(UnoCalled(seat))

    def interrupt(self) -> None:
        """Somebody prompts, where that costs cards."""
        state = self.state
        if state.turn is None:
            return
        if state.phase in (PLAY, AFTER_DRAW, ANSWER) and self.ruleset.wrong_card_penalty:
            # A second player out in a deal that goes on holds no card that could be named.
            named = self.random.choice((None, *state.known[state.turn][:1]))
            self.happens(PenaltyGiven(state.turn, "wrong_card", named))
        elif self.ruleset.prompting_penalty:
            seat = self.random.choice(state.active())
            if state.out is None or state.held(seat):
                self.happens(PenaltyGiven(seat, "prompting"))

    # Drawing

    def reshuffle(self) -> bool:
        """Whether the discards could be made a new pile."""
        state = self.state
        taken = state.spare_discards()
        if not taken:
            return False
        self.pile = state.discards[:taken]
        self.random.shuffle(self.pile)
        self.happens(PileReshuffled())
        return True

    def draw_one(self, seat: int) -> None:
        if self.pile or self.reshuffle():
            self.happens(CardsDrawn(seat, 1, (self.pile.pop(),)))
        elif must_play(self.state, seat) is None:
            self.happens(TurnPassed(seat))

    def play_drawn_or_pass(self) -> None:
        state = self.state
        seat, card = state.player, state.drawn
        if seat is None or card is None:
            return
        plays = card in state.fitting() and (
            self.ruleset.finish_on_action or NUMBER[card] is not None or len(state.known[seat]) > 1
        )
        if plays and (self.ruleset.drawn_card == "must_play" or self.random.random() < 0.9):
            self.lay(seat, card)
        else:
            self.happens(TurnPassed(seat))

    def draw_owed(self) -> None:
        state = self.state
        if not self.pile:
            self.reshuffle()
        count = min(state.owed, len(self.pile))
        self.happens(CardsDrawn(state.debts[-1].seat, count, self.take(count)))

    def answer(self) -> None:
        state = self.state
        seat, hit = state.player, state.hit
        if seat is None or hit is None:
            return
        answers = [
            card
            for card in state.known[seat]
            if state.is_draw_card(card) and can_answer(state, state.top == WILD_FOUR, card)
        ]
        if len(state.known[seat]) == 1 and not self.ruleset.finish_on_action:
            answers = []
        if state.challengeable() and self.random.random() < 0.3:
            hand = state.known[hit.offender]
            upheld = bool(proven_verdict(state, hit, hand, 0))
            shown = tuple(hand) if self.random.random() < 0.5 else None
            self.happens(ChallengeMade(seat, upheld, shown))
        elif answers and self.random.random() < 0.7:
            self.lay(seat, answers[0])
        elif not self.pile and not self.reshuffle():
            self.happens(TurnPassed(seat))
        else:
            count = min(state.owed, len(self.pile))
            self.happens(CardsDrawn(seat, count, self.take(count)))
