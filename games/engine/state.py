"""The state of one game: what its log says so far, as one mutable object.

Only `games.engine.transitions` changes it. Of each hand the engine keeps the cards that it knows (`known`)
and the number of those that it doesn't (`unknown`); the draw pile is only a number.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from games.engine.cards import (
    COPIES,
    DRAW_TWO,
    FITS,
    FITS_TWINS,
    REVERSE,
    SYMBOL,
    WILD_FOUR,
    Card,
    Color,
)
from games.engine.events import Seat
from games.engine.ruleset import DEFAULT_RULESET, Ruleset

START: Final = "start"
CUT: Final = "cut"
DEAL: Final = "deal"
TURN_CARD: Final = "turn_card"
COLOR_PHASE: Final = "color"
PLAY: Final = "play"
AFTER_DRAW: Final = "after_draw"
ANSWER: Final = "answer"
DRAW: Final = "draw"
SHOW: Final = "show"
OVER: Final = "over"

PHASES: Final = (START, CUT, DEAL, TURN_CARD, COLOR_PHASE, PLAY, AFTER_DRAW, ANSWER, DRAW, SHOW, OVER)
TABLE_PHASES: Final = (COLOR_PHASE, PLAY, AFTER_DRAW, ANSWER, DRAW)
"""The five phases in which calls, catches, penalties and gifts can come at any moment."""

# Why a seat owes cards, which says what follows when they are drawn.
PENALTY: Final = "penalty"
"""The game goes on where it was."""
PENALTY_ENDS_TURN: Final = "penalty_ends_turn"
"""The turn of the seat to play is over."""
HIT: Final = "hit"
"""A draw card: the turn of the seat to play is over; drawing is its act."""
HIT_THEN_PLAY: Final = "hit_then_play"
"""A draw card that doesn't take the turn away; drawing is its act."""


class Debt:
    """Cards that a seat has to draw before anything that was waiting, and why."""

    __slots__ = ("count", "reason", "seat")

    def __init__(self, seat: int, count: int, reason: str) -> None:
        self.seat = seat
        self.count = count
        self.reason = reason


class Hit:
    """A draw card (or several) that the seat to play can still answer.

    `offender` played the last one. For a Wild Draw Four (`four`), what its judgement needs: the colour and
    the top card it was played on, the offender's hand beside it at that moment (`known` cards and a number of
    `unknown` ones), and what the offender drew since (`drawn` cards that are known, `drawn_unknown` others).
    Where it `answers` another draw card, `first_color` was in play before the first Wild Draw Four.
    """

    __slots__ = (
        "answers",
        "color",
        "drawn",
        "drawn_unknown",
        "first_color",
        "four",
        "known",
        "offender",
        "top",
        "total",
        "unknown",
    )

    def __init__(self, offender: int, total: int, four: bool) -> None:
        self.offender = offender
        self.total = total
        self.four = four
        self.answers = False
        self.color: Color | None = None
        self.first_color: Color | None = None
        self.top: Card | None = None
        self.known: tuple[Card, ...] = ()
        self.unknown = 0
        self.drawn: list[Card] = []
        self.drawn_unknown = 0


