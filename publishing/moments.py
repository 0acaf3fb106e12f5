"""A game between two log events, as everybody around the table sees it: how many cards, never which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from games.engine import Event, Log, State


@dataclass(frozen=True, slots=True)
class Moment:
    """What stood after so many events. Seats count from 0; `turn` is whose move it is, None where nobody's.

    `owed` are the cards that `turn` has to draw, `offender` who played the Wild Draw Four that waits for an
    answer, `scores` the totals and `last_deal` the points of the last deal that ended, by seat.
    """

    phase: str
    turn: int | None
    owed: int
    direction: int
    dealer: int | None
    deal: int
    top: str | None
    color: str | None
    hands: tuple[int, ...]
    pile: int
    discards: int
    out: int | None
    left: tuple[int, ...]
    offender: int | None
    uno_due: tuple[int, ...]
    cutting: tuple[int, ...]
    deals_ended: int
    last_deal: tuple[int, ...]
    scores: tuple[int, ...]
    by_points: bool
    winner: int | None
    team: str | None

    @classmethod
    def of(cls, state: State) -> Self:
        """Take what is open to all from the engine's state."""
        return cls(
            phase=state.phase,
            turn=state.turn,
            owed=state.owed,
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
            offender=state.hit.offender if state.hit is not None else None,
            uno_due=tuple(seat for seat, _ in state.missed),
            cutting=tuple(state.cut),
            deals_ended=len(state.deal_scores),
            last_deal=tuple(state.deal_scores[-1]) if state.deal_scores else (),
            scores=tuple(state.scores),
            by_points=state.ruleset.scoring != "first_out",
            winner=state.winner,
            team=state.team,
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def next_seat(self, seat: int) -> int:
        """The next seat still in the game, the way the game goes."""
        count = len(self.hands)
        seat = (seat + self.direction) % count
        while seat in self.left:
            seat = (seat + self.direction) % count
        return seat

    def players(self) -> int:
        """How many are still in the game."""
        return len(self.hands) - len(self.left)


def moments(events: Sequence[Event]) -> list[Moment]:
    """The moments before the first event and after each one, corrections included: one more than events.

    Raises the first Refusal of a log that can't be replayed.
    """
    log = Log()
    seen = [Moment.of(log.state)]
    for event in events:
        log.add(event)
        seen.append(Moment.of(log.state))
    return seen
