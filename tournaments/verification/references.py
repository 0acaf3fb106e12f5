"""Contradictions between reference rows, which are edited at the desk, and facts.

Facts name teams, entries and tables by their ids. What they are called, and whose they are, stands in rows
of reference: whoever writes to the database can change it without touching a fact. What facts say of the same
is compared here; names, colours, birth dates and the like stand nowhere else and can't be.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Exists, F, Model, OuterRef

from people.display_names import entry_label
from people.models import Entry, Event, Pairing, Person, Referee, Team
from people.refusals import Refused
from tournaments.models import (
    Match,
    OtherGame,
    OtherPlacing,
    OverallStanding,
    Palio,
    Place,
    PlayedJoker,
    Squad,
    SquadMember,
    Table,
)
from tournaments.settings.palio import DisciplineKind, PalioRules

_NAMED: tuple[tuple[type[Model], str, str, type[Model]], ...] = (
    (SquadMember, "squad__stage__tournament__event", "entry", Entry),
    (SquadMember, "squad__stage__tournament__event", "entry__team", Team),
    (Squad, "stage__tournament__event", "team", Team),
    (Match, "stage__tournament__event", "table", Table),
    (Place, "tournament__event", "table", Table),
    (Place, "tournament__event", "referee", Referee),
    (Entry, "team__event", "person", Person),
    (Pairing, "event", "referee", Referee),
    (Referee, "event", "team", Team),
    (PlayedJoker, "palio__event", "team", Team),
    (OtherPlacing, "palio__event", "team", Team),
    (OverallStanding, "version__palio__event", "team", Team),
)
"""Rows of reference that others name: the model that names, the lookup of its event, the column, and what is
named. A join passes over what is gone, so it is asked for.
"""


class Contradiction(NamedTuple):
    """A row that isn't what the facts took it for: its model and column, how it is called, and what it says
    and what the facts say (of a column that names another row, what that one is called).
    """

    model: str
    column: str
    row: str
    stored: str
    expected: str


class Dangling(NamedTuple):
    """A row that names one that is gone: its model and column, its id, and the id that it names."""

    model: str
    column: str
    row: str
    named: str


def dangling(event: Event) -> Iterator[Dangling]:
    """Entries, teams, tables, persons, referees and other games that are named and aren't there; a query for
    each column that names.
    """
    for model, of, column, target in _NAMED:
        named = f"{column}_id"
        rows = model._default_manager.filter(**{of: event, f"{named}__isnull": False})
        gone = rows.filter(~Exists(target._default_manager.filter(pk=OuterRef(named))))
        for row, missing in gone.order_by("pk").values_list("pk", named):
            yield Dangling(model._meta.label, column, str(row), str(missing))
    yield from _lost_other_games(event)


def _lost_other_games(event: Event) -> Iterator[Dangling]:
    """Games that a palio's rules or placings name by an id that isn't a key of another table."""
    there = set(OtherGame.objects.filter(palio__event=event).values_list("pk", flat=True))
    for palio, stored in Palio.objects.filter(event=event).values_list("pk", "rules"):
        try:
            disciplines = PalioRules.from_json(stored).disciplines
        except Refused:
            # Rules that were altered are found by building them again.
            continue
        for each in disciplines:
            if each.kind is DisciplineKind.OTHER and each.id not in there:
                yield Dangling(Palio._meta.label, "rules", str(palio), str(each.id))
    placings = OtherPlacing.objects.filter(palio__event=event).exclude(discipline__in=there)
    for row, missing in placings.order_by("pk").values_list("pk", "discipline"):
        yield Dangling(OtherPlacing._meta.label, "discipline", str(row), str(missing))


def contradictions(event: Event) -> Iterator[Contradiction]:
    """Entries of another team than the one for which they play, and teams and tables of another event; five
    queries.
    """
    members = SquadMember.objects.filter(squad__stage__tournament__event=event)
    moved = members.exclude(entry__team=F("squad__team")).order_by("entry__team__number", "entry__number")
    entries = moved.values_list("entry__team__short_name", "entry__number", "squad__team__short_name")
    for short_name, number, team in dict.fromkeys(entries):
        row = entry_label(short_name, number)
        yield Contradiction(Entry._meta.label, "team", row, short_name, team)
    named: tuple[tuple[type[Model], str, str, type[Model], str], ...] = (
        (Squad, "stage__tournament__event", "team", Team, "name"),
        (Match, "stage__tournament__event", "table", Table, "number"),
        (PlayedJoker, "palio__event", "team", Team, "name"),
        (OtherPlacing, "palio__event", "team", Team, "name"),
    )
    for model, of, column, target, name in named:
        rows = model._default_manager.filter(**{of: event}).exclude(**{f"{column}__event": event})
        taken = rows.order_by(f"{column}__{name}").values_list(f"{column}__{name}", f"{column}__event__name")
        for called, other in dict.fromkeys(taken):
            yield Contradiction(target._meta.label, "event", str(called), other, event.name)
