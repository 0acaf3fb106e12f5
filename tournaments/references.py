"""Where reference rows, which are changed at the desk, contradict facts, which aren't.

Facts name teams, entries and tables by their ids. What they are called, and whose they are, stands in rows
of reference: whoever writes to the database can change it without touching a fact. What facts say of the same
is compared here; names, colours, birth dates and the like stand nowhere else and can't be.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import F

from people.models import Entry, Event, Team
from people.naming import entry_label
from tournaments.models import Match, Squad, SquadMember, Table


class Contradiction(NamedTuple):
    """A row that isn't what the facts took it for: its model and column, how it is called, and what it says
    and what the facts say (of a column that names another row, what that one is called).
    """

    model: str
    column: str
    row: str
    stored: str
    expected: str


def contradictions(event: Event) -> Iterator[Contradiction]:
    """Entries of another team than the one for which they play, and teams and tables of another event;
    three queries.
    """
    members = SquadMember.objects.filter(squad__stage__tournament__event=event)
    moved = members.exclude(entry__team=F("squad__team")).order_by("entry__team__number", "entry__number")
    entries = moved.values_list("entry__team__short_name", "entry__number", "squad__team__short_name")
    for short_name, number, team in dict.fromkeys(entries):
        row = entry_label(short_name, number)
        yield Contradiction(Entry._meta.label, "team", row, short_name, team)
    squads = Squad.objects.filter(stage__tournament__event=event).exclude(team__event=event)
    teams = squads.order_by("team__name").values_list("team__name", "team__event__name")
    for name, other in dict.fromkeys(teams):
        yield Contradiction(Team._meta.label, "event", name, other, event.name)
    matches = Match.objects.filter(stage__tournament__event=event)
    tables = matches.exclude(table__event=event).order_by("table__number")
    for table, other in dict.fromkeys(tables.values_list("table__number", "table__event__name")):
        yield Contradiction(Table._meta.label, "event", str(table), other, event.name)
