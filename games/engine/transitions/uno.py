"""Calling UNO after the card landed, and catching who forgot."""

from games.engine.events import UnoCalled, UnoCaught
from games.engine.refusals import Refusal
from games.engine.state import PENALTY, State
from games.engine.transitions.flow import owe, settle


def _missed(state: State, seat: int) -> int | None:
    """The turn in which a seat forgot to call, if that is still open."""
    return next((turn for missed, turn in state.missed if missed == seat), None)


def check_call(state: State, event: UnoCalled) -> None:
    """A call that is still in time."""
    turn = _missed(state, event.seat)
    rule = state.ruleset.uno_call
    if turn is None:
        raise Refusal("no-uno-to-call", f"seat {event.seat} has no UNO to call now")
    if rule == "with_card":
        raise Refusal("no-uno-to-call", "UNO is said before the card lands; now it is too late")
    if rule == "until_next_acts" and state.last_act > turn:
        raise Refusal("no-uno-to-call", "the next player has acted; now it is too late")


def check_catch(state: State, event: UnoCaught) -> None:
    """A missed call that nobody has closed yet."""
    if _missed(state, event.seat) is None:
        raise Refusal("no-uno-to-catch", f"seat {event.seat} has forgotten no UNO, or it is too late")


def evolve_call(state: State, event: UnoCalled) -> None:
    """Nothing is due any more."""
    _settle_missed(state, event.seat)


def evolve_catch(state: State, event: UnoCaught) -> None:
    """Who forgot draws, before anything else."""
    _settle_missed(state, event.seat)
    owe(state, event.seat, state.ruleset.uno_penalty, PENALTY)
    settle(state)


def _settle_missed(state: State, seat: int) -> None:
    state.missed = [(missed, turn) for missed, turn in state.missed if missed != seat]
