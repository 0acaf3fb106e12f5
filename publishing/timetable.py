"""The timetable as the public sees it: by day and hour, the sides by the names that may be shown."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby, takewhile
from uuid import UUID
from zoneinfo import ZoneInfo

from people.models import Event, Team
from people.naming import NameBook, Viewer
from publishing.kept import is_at_once, shared
from publishing.sides import ShownMatch, shown
from tournaments.models import Tournament
from tournaments.rounds.words import round_titles
from tournaments.timetable.agenda import PATIENCE, Item, Stand, agenda


@dataclass(frozen=True, slots=True)
class Line:
    """A match on the timetable. `title` is what its round is called, empty where it has a number alone."""

    match: ShownMatch
    item: Item
    title: str

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
        return *self.match.seen, self.item.stand, self.title


@dataclass(frozen=True, slots=True)
class Slot:
    """What begins at the same time."""

    begins_at: datetime
    lines: tuple[Line, ...]

    @property
    def is_now(self) -> bool:
        """Whether somebody is playing."""
        return any(line.item.stand is Stand.PLAYING for line in self.lines)

    @property
    def is_over(self) -> bool:
        """Whether all is over."""
        return all(line.item.stand is Stand.DONE for line in self.lines)


@dataclass(frozen=True, slots=True)
class Day:
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


def agenda_of(event: Event, tournaments: Sequence[Tournament]) -> list[Item]:
    """All matches with their hours, in the order of these; six queries, none for one more page."""
    return shared(("agenda", event.pk), lambda: agenda(event, tournaments))


def of_team(items: Iterable[Item], team: Team) -> list[Item]:
    """The matches in which a team plays."""
    return [item for item in items if any(side.team == team for side in item.match.sides)]


def at_table(items: Iterable[Item], number: int) -> list[Item]:
    """The matches at a table."""
    return [item for item in items if item.match.table.number == number]


def lines(event: Event, items: Sequence[Item]) -> list[Line]:
    """Items with names; two queries at most."""
    matches = shown_items(event, items)
    titles = titles_of(items)
    return [
        Line(match, item, titles.get((match.view.tournament.pk, match.view.round), ""))
        for match, item in zip(matches, items, strict=True)
    ]


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


def titles_of(items: Iterable[Item]) -> Mapping[tuple[UUID, int], str]:
    """What rounds are called that have a title; a query where a tournament is drawn round by round."""
    by_round = {each.match.tournament.pk for each in items if each.match.tournament.is_by_round}
    return round_titles(by_round) if by_round else {}


def days(event: Event, listed: Iterable[Line]) -> list[Day]:
    """Lines by day and hour, in the event's time."""
    zone = ZoneInfo(event.time_zone)
    return [
        Day(
            day,
            tuple(
                Slot(begins_at, tuple(at_once))
                for begins_at, at_once in groupby(of_day, key=lambda line: line.item.hour.begins_at)
            ),
        )
        for day, of_day in groupby(listed, key=lambda line: line.item.hour.begins_at.astimezone(zone).date())
    ]