class State:
    """A game after so many log events. A new one waits for `game_opened`.

    `phase` is what the engine waits for, `waiting` what it will wait for once all `debts` (the last one
    first) are drawn. `turns` counts turns, `last_act` is the turn in which somebody last acted: windows are
    told by these two. `missed` holds (seat, turn) of each call of UNO that is due.
    """

    __slots__ = (
        "can_draw_instead",
        "close_reason",
        "color",
        "cut",
        "deal",
        "deal_scores",
        "dealer",
        "debts",
        "direction",
        "discards",
        "drawn",
        "events",
        "gift",
        "hit",
        "kin",
        "known",
        "last_act",
        "left",
        "limit",
        "missed",
        "named",
        "out",
        "phase",
        "pile",
        "player",
        "points",
        "ruleset",
        "scores",
        "seats",
        "seen",
        "taken_back",
        "team",
        "top",
        "turns",
        "unknown",
        "waiting",
        "winner",
    )

    def __init__(self) -> None:
        self.ruleset: Ruleset = DEFAULT_RULESET
        self.seats: tuple[Seat, ...] = ()
        self.kin: tuple[tuple[int, int], ...] = ()
        self.limit: Mapping[Card, int] = {}
        """How often the packs hold each card."""
        self.events = 0
        """Log events read so far, corrections and what they took out included."""
        self.phase: str = START
        self.waiting: str = START
        self.cut: dict[int, int | None] = {}
        """The numbers cut by those who can still become dealer; None for who has to cut."""
        self.dealer: int | None = None
        self.deal = 0
        self.player: int | None = None
        """Whose turn it is, debts aside."""
        self.direction = 1
        self.top: Card | None = None
        self.color: Color | None = None
        self.known: list[list[Card]] = []
        self.unknown: list[int] = []
        self.pile = 0
        self.discards: list[Card] = []
        self.seen: dict[Card, int] = {}
        """How often each card is visible: in the discards and among the known cards of hands."""
        self.drawn: Card | None = None
        """In `after_draw` the card that was drawn, where it is known."""
        self.named: list[Card] = []
        """Wrong cards named after a draw unseen: any of them may be the one that was drawn."""
        self.debts: list[Debt] = []
        self.hit: Hit | None = None
        self.turns = 0
        self.last_act = 0
        self.missed: list[tuple[int, int]] = []
        self.taken_back = False
        """Whether the seat to play took back a Wild Draw Four and has to play another card."""
        self.can_draw_instead = False
        """Whether that seat may draw where no known card of its fits: the card was judged by cards that
        needn't go on the pile, such as those of another colour than the one in play.
        """
        self.gift: tuple[int, int] | None = None
        """Who played a 0 last, and in which turn, where the rules let that make a relative draw."""
        self.out: int | None = None
        """Who went out in this deal, the first if there are more."""
        self.points: dict[int, int] = {}
        """Hands shown as points after this deal."""
        self.scores: list[int] = []
        self.deal_scores: list[list[int]] = []
        self.left: list[int] = []
        self.winner: int | None = None
        self.team: str | None = None
        self.close_reason: str | None = None
        """Once it is over: `played` to its end, or the reason of `game_closed`."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    @property
    def turn(self) -> int | None:
        """The seat whose move it is: who owes, in `draw`; None where it is nobody's."""
        phase = self.phase
        if phase == DRAW:
            return self.debts[-1].seat
        return self.player if phase in (COLOR_PHASE, PLAY, AFTER_DRAW, ANSWER) else None

    @property
    def owed(self) -> int:
        """Cards that `turn` has to draw, or would (in `answer`); 0 elsewhere.

        It is the whole debt: whether so many can be drawn is found out by drawing.
        """
        if self.phase == DRAW:
            return self.debts[-1].count
        if self.phase == ANSWER and self.hit is not None:
            return self.hit.total
        return 0

    def held(self, seat: int) -> int:
        """How many cards a seat holds."""
        return len(self.known[seat]) + self.unknown[seat]

    @property
    def hands(self) -> list[int]:
        """How many cards each seat holds."""
        return [len(known) + unknown for known, unknown in zip(self.known, self.unknown, strict=True)]

    def active(self) -> list[int]:
        """The seats still in the game."""
        return [seat for seat in range(len(self.seats)) if seat not in self.left]

    def next_seat(self, seat: int) -> int:
        """The next seat still in the game, in the current direction."""
        count = len(self.seats)
        seat = (seat + self.direction) % count
        while seat in self.left:
            seat = (seat + self.direction) % count
        return seat

    def two_left(self) -> bool:
        """Whether two players are in the game, for the rules that speak of two."""
        return len(self.seats) - len(self.left) == 2

    def fitting(self) -> frozenset[Card]:
        """The cards that go on the pile, Wild Draw Fours included; empty before a colour is in play."""
        if self.color is None or self.top is None:
            return frozenset()
        if self.ruleset.reverse_matches_skip and self.two_left():
            return FITS_TWINS[self.color][self.top]
        return FITS[self.color][self.top]

    def challengeable(self) -> bool:
        """Whether a Wild Draw Four waits that the seat to play may challenge (after penalties are drawn)."""
        return self.waiting == ANSWER and self.hit is not None and self.hit.four and self.ruleset.challenge

    def spare_discards(self) -> int:
        """How many discards a reshuffle would take: all under the top, and under a card that may go back."""
        return max(0, len(self.discards) - (2 if self.challengeable() else 1))

    def drawable(self) -> int:
        """How many cards can be drawn now, those that a reshuffle would take included."""
        return self.pile + self.spare_discards()

    def is_draw_card(self, card: Card) -> bool:
        """Whether a card makes somebody draw."""
        return card == WILD_FOUR or SYMBOL[card] == DRAW_TWO


@cache
def copies_in(decks: int, *, reverses: bool = True) -> Mapping[Card, int]:
    """How often so many packs hold each card, with or without their Reverses. Shared: nobody changes it."""
    return {
        card: copies * decks if reverses or SYMBOL[card] != REVERSE else 0 for card, copies in COPIES.items()
    }


def copies_to_deal(state: State) -> Mapping[Card, int]:
    """How often each card is in the packs that are dealt next: Reverses may be taken out for two players."""
    ruleset = state.ruleset
    removed = ruleset.reverse_with_two == "removed" and state.two_left()
    return copies_in(ruleset.decks, reverses=not removed)


def fitting_cards(state: State, color: Color, top: Card) -> frozenset[Card]:
    """The cards that go on such a top card with such a colour in play, Wild Draw Fours included."""
    if state.ruleset.reverse_matches_skip and state.two_left():
        return FITS_TWINS[color][top]
    return FITS[color][top]
