"""Names of persons as each kind of reader may see them. Every page, file and answer asks here.

- The public sees team and number (`Superiore 7`). It sees first name and initial (`Ginevra N.`) if the event
is set so and the parents of this child consent.
- A referee of the event sees first name and initial with the number on the slip (`Ginevra N. (7)`). So two
children called alike in one contrada are told apart at the table. Two of two contrade who are called alike
with their numbers are told with these: `Ginevra N. (Superiore 7)`.
- The desk sees the full name.
- Who holds a child's slip sees the first name of that child alone.
- Nobody sees more of an erased person, or of another event's, than team and number.

A squad, which is a side of a match, has no name of its own. Its players name it (`squad_name`), never its
number among the squads of its team: nobody at a table knows that.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self
from uuid import UUID

from people.access import organizes, referees
from people.actors import Actor
from people.models import Entry, Event, Person, Referee, Team


class Reader(StrEnum):
    """Who reads: how much a reader may know of persons."""

    PUBLIC = "public"
    REFEREE = "referee"
    DESK = "desk"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A reader of one event; of other events this reader is told numbers alone."""

    reader: Reader
    event: Event

    @classmethod
    def of(cls, actor: Actor, event: Event) -> Self:
        """As whom an actor reads this event; at most one query. The command line reads as the public does."""
        if organizes.test(actor, event):
            return cls(Reader.DESK, event)
        if referees.test(actor, event):
            return cls(Reader.REFEREE, event)
        return cls(Reader.PUBLIC, event)

    @classmethod
    def public(cls, event: Event) -> Self:
        """Anybody: for what is published."""
        return cls(Reader.PUBLIC, event)

    @property
    def reads_names(self) -> bool:
        """False if this reader is told numbers alone, so that names needn't even be loaded."""
        return self.reader is not Reader.PUBLIC or self.event.names_shown == Event.NamesShown.INITIAL


def entry_label(short_name: str, number: int) -> str:
    """An entry by its team's short name and its own number: `Superiore 7`."""
    return f"{short_name} {number}"


def squad_name(team: Team, names: Sequence[str]) -> str:
    """A squad by its players' shown names; the team's short name stands before those that don't begin so."""
    short = team.short_name
    players = ", ".join(names)
    return players if all(name.startswith(f"{short} ") for name in names) else f"{short}: {players}"


def shown_name(entry: Entry, viewer: Viewer, *, with_team: bool = False) -> str:
    """How this reader is told of the entry's person; touches `entry.team` and `entry.person`.

    With `with_team` a referee is told the team as well: `Ginevra N. (Superiore 7)`.
    """
    numbered = entry_label(entry.team.short_name, entry.number)
    if not viewer.reads_names or entry.team.event_id != viewer.event.pk:
        return numbered
    person = entry.person
    if person is None:
        return numbered
    match viewer.reader:
        case Reader.DESK:
            return f"{person.first_name} {person.last_name}"
        case Reader.REFEREE:
            return f"{_first_and_initial(person)} ({numbered if with_team else entry.number})"
        case Reader.PUBLIC:
            return _first_and_initial(person) if person.shows_name else numbered


def name_for_family(entry: Entry) -> str:
    """How a child is called on the page that its own slip opens: the first name alone.

    It is for whoever holds the slip, and empty once the person is erased. Of the other children that page
    tells what the public sees.
    """
    return entry.person.first_name if entry.person else ""


class NameBook:
    """The shown names of many entries of one event, loaded by one query."""

    def __init__(self, viewer: Viewer, entry_ids: Iterable[UUID] | None = None) -> None:
        """Of all entries of the viewer's event, or of some (which have to be of that event)."""
        entries = Entry.objects.filter(team__event=viewer.event).order_by()
        if entry_ids is not None:
            wanted = set(entry_ids)
            # A list beyond what a statement takes isn't worth dividing: the event has hardly more entries.
            entries = entries.filter(pk__in=wanted) if len(wanted) <= 500 else entries
        related = ("team", "person") if viewer.reads_names else ("team",)
        self.viewer = viewer
        self._entries = {entry.pk: entry for entry in entries.select_related(*related)}
        self._names = {key: shown_name(entry, viewer) for key, entry in self._entries.items()}

    def __getitem__(self, entry_id: UUID) -> str:
        """The entry's shown name; `KeyError` for an entry that isn't of this event."""
        return self._names[entry_id]

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._names

    def at_table(self, entry_ids: Sequence[UUID]) -> list[str]:
        """The names of those who sit at one table. Of several who would be called alike a referee is told the
        team, too.
        """
        names = [self[each] for each in entry_ids]
        counted = Counter(names)
        return [
            shown_name(self._entries[each], self.viewer, with_team=True) if counted[name] > 1 else name
            for each, name in zip(entry_ids, names, strict=True)
        ]


def referee_name(referee: Referee) -> str:
    """A referee as anybody at the table is told: first name and initial."""
    return _first_and_initial(referee)


def _first_and_initial(person: Person | Referee) -> str:
    initial = next((letter for letter in person.last_name if letter.isalpha()), "")
    return f"{person.first_name} {initial.upper()}." if initial else person.first_name
