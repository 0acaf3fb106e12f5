"""Calling UNO after the card landed, and catching who forgot."""

from collections.abc import Mapping
from typing import Final

from games.engine.events import Event, UnoCalled, UnoCaught
from games.engine.refusals import Refusal
from games.engine.state import PENALTY, TABLE_PHASES, State
from games.engine.transitions.flow import owe, settle
from games.engine.transitions.transition_types import Check, Handles


def _missed(state: State, seat: int) -> int | None:
    """The last turn in which a seat forgot to call, if that is still open."""
    return max((turn for missed, turn in state.missed if missed == seat), default=None)


def check_call(state: State, event: UnoCalled) -> None:
    """A call that is still in time."""
    turn = _missed(state, event.seat)
    if turn is None:
        raise Refusal("no-uno-to-call", "{seat:seat} has no UNO to call now", seat=event.seat)
    if state.ruleset.uno_call == "with_card":
        raise Refusal(
            "no-uno-to-call", "UNO is said before the card lands: now it is too late", rule="uno_call"
        )
    if not _in_time(state, turn):
        raise Refusal(
            "no-uno-to-call", "the next player has played or drawn: now it is too late", rule="uno_call"
        )


def _in_time(state: State, turn: int) -> bool:
    """Whether a call can still make good what was forgotten in that turn."""
    return state.ruleset.uno_call != "until_next_acts" or state.last_act <= turn


def check_catcher(state: State, event: UnoCaught) -> None:
    """Somebody who still plays noticed."""
    if event.catcher in state.left:
        raise Refusal(
            "malformed",
            "{seat:seat} has left the table: `catcher` is somebody who still plays",
            seat=event.catcher,
        )


def check_catch(state: State, event: UnoCaught) -> None:
    """A missed call that nobody has closed yet."""
    if _missed(state, event.seat) is None:
        raise Refusal(
            "no-uno-to-catch",
            "{seat:seat} has forgotten no UNO, or it is too late",
            seat=event.seat,
            rule="uno_catch_window",
        )


def evolve_call(state: State, event: UnoCalled) -> None:
    """What was called in time isn't due any more; what was forgotten before that can still be caught."""
    state.missed = [
        (seat, turn) for seat, turn in state.missed if seat != event.seat or not _in_time(state, turn)
    ]


def evolve_catch(state: State, event: UnoCaught) -> None:
    """Who forgot draws, before anything else."""
    state.missed = [(seat, turn) for seat, turn in state.missed if seat != event.seat]
    owe(state, event.seat, state.ruleset.uno_penalty, PENALTY)
    settle(state)


HANDLES: Final[Handles] = {
    UnoCalled: dict.fromkeys(TABLE_PHASES, (check_call, evolve_call)),
    UnoCaught: dict.fromkeys(TABLE_PHASES, (check_catch, evolve_catch)),
}
AT_TABLE: Final[Mapping[type[Event], Check]] = {UnoCaught: check_catcher}
