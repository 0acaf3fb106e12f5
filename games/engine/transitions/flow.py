"""Whose turn it is and what is owed: the two things every other subject moves."""

from typing import Final

from games.engine.state import (
    HIT,
    HIT_THEN_PLAY,
    PENALTY_ENDS_TURN,
    PLAY,
    Debt,
    ImpossibleStateError,
    State,
)
from games.engine.transitions.closing import end_deal

CATCH_TURNS: Final = {"next_acts": 1, "second_next_acts": 2}
"""How many turns after the one in which a call was missed the act comes that ends its catching."""


def begin_turn(state: State, seat: int) -> None:
    """A turn of `seat` begins, in `play`."""
    state.turns += 1
    state.player = seat
    state.hit = None
    state.drawn = None
    state.taken_back = state.can_draw_instead = False
    state.waiting = PLAY


def end_turn(state: State) -> None:
    """The turn is over: the next player's begins, unless somebody is out and the deal ends first."""
    if state.player is None:
        raise ImpossibleStateError("a turn ends that is nobody's")
    begin_turn(state, state.next_seat(state.player))
    if state.out is not None:
        end_deal(state)


def act(state: State) -> None:
    """The seat to play acts, which ends the windows that its turn closes."""
    state.last_act = state.turns
    if state.missed:
        window = CATCH_TURNS[state.ruleset.uno_catch_window]
        state.missed = [(seat, turn) for seat, turn in state.missed if state.turns < turn + window]


def owe(state: State, seat: int, count: int, reason: str) -> None:
    """`seat` has to draw before anything that was waiting. Call `settle` when all is pushed."""
    state.debts.append(Debt(seat, count, reason))


def settle(state: State) -> None:
    """Go on to what waits now: the last debt of which a card can be drawn, or what follows them all.

    A debt of which nothing can be drawn lapses. One of which something can is kept whole.
    Once somebody is out nobody plays any more: the last draw ends the deal.
    """
    while state.debts:
        if state.debts[-1].count > 0 and state.drawable():
            return
        _after(state, state.debts.pop().reason)
    if state.out is not None and state.waiting == PLAY:
        end_deal(state)


def _after(state: State, reason: str) -> None:
    """What follows when a debt is paid, or has lapsed since nothing can be drawn."""
    if reason in (HIT, PENALTY_ENDS_TURN):
        end_turn(state)
    elif reason == HIT_THEN_PLAY:
        state.waiting = PLAY
