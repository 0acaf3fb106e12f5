"""A game between two log events, as everybody around the table sees it: how many cards, never which."""

from dataclasses import dataclass
from typing import Self

from games.engine.cards import WILD_FOUR, Card, Color
from games.engine.ruleset import Ruleset
from games.engine.state import ANSWER, OVER, TABLE_PHASES, State
from games.engine.transitions.closing import unshown
from games.engine.transitions.effects import can_answer


@dataclass(frozen=True, slots=True)
class Owed:
    """Cards that a seat has to draw, and why: see `games.engine.state.Debt`."""

    seat: int
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A draw card that can still be answered: see `games.engine.state.Hit`.

    `may_challenge`, and the `answers` by the rules: a Draw Two (of any colour, here `R+2`), `W+4`.
    """

    offender: int
    total: int
    four: bool
    is_answer: bool
    color: Color | None
    first_color: Color | None
    top: Card | None
    may_challenge: bool
    answers: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What stood after so many events. Seats count from 0; `turn` is whose move it is, None where nobody's.

    `player` is whose turn it is, debts aside, and `owed` the cards that `turn` has to draw; `drawable` is how
    many there are to be drawn, the discards turned over included; `debts` are all
    that is owed, the last one first to be drawn. `cut` holds the seats that can still become dealer, and
    whether each has to cut. `unshown` are the seats whose cards are still to be shown, `scores` the totals
    and `last_deal` the points of the last deal that ended, by seat.
    """

    ruleset: Ruleset
    phase: str
    waiting: str
    turn: int | None
    player: int | None
    owed: int
    drawable: int
    direction: int
    dealer: int | None
    deal: int
    top: Card | None
    color: Color | None
    hands: tuple[int, ...]
    pile: int
    discards: int
    out: int | None
    left: tuple[int, ...]
    hit: Waiting | None
    debts: tuple[Owed, ...]
    taken_back: bool
    can_draw_instead: bool
    uno_due: tuple[int, ...]
    cut: tuple[tuple[int, bool], ...]
    deals_ended: int
    last_deal: tuple[int, ...]
    unshown: tuple[int, ...]
    scores: tuple[int, ...]
    winner: int | None
    team: str | None

    @classmethod
    def of(cls, state: State) -> Self:
        """Take what is open to all from the engine's state."""
        return cls(
            ruleset=state.ruleset,
            phase=state.phase,
            waiting=state.waiting,
            turn=state.turn,
            player=state.player,
            owed=state.owed,
            drawable=state.drawable(),
            direction=state.direction,
            dealer=state.dealer,
            deal=state.deal,
            top=state.top,
            color=state.color,
            hands=tuple(state.hands),
            pile=state.pile,
            discards=len(state.discards),
            out=state.out,
            left=tuple(state.left),
            hit=_waiting(state),
            debts=tuple(Owed(debt.seat, debt.count, debt.reason) for debt in state.debts),
            taken_back=state.taken_back,
            can_draw_instead=state.can_draw_instead,
            uno_due=tuple(seat for seat, _ in state.missed),
            cut=tuple((seat, number is None) for seat, number in state.cut.items()),
            deals_ended=len(state.deal_scores),
            last_deal=tuple(state.deal_scores[-1]) if state.deal_scores else (),
            unshown=tuple(unshown(state)) if state.phase == "show" else (),
            scores=tuple(state.scores),
            winner=state.winner,
            team=state.team,
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    @property
    def is_played(self) -> bool:
        """Whether a deal is being played, so that it is somebody's move."""
        return self.phase in TABLE_PHASES

    @property
    def by_points(self) -> bool:
        """Whether the rules count points."""
        return self.ruleset.scoring != "first_out"

    @property
    def players(self) -> int:
        """How many are still in the game."""
        return len(self.hands) - len(self.left)

    def next_seat(self, seat: int) -> int:
        """The next seat still in the game, the way the game goes."""
        count = len(self.hands)
        seat = (seat + self.direction) % count
        while seat in self.left:
            seat = (seat + self.direction) % count
        return seat


def _waiting(state: State) -> Waiting | None:
    hit = state.hit
    if hit is None or state.waiting != ANSWER:
        return None
    return Waiting(
        offender=hit.offender,
        total=hit.total,
        four=hit.four,
        is_answer=hit.answers,
        color=hit.color,
        first_color=hit.first_color,
        top=hit.top,
        may_challenge=state.challengeable(),
        answers=tuple(card for card in ("R+2", WILD_FOUR) if can_answer(state, hit.four, card)),
    )
