"""The timetable for calendars: iCalendar (RFC 5545), the same bytes as long as it says the same.

A match is an entry with its own id for ever. `SEQUENCE` and `LAST-MODIFIED` grow with each change of hour or
table, so that a calendar takes the newer one.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as Entry

from ledger.models import Fact
from people.models import Event
from publishing.timetable import TimetableRow
from rendering.text.active_language import reader_language
from tournaments.models import Timetable, Tournament
from tournaments.queries.timetable.agenda import Item

REFRESH = timedelta(minutes=10)
_PRODUCT = "-//Tendone//Tendone//IT"


def feed(event: Event, name: str, listed: Sequence[TimetableRow]) -> str:
    """The feed of these matches, called `name`; two queries."""
    zone = ZoneInfo(event.time_zone)
    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", event.time_zone)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    versions = _versions(event, (line.item for line in listed))
    for line in listed:
        calendar.add_component(_entry(event, zone, line, *versions[line.item.match.id]))
    if listed:
        calendar.add_missing_timezones(event.starts_on, event.ends_on + timedelta(days=1))
    text: str = calendar.to_ical().decode()
    return text


def _entry(event: Event, zone: ZoneInfo, line: TimetableRow, sequence: int, modified: datetime) -> Entry:
    match, hour = line.item.match, line.item.hour
    entry = Entry()
    entry.add("uid", f"{match.id}@tendone")
    entry.add("dtstamp", modified.astimezone(UTC))
    entry.add("last-modified", modified.astimezone(UTC))
    entry.add("sequence", sequence)
    entry.add("dtstart", hour.begins_at.astimezone(zone))
    entry.add("dtend", hour.ends_at.astimezone(zone))
    language = reader_language().split("-")[0]
    players = " – ".join(side.players for side in line.match.sides)
    entry.add("summary", players, parameters={"LANGUAGE": language})
    table = _("Table %(number)s") % {"number": match.table.number}
    entry.add("location", f"{table}, {event.place}" if event.place else table)
    entry.add("description", f"{match.tournament.name}, {match.round_name}")
    return entry


def _versions(event: Event, items: Iterable[Item]) -> Mapping[UUID, tuple[int, datetime]]:
    """`SEQUENCE` and `LAST-MODIFIED` of each match: what is decided of its tournament, and the timetable."""
    listed = list(items)
    decided = _decided({item.match.tournament.pk: item.match.tournament for item in listed}.values())
    timetable = Timetable.objects.filter(pk=event.pk).first()
    changed_at = timetable.changed_at if timetable else None
    found = {}
    for item in listed:
        tournament, place = item.match.tournament, item.match.place
        at = decided.get(tournament.pk, tournament.created_at)
        sequence = place.sequence if place else timetable.version if timetable else 0
        changed = place.changed_at if place else changed_at
        found[item.match.id] = (
            tournament.version + sequence,
            max(at, changed or at).replace(microsecond=0),
        )
    return found


def _decided(tournaments: Iterable[Tournament]) -> dict[UUID, datetime]:
    """When something was decided of tournaments last."""
    ids = [each.pk for each in tournaments]
    rows = Fact.objects.filter(stream__in=ids).order_by("stream", "sequence")
    return dict(rows.values_list("stream", "recorded_at"))
