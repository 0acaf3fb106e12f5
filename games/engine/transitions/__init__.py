"""One table for all transitions: for each phase and type of event, what checks it and what follows from it.

Every check only looks, and raises a Refusal; every evolution only acts on what was checked. So a refused
event changes nothing, and what is legal can be asked without playing it.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.events import (
    EVENT_CLASSES,
    EVENT_FIELDS,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    Event,
    EventVoided,
    GameOpened,
    HandShown,
    TurnPassed,
)
from games.engine.refusals import Refusal
from games.engine.state import (
    AFTER_DRAW,
    ANSWER,
    COLOR_PHASE,
    CUT,
    DEAL,
    DRAW,
    OVER,
    PHASES,
    PLAY,
    SHOW,
    START,
    TURN_CARD,
    ImpossibleStateError,
    State,
)
from games.engine.transitions import (
    challenge,
    closing,
    draws,
    effects,
    opening,
    penalties,
    turns,
    uno,
)
from games.engine.transitions.transition_types import Check, Transition, never

_SEAT_FIELDS: Final = {
    cls: [name for name, kind in kinds.items() if kind.name == "seat" or kind.name.endswith("_by_seat")]
    for cls, kinds in EVENT_FIELDS.items()
}
"""The fields of each type that hold a seat, or objects with seats as keys."""


def check_seats(state: State, event: Any) -> None:
    """Refusal `malformed` for a seat or team that isn't at the table, once that is opened."""
    kind = event.__class__
    if state.phase != START:
        last = len(state.seats) - 1
        for name in _SEAT_FIELDS[kind]:
            value = getattr(event, name)
            for seat in (value,) if isinstance(value, int) else value or ():
                if seat > last:
                    raise Refusal(
                        "malformed",
                        "there is no seat {given}: the seats at this table are 0 to {last}",
                        given=seat,
                        last=last,
                    )
    if kind in _AT_TABLE and (state.phase != START or kind is GameOpened):
        _AT_TABLE[kind](state, event)


_AT_TABLE: Final[Mapping[type[Event], Check]] = {**opening.AT_TABLE, **uno.AT_TABLE, **closing.AT_TABLE}
"""What is checked of a type beside its seats."""
_ONE_SEAT: Final = frozenset(
    cls for cls, names in _SEAT_FIELDS.items() if names == ["seat"] and cls not in _AT_TABLE
)
"""The types that name one seat and nothing else of the table."""


_EXPECTED: Final[dict[str, tuple[type[Event], ...]]] = {
    START: (GameOpened,),
    CUT: (DealerCut, DealerNamed),
    DEAL: (DealStarted,),
    TURN_CARD: (CardTurned,),
    COLOR_PHASE: (ColorNamed,),
    PLAY: (CardsPlayed, CardsDrawn),
    AFTER_DRAW: (CardsPlayed, TurnPassed),
    SHOW: (HandShown,),
}


def _out_of_order(state: State, event: Event) -> None:
    raise Refusal(
        "out-of-order",
        "{given:event} can't come now: expected {due:events}",
        given=event.__class__,
        due=_expected(state),
    )


def _expected(state: State) -> tuple[type[Event], ...]:
    """The types of log events that the phase waits for."""
    if state.phase != ANSWER:
        return _EXPECTED[state.phase]
    due: list[type[Event]] = [CardsDrawn]
    if effects.can_be_answered(state, state.awaited_hit().four):
        due.append(CardsPlayed)
    if state.challengeable():
        due.append(ChallengeMade)
    return tuple(due)


def _game_over(state: State, event: Event) -> None:
    raise Refusal("game-over", "the game is over: only {due:event} can follow", due=EventVoided)


def _needs_log(state: State, event: EventVoided) -> None:
    raise TypeError("a correction needs the whole log: see games.engine.corrections")


_MODULES: Final = (opening, turns, draws, challenge, uno, penalties, closing)


def _transitions(phase: str) -> dict[type[Event], Transition]:
    """Every type's transition in a phase; what no module handles is refused."""
    refuse: Check = _game_over if phase == OVER else draws.refuse_owing if phase == DRAW else _out_of_order
    found: dict[type[Event], Transition] = dict.fromkeys(EVENT_CLASSES, (refuse, never))
    for module in _MODULES:
        for cls, phases in module.HANDLES.items():
            found[cls] = phases.get(phase, found[cls])
    found[EventVoided] = (_needs_log, never)
    return found


TRANSITIONS: Final[dict[str, dict[type[Event], Transition]]] = {
    phase: _transitions(phase) for phase in PHASES
}
"""Every transition there is. One table serves known and hidden hands alike."""


def advance(state: State, event: Event) -> None:
    """Check one event and let it happen, in place; Refusal, and nothing changed, if it can't be.

    A correction needs the log as well: `games.engine.corrections`. Raises `ImpossibleStateError`, after which
    the state is of no more use.
    """
    kind = event.__class__
    named: Any = event
    try:
        # Most events name one seat: asked here, it costs them no call.
        if kind not in _ONE_SEAT or named.seat >= len(state.seats):
            check_seats(state, event)
        # It is `state.phase`, without the call of a property.
        check, evolve = TRANSITIONS[DRAW if state.debts else state.waiting][kind]
        check(state, event)
    except Refusal as refusal:
        raise refusal.at(state.events + 1, kind.type) from None
    except ImpossibleStateError as error:
        raise _placed(error, state, event) from None
    try:
        evolve(state, event)
    except ImpossibleStateError as error:
        raise _placed(error, state, event) from None
    state.events += 1


def _placed(error: ImpossibleStateError, state: State, event: Event) -> ImpossibleStateError:
    """The same error, which says at which log event it was met."""
    error.line, error.type = state.events + 1, event.type
    return error


def refusal_of(state: State, event: Event) -> Refusal | None:
    """Why an event can't come next, or None if it can. The state stays as it is."""
    try:
        check_seats(state, event)
        TRANSITIONS[state.phase][event.__class__][0](state, event)
    except Refusal as refusal:
        return refusal.at(state.events + 1, event.type)
    return None
