"""The timetable as the public sees it: by day and hour, the sides by the names that may be shown."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby, takewhile
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Subquery
from django.utils import timezone

from people.display_names import NameBook, Viewer
from people.models import AuditEntry, Event, Team
from publishing.match_display import ShownMatch, shown
from publishing.page_cache import KeptPage, is_at_once, shared
from tournaments.models import Match, Tournament
from tournaments.queries.match_state import PATIENCE, DayState
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.agenda import Item
from tournaments.queries.timetable.match_starts import Hours, hours_of_event
from tournaments.queries.timetable.planned import Planned, matches_by_team, planned


@dataclass(frozen=True, slots=True)
class TimetableRow:
    """A match on the timetable."""

    match: ShownMatch
    item: Item

    @property
    def title(self) -> str:
        """What is played; empty in a tournament whose rounds have numbers alone."""
        return self.item.match.round_name if self.item.match.round_title else ""

    @property
    def tournament(self) -> Tournament:
        """Whose match it is."""
        return self.item.match.tournament

    @property
    def late_at(self) -> datetime:
        """From when on it is called late if it hasn't begun."""
        return self.item.hour.begins_at + PATIENCE

    @property
    def seen(self) -> tuple[Hashable, ...]:
        """All that the timetable says of it."""
        return *self.match.seen, self.item.state


@dataclass(frozen=True, slots=True)
class Slot:
    """What begins at the same time."""

    begins_at: datetime
    lines: tuple[TimetableRow, ...]

    @property
    def is_now(self) -> bool:
        """Whether somebody is playing."""
        return any(line.item.state is DayState.PLAYING for line in self.lines)

    @property
    def is_over(self) -> bool:
        """Whether all is over."""
        return all(line.item.match.progress is MatchProgress.DONE for line in self.lines)


@dataclass(frozen=True, slots=True)
class TimetableDay:
    """A day with its hours."""

    date: date
    slots: tuple[Slot, ...]

    @property
    def over(self) -> tuple[Slot, ...]:
        """The hours that are over, before the first that isn't; none once the whole day is."""
        done = tuple(takewhile(lambda slot: slot.is_over, self.slots))
        return done if len(done) < len(self.slots) else ()

    @property
    def shown(self) -> tuple[Slot, ...]:
        """The other hours."""
        return self.slots[len(self.over) :]


def hours_of(event: Event, tournaments: Sequence[Tournament]) -> Hours:
    """When the matches of the published draws among an event's tournaments are played; one query, none for
    one more page.
    """
    public = [each for each in tournaments if each.status in Tournament.PUBLIC]
    return shared(("hours of all", event.pk), lambda: hours_of_event(event, public))


def planned_of(event: Event, tournaments: Sequence[Tournament]) -> list[Planned]:
    """All matches of the published draws, in the order of their hours.

    Three queries, none for another page, and four more while a match that may be decided early is on.
    """
    hours = hours_of(event, tournaments)
    return shared(("planned", event.pk), lambda: planned(tournaments, hours, timezone.now()))


def of_team(rows: Iterable[Planned], team: Team) -> list[Planned]:
    """The matches in which a team plays; one query, none for one more page."""
    by_team = shared(("matches by team", team.event_id), lambda: matches_by_team(team.event))
    return [row for row in rows if row.match in by_team.get(team.pk, ())]


def at_table(rows: Iterable[Planned], number: int) -> list[Planned]:
    """The matches at a table."""
    return [row for row in rows if row.table == number]


def items_of(event: Event, rows: Sequence[Planned]) -> list[Item]:
    """These matches with all that pages show of them but the cards; four queries. Where pages are made at
    once, one instead for matches of which nothing has changed since they were loaded for any page before.
    """
    known = _known(event)
    missing = {row.match: row for row in rows if row.match not in known or known[row.match][0] != _state(row)}
    if missing:
        for match in load_matches(Match.objects.filter(pk__in=list(missing))):
            known[match.id] = _state(missing[match.id]), match
    # Some may be gone since the rows were read, and others may have begun.
    return [_item(known[row.match][1], row) for row in rows if row.match in known]


_loaded = KeptPage[dict[UUID, tuple[object, MatchView]]](most=2)


def _known(event: Event) -> dict[UUID, tuple[object, MatchView]]:
    """Matches that were loaded before, each with its state then. All go when anything is changed that may be
    seen on them beside, as the names and banners of an event.
    """
    return shared(("matches", event.pk), lambda: _loaded.of(_rows_seen(event), dict) if is_at_once() else {})


def _rows_seen(event: Event) -> tuple[object, ...]:
    last = AuditEntry.objects.filter(event=event, is_seen=True).order_by("-at").values("pk")[:1]
    found = Event.objects.filter(pk=event.pk).annotate(last_change=Subquery(last))
    return event.pk, *found.values_list("publication__looks", "last_change")


def _state(row: Planned) -> object:
    return row.table, row.written, row.seen


def _item(match: MatchView, row: Planned) -> Item:
    return Item(match, row.hour, row.state if match.state is DayState.WAITING else match.state)


def lines(event: Event, items: Sequence[Item]) -> list[TimetableRow]:
    """Items with names; one query at most."""
    return [TimetableRow(match, item) for match, item in zip(shown_items(event, items), items, strict=True)]


def shown_items(event: Event, items: Sequence[Item]) -> list[ShownMatch]:
    """Items as matches with names and hours; one query, none for one more page."""
    names = names_of(event)
    known: dict[UUID, ShownMatch] = shared(("shown", event.pk), dict)
    for item in items:
        if item.match.id not in known:
            known[item.match.id] = shown(item.match, names, item.hour)
    return [known[item.match.id] for item in items]


def names_of(event: Event, entries: Collection[UUID] | None = None) -> NameBook:
    """The names that the public is shown, of these entries or of all; one query, none for one more page."""
    chosen = None if is_at_once() else entries
    return shared(("names", event.pk), lambda: NameBook(Viewer.public(event), chosen))


def days(event: Event, listed: Iterable[TimetableRow]) -> list[TimetableDay]:
    """Lines by day and hour, in the event's time."""
    zone = ZoneInfo(event.time_zone)
    return [
        TimetableDay(
            day,
            tuple(
                Slot(begins_at, tuple(at_once))
                for begins_at, at_once in groupby(of_day, key=lambda line: line.item.hour.begins_at)
            ),
        )
        for day, of_day in groupby(listed, key=lambda line: line.item.hour.begins_at.astimezone(zone).date())
    ]
