"""A delay, and what it shifts in an event's timetable."""

from dataclasses import dataclass
from datetime import datetime

from people.models import Event
from tournaments.queries.timetable.match_starts import hours_of_event
from tournaments.queries.timetable.problem import Given, placed, read
from tournaments.scheduling.model import Delayed, Placement
from tournaments.scheduling.shifting import delayed


@dataclass(frozen=True)
class Shift:
    """What there was, and what there would be."""

    given: Given
    before: tuple[Placement, ...]
    after: Delayed


def delay(event: Event, since: datetime, minutes: int, table: int | None) -> Shift:
    """What shifts if all (or a table) are so many minutes late from a moment on; nothing is stored."""
    given = read(event)
    before = placed(given, hours_of_event(event))
    after = delayed(
        given.problem,
        before,
        at=given.ruler.minute(since),
        minutes=minutes,
        table=str(table) if table else None,
        begun=given.begun,
    )
    return Shift(given, before, after)
