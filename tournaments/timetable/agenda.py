"""The day as a list: every match with its hour, and how it stands at a moment."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.utils import timezone

from people.models import Event
from tournaments.models import Match, Tournament
from tournaments.reading import MatchView, Progress, load_matches
from tournaments.timetable.hours import Hour, Hours, hours_of_event

PATIENCE = timedelta(minutes=3)
"""So long after its hour nobody calls a match late yet."""
FORGOTTEN = timedelta(hours=12)
"""What nobody has begun so long after its hour isn't late any more: it isn't played."""


class Stand(StrEnum):
    """How a match stands: done, being played, called to its table, late, the next one there, or to come."""

    DONE = "done"
    PLAYING = "playing"
    CALLED = "called"
    LATE = "late"
    NEXT = "next"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Item:
    """A match with its hour."""

    match: MatchView
    hour: Hour
    stand: Stand


def agenda(
    event: Event, tournaments: Sequence[Tournament] | None = None, now: datetime | None = None
) -> list[Item]:
    """All matches of an event's published draws, in the order of their hours and tables.

    Seven queries, one less where the event's tournaments are given.
    """
    listed = list(event.tournaments.all()) if tournaments is None else list(tournaments)
    shown = [each for each in listed if each.status in Tournament.PUBLIC]
    matches = load_matches(Match.objects.filter(stage__tournament__in=[each.pk for each in shown]))
    return items(matches, hours_of_event(event, shown), now or timezone.now())


def items(matches: Iterable[MatchView], hours: Hours, now: datetime) -> list[Item]:
    """Matches with their hours, in the order of these and of the tables."""
    found = [
        Item(match, hours[match.id], _stand(match, hours[match.id], now))
        for match in matches
        # Drawn between two looks.
        if match.id in hours
    ]
    found.sort(key=lambda each: (each.hour.begins_at, each.match.table.number, each.match.round))
    stands = next_at_tables([(each.match.table.pk, each.stand) for each in found])
    return [replace(each, stand=stand) for each, stand in zip(found, stands, strict=True)]


def stand_before(hour: Hour, now: datetime, *, is_called: bool) -> Stand:
    """How a match stands that hasn't begun, whatever else is played at its table."""
    if is_called:
        return Stand.CALLED
    is_late = PATIENCE < now - hour.begins_at < FORGOTTEN
    return Stand.LATE if is_late else Stand.WAITING


def next_at_tables(stands: Iterable[tuple[UUID, Stand]]) -> list[Stand]:
    """Tables and stands of matches in the order of their hours; in the answer, the first of each table that
    hasn't begun is the next one there, unless it is called or late.
    """
    taken: set[UUID] = set()
    marked = []
    for table, stand in stands:
        is_first = stand in (Stand.CALLED, Stand.LATE, Stand.WAITING) and table not in taken
        if is_first:
            taken.add(table)
        marked.append(Stand.NEXT if is_first and stand is Stand.WAITING else stand)
    return marked


def _stand(match: MatchView, hour: Hour, now: datetime) -> Stand:
    if match.progress is not Progress.WAITING:
        return Stand(match.progress.value)
    return stand_before(hour, now, is_called=match.is_called)
