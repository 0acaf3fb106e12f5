"""State of a match: the one that every page, print and answer of the API gives.

`state_of` needs the match alone. Which of those that wait is next, or late, hangs on the day's other matches:
`day_states`. The words of the states, in every language, are in `rendering.components.states`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from people.models import Event
from tournaments.settings.confirmation import Check

PATIENCE = timedelta(minutes=3)
"""So long after its hour nobody calls a match late yet."""
FORGOTTEN = timedelta(hours=12)
"""What nobody has begun so long after its hour, and after the event's days, isn't late: it isn't played."""


class DayState(StrEnum):
    """How a match stands, in the order in which it concerns the desk.

    `DISPUTED`: one of its results is. `SUBMITTED`: it is over, and a result waits to be confirmed. `LATE`: it
    waits, isn't next, and its hour has passed. `NEXT`: it is to be called, its table and its players are
    free. `CALLED`: its players were called, and it isn't begun. `PLAYING`: it was begun, and a game of it is
    open. `WAITING`: none of these yet. `DONE`: it is over, and all its results count. A game whose whole log
    was taken back isn't begun.
    """

    DISPUTED = "disputed"
    SUBMITTED = "submitted"
    LATE = "late"
    NEXT = "next"
    CALLED = "called"
    PLAYING = "playing"
    WAITING = "waiting"
    DONE = "done"


NOT_BEGUN = (DayState.WAITING, DayState.NEXT, DayState.LATE, DayState.CALLED)
"""The states of a match that nobody has begun."""


@dataclass(frozen=True, slots=True)
class DayMatch:
    """A match among the others of the day.

    `state` is as `state_of` has it; `is_on`: it is called, or was begun and isn't over. `players` are ids of
    persons; `begins_at` is its hour, None where it has none.
    """

    table: UUID
    state: DayState
    is_on: bool
    players: frozenset[UUID]
    begins_at: datetime | None


def state_of(check: Check, *, is_begun: bool, is_over: bool, is_called: bool) -> DayState:
    """How a match stands by itself; `check` is the furthest from counting that any of its results is."""
    if check is Check.DISPUTED:
        return DayState.DISPUTED
    if is_over:
        return DayState.SUBMITTED if check is Check.WAITING else DayState.DONE
    if is_begun:
        return DayState.PLAYING
    return DayState.CALLED if is_called else DayState.WAITING


def day_states(matches: Sequence[DayMatch], event: Event, now: datetime) -> list[DayState]:
    """How each of an event's matches stands, given in the order of play.

    The first that waits at each table is next on two conditions. Nothing is on there, and none of its players
    is at a table that plays, is called or comes next before it.
    """
    tables = {match.table for match in matches if match.is_on}
    players: set[UUID] = set().union(*(match.players for match in matches if match.is_on))
    seen: set[UUID] = set()
    states = []
    for match in matches:
        state = match.state
        if state is DayState.WAITING:
            is_first = match.table not in seen
            seen.add(match.table)
            if is_first and match.table not in tables and players.isdisjoint(match.players):
                state = DayState.NEXT
                players |= match.players
            elif is_late(event, match.begins_at, now):
                state = DayState.LATE
        states.append(state)
    return states


def is_late(event: Event, begins_at: datetime | None, now: datetime) -> bool:
    """Whether a match that nobody has begun should have been, by its hour.

    So it is on the event's days, and for `FORGOTTEN` after its hour also later.
    """
    if begins_at is None or now - begins_at <= PATIENCE:
        return False
    is_on = event.starts_on <= now.astimezone(ZoneInfo(event.time_zone)).date() <= event.ends_on
    return is_on or now - begins_at < FORGOTTEN
