"""The state of one game: what its log says so far, as one mutable object.

Only `games.engine.transitions` changes it. Of each hand the engine keeps the cards that it knows (`known`)
and the number of the others (`unknown`). The draw pile is only a number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
DEBT_REASONS: Final = (PENALTY, PENALTY_ENDS_TURN, HIT, HIT_THEN_PLAY)


class ImpossibleStateError(Exception):
    """The engine met a state in which no game can be: a fault of its own, or a state that was altered.

    It is no refusal: nothing is wrong with the log event. `what` says what is impossible, in English for
    programmers. `line` and `type` are of the log event at which it was met, None where it isn't known. The
    state is of no more use.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.line: int | None = None
        self.type: str | None = None


@dataclass(slots=True, eq=False)
class Debt:
    """Cards that a seat has to draw before anything that was waiting, and why."""

    seat: int
    count: int
    reason: str


@dataclass(slots=True, eq=False)
class Hit:
    """A draw card (or several) that the seat to play can still answer.

    `offender` played the last one. For a Wild Draw Four (`four`) it holds what its judgement needs, beginning
    with the colour and the top card it was played on. The offender's hand beside it at that moment was the
    `known` cards and a number of `unknown` ones. Since then the offender drew the `drawn` cards, which are
    known, and `drawn_unknown` others. Where it `answers` another draw card, `first_color` was in play before
    the first Wild Draw Four.
    """

    offender: int
    total: int
    four: bool
    answers: bool = False
    color: Color | None = None
    first_color: Color | None = None
    top: Card | None = None
    unknown: int = 0
    drawn: list[Card] = field(default_factory=list)
    drawn_unknown: int = 0
    known: tuple[Card, ...] = ()


@dataclass(slots=True, eq=False)
class State:
    """A game after so many log events. A new one waits for `game_opened`.

    `waiting` is what the engine waits for once all `debts` (the last one first) are drawn. `turns` counts
    turns, `last_act` is the turn in which somebody last acted: these two say how long a window is open.
    `missed` holds (seat, turn) of each call of UNO that is due.
    """

    ruleset: Ruleset = DEFAULT_RULESET
    seats: tuple[Seat, ...] = ()
    kin: tuple[tuple[int, int], ...] = ()
    limit: Mapping[Card, int] = field(default_factory=dict)
    """How often the packs hold each card."""
    events: int = 0
    """Log events read so far, corrections and what they took out included."""
    waiting: str = START
    cut: dict[int, int | None] = field(default_factory=dict)
    """The numbers cut by those who can still become dealer; None for who has to cut."""
    dealer: int | None = None
    deal: int = 0
    player: int | None = None
    """Whose turn it is, debts aside."""
    direction: int = 1
    top: Card | None = None
    color: Color | None = None
    known: list[list[Card]] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    pile: int = 0
    discards: list[Card] = field(default_factory=list)
    seen: dict[Card, int] = field(default_factory=dict)
    """How often each card is visible: in the discards and among the known cards of hands."""
    drawn: Card | None = None
    """In `after_draw` the card that was drawn, where it is known."""
    named: list[Card] = field(default_factory=list)
    """Wrong cards named after a draw unseen: any of them may be the one that was drawn."""
    debts: list[Debt] = field(default_factory=list)
    hit: Hit | None = None
    turns: int = 0
    last_act: int = 0
    missed: list[tuple[int, int]] = field(default_factory=list)
    taken_back: bool = False
    """Whether the seat to play took back a Wild Draw Four and has to play another card."""
    can_draw_instead: bool = False
    """Whether that seat may draw where no known card of its fits: the card was judged by cards that
    needn't go on the pile, such as those of another colour than the one in play.
    """
    gift: tuple[int, int] | None = None
    """Who played a 0 last, and in which turn, where the rules let that make a relative draw."""
    out: int | None = None
    """Who went out in this deal, the first if there are more."""
    points: dict[int, int] = field(default_factory=dict)
    """Hands shown as points after this deal."""
    scores: list[int] = field(default_factory=list)
    deal_scores: list[list[int]] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    winner: int | None = None
    team: str | None = None
    close_reason: str | None = None
    """Once it is over: `played` to its end, or the reason of `game_closed`."""

    @property
    def phase(self) -> str:
        """What the engine waits for: `draw` while cards are owed, else what is `waiting`."""
        return DRAW if self.debts else self.waiting

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.waiting == OVER

    @property
    def turn(self) -> int | None:
        """The seat whose move it is: who owes, in `draw`; None where it is nobody's."""
        if self.debts:
            return self.debts[-1].seat
        return self.player if self.waiting in (COLOR_PHASE, PLAY, AFTER_DRAW, ANSWER) else None

    @property
    def owed(self) -> int:
        """Cards that `turn` has to draw, or would (in `answer`); 0 elsewhere.

        It is the whole debt: whether so many can be drawn is found out by drawing.
        """
        if self.debts:
            return self.debts[-1].count
        return self.awaited_hit().total if self.waiting == ANSWER else 0

    def awaited_hit(self) -> Hit:
        """The draw card that waits for its answer."""
        if self.hit is None:
            raise ImpossibleStateError("no draw card waits for an answer")
        return self.hit

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
            if len(self.left) >= count:
                raise ImpossibleStateError("everybody has left the table")
            seat = (seat + self.direction) % count
        return seat

    def two_left(self) -> bool:
        """Whether two players are in the game, for the rules that speak of two."""
        return len(self.seats) - len(self.left) == 2

    def fitting(self, color: Color | None = None, top: Card | None = None) -> frozenset[Card]:
        """The cards that go on the pile, or on another colour and top card, Wild Draw Fours among them."""
        color = color or self.color
        top = top or self.top
        if color is None or top is None:
            raise ImpossibleStateError(f"the colour is {color} and the top card {top}")
        if self.ruleset.reverse_matches_skip and self.two_left():
            return FITS_TWINS[color][top]
        return FITS[color][top]

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
