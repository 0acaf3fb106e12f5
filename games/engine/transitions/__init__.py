"""One table for all transitions: for each phase and type of event, what checks it and what follows from it.

Every check only looks, and raises a Refusal; every evolution only acts on what was checked. So a refused
event changes nothing, and what is legal can be asked without playing it.
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn

from games.engine.event_json import EVENT_FIELDS
from games.engine.events import (
    EVENT_CLASSES,
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
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.phrases import shown
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
    TABLE_PHASES,
    TURN_CARD,
    ImpossibleStateError,
    State,
)
from games.engine.transitions import challenge, closing, draws, effects, opening, penalties, turns, uno

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
    if kind in _BESIDES and (state.phase != START or kind is GameOpened):
        _BESIDES[kind](state, event)


def _opened(state: State, event: GameOpened) -> None:
    count = len(event.seats)
    for pair in event.kin or ():
        if max(pair) >= count:
            raise Refusal(
                "malformed",
                "`kin` names seat {given}, but only {count} players sit here, counted from 0",
                given=max(pair),
                count=count,
            )


def _caught(state: State, event: UnoCaught) -> None:
    if event.catcher in state.left:
        raise Refusal(
            "malformed",
            "{seat:seat} has left the table: `catcher` is somebody who still plays",
            seat=event.catcher,
        )


def _closed(state: State, event: GameClosed) -> None:
    if event.team is not None:
        teams = {seat.team for seat in state.seats if seat.team is not None}
        if event.team not in teams:
            raise Refusal(
                "malformed",
                "no team {given} sits at this table: its teams are {teams}",
                given=shown(event.team),
                teams=", ".join(sorted(teams)) or "–",
            )
    if event.places is not None and len(event.places) != len(state.seats):
        raise Refusal(
            "malformed",
            "`places` must name every seat at this table: 0 to {last}",
            last=len(state.seats) - 1,
        )


_BESIDES: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    GameOpened: _opened,
    UnoCaught: _caught,
    GameClosed: _closed,
}
"""What is checked of a type beside its seats."""
_ONE_SEAT: Final = frozenset(
    cls for cls, names in _SEAT_FIELDS.items() if names == ["seat"] and cls not in _BESIDES
)
"""The types that name one seat and nothing else of the table."""


Check = Callable[[State, Any], None]
Evolve = Callable[[State, Any], None]
Transition = tuple[Check, Evolve]


def _never(state: State, event: Event) -> NoReturn:
    raise ImpossibleStateError("a refused event happens")


_EXPECTED: Final = {
    START: ("game_opened",),
    CUT: ("dealer_cut", "dealer_named"),
    DEAL: ("deal_started",),
    TURN_CARD: ("card_turned",),
    COLOR_PHASE: ("color_named",),
    PLAY: ("cards_played", "cards_drawn"),
    AFTER_DRAW: ("cards_played", "turn_passed"),
    SHOW: ("hand_shown",),
}


def _out_of_order(state: State, event: Event) -> None:
    raise Refusal(
        "out-of-order",
        "{given:event} can't come now: expected {due:events}",
        given=event.type,
        due=_expected(state),
    )


def _expected(state: State) -> tuple[str, ...]:
    """The types of log events that the phase waits for."""
    if state.phase != ANSWER:
        return _EXPECTED[state.phase]
    due = [CardsDrawn.type]
    if effects.can_be_answered(state, state.awaited_hit().four):
        due.append(CardsPlayed.type)
    if state.challengeable():
        due.append(ChallengeMade.type)
    return tuple(due)


def _game_over(state: State, event: Event) -> None:
    raise Refusal("game-over", "the game is over: only {due:event} can follow", due=EventVoided.type)


def _needs_log(state: State, event: EventVoided) -> None:
    raise TypeError("a correction needs the whole log: see games.engine.corrections")


def _others(phase: str) -> dict[type[Event], Transition]:
    """What holds in a phase for every type that it doesn't list."""
    if phase == OVER:
        others: dict[type[Event], Transition] = dict.fromkeys(EVENT_CLASSES, (_game_over, _never))
    else:
        refuse: Check = draws.refuse_owing if phase == DRAW else _out_of_order
        others = dict.fromkeys(EVENT_CLASSES, (refuse, _never))
        if phase != START:
            others[GameClosed] = (closing.check_close, closing.evolve_close)
            others[ChallengeMade] = (challenge.refuse_challenge, _never)
            if phase != DRAW:
                others[TurnPassed] = (turns.refuse_pass, _never)
    if phase in TABLE_PHASES:
        others[UnoCalled] = (uno.check_call, uno.evolve_call)
        others[UnoCaught] = (uno.check_catch, uno.evolve_catch)
        others[PenaltyGiven] = (penalties.check_penalty, penalties.evolve_penalty)
        others[ZeroGift] = (penalties.check_gift, penalties.evolve_gift)
    if phase in (PLAY, AFTER_DRAW, ANSWER, DRAW):
        others[PileReshuffled] = (draws.check_reshuffle, draws.evolve_reshuffle)
    others[EventVoided] = (_needs_log, _never)
    return others


_LISTED: Final[dict[str, dict[type[Event], Transition]]] = {
    START: {GameOpened: (opening.check_open, opening.evolve_open)},
    CUT: {
        DealerCut: (opening.check_cut, opening.evolve_cut),
        DealerNamed: (opening.check_name, opening.evolve_name),
    },
    DEAL: {DealStarted: (opening.check_deal, opening.evolve_deal)},
    TURN_CARD: {CardTurned: (opening.check_turned, opening.evolve_turned)},
    COLOR_PHASE: {
        ColorNamed: (opening.check_color, opening.evolve_color),
        TurnPassed: (turns.refuse_pass_in_turn, _never),
    },
    PLAY: {
        CardsPlayed: (turns.check_play, turns.evolve_play),
        CardsDrawn: (draws.check_draw, draws.evolve_draw),
        TurnPassed: (turns.check_pass, turns.evolve_pass),
    },
    AFTER_DRAW: {
        CardsPlayed: (turns.check_play_drawn, turns.evolve_play_drawn),
        TurnPassed: (turns.check_pass_drawn, turns.evolve_pass),
    },
    ANSWER: {
        CardsPlayed: (turns.check_answer, turns.evolve_play),
        CardsDrawn: (draws.check_forced_draw, draws.evolve_draw_answering),
        ChallengeMade: (challenge.check_challenge, challenge.evolve_challenge),
        TurnPassed: (turns.check_pass, turns.evolve_pass),
    },
    DRAW: {
        CardsDrawn: (draws.check_forced_draw, draws.evolve_draw_owing),
        ChallengeMade: (challenge.check_challenge_owing, _never),
    },
    SHOW: {HandShown: (closing.check_show, closing.evolve_show)},
    OVER: {},
}

TRANSITIONS: Final[dict[str, dict[type[Event], Transition]]] = {
    phase: {**_others(phase), **_LISTED[phase]} for phase in PHASES
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
