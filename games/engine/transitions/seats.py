"""Check that an event names only seats and teams of this table."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from games.engine.events import (
    EVENT_CLASSES,
    DealerCut,
    DealStarted,
    Event,
    GameClosed,
    GameOpened,
    UnoCaught,
    ZeroGift,
)
from games.engine.phrases import shown
from games.engine.refusals import Refusal
from games.engine.state import START, State


def check_seats(state: State, event: Any) -> None:
    """Refusal `malformed` for a seat or team that isn't at the table, once that is opened."""
    kind = event.__class__
    if kind in ONE_SEAT:
        if event.seat >= len(state.seats) and state.phase != START:
            raise nobody(state, event.seat)
    else:
        check = _OTHERS.get(kind)
        if check is not None and (state.phase != START or kind is GameOpened):
            check(state, event)


def nobody(state: State, seat: int) -> Refusal:
    """The refusal for a seat that isn't there."""
    last = len(state.seats) - 1
    return Refusal(
        "malformed",
        "there is no seat {given}: the seats at this table are 0 to {last}",
        given=seat,
        last=last,
    )


def _check_all(state: State, seats: Iterable[int]) -> None:
    for seat in seats:
        if seat >= len(state.seats):
            raise nobody(state, seat)


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


def _cut(state: State, event: DealerCut) -> None:
    _check_all(state, event.cards)


def _dealt(state: State, event: DealStarted) -> None:
    _check_all(state, (event.dealer, *(event.hands or ())))


def _caught(state: State, event: UnoCaught) -> None:
    _check_all(state, (event.seat,))
    if event.catcher is not None:
        _check_all(state, (event.catcher,))
        if event.catcher in state.left:
            raise Refusal(
                "malformed",
                "{seat:seat} has left the table: `catcher` is somebody who still plays",
                seat=event.catcher,
            )


def _given(state: State, event: ZeroGift) -> None:
    _check_all(state, (event.seat, event.to))


def _closed(state: State, event: GameClosed) -> None:
    if event.winner is not None:
        _check_all(state, (event.winner,))
    _check_all(state, event.scores or ())
    if event.team is not None:
        teams = {seat.team for seat in state.seats if seat.team is not None}
        if event.team not in teams:
            raise Refusal(
                "malformed",
                "no team {given} sits at this table: its teams are {teams}",
                given=shown(event.team),
                teams=", ".join(sorted(teams)) or "–",
            )


_OTHERS: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    GameOpened: _opened,
    DealerCut: _cut,
    DealStarted: _dealt,
    UnoCaught: _caught,
    ZeroGift: _given,
    GameClosed: _closed,
}

ONE_SEAT: Final = frozenset(
    cls for cls in EVENT_CLASSES if "seat" in cls.__dataclass_fields__ and cls not in _OTHERS
)
"""The types that name one seat, `seat`, and nothing else of the table."""
