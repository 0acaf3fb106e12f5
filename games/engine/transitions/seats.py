"""Check that an event names only seats and teams of this table."""

from collections.abc import Callable
from typing import Any, Final

from games.engine.event_json import EVENT_FIELDS
from games.engine.events import Event, GameClosed, GameOpened, UnoCaught
from games.engine.phrases import shown
from games.engine.refusals import Refusal
from games.engine.state import START, State

_SEAT_FIELDS: Final = {
    cls: [name for name, kind in kinds.items() if kind.name == "seat" or kind.name.endswith("_by_seat")]
    for cls, kinds in EVENT_FIELDS.items()
}
"""The fields of each type that hold a seat, or objects with seats as keys."""


def check_seats(state: State, event: Any) -> None:
    """Refusal `malformed` for a seat or team that isn't at the table, once that is opened."""
    kind = event.__class__
    if kind in _ONE_SEAT and event.seat < len(state.seats):
        return
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


_BESIDES: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    GameOpened: _opened,
    UnoCaught: _caught,
    GameClosed: _closed,
}
"""What is checked of a type beside its seats."""
_ONE_SEAT: Final = frozenset(
    cls for cls, names in _SEAT_FIELDS.items() if names == ["seat"] and cls not in _BESIDES
)
"""The types that name one seat and nothing else of the table: most events, so they are checked first."""
