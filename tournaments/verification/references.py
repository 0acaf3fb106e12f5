"""Contradictions between reference rows, which are edited at the desk, and facts.

Facts name teams, entries and tables by their ids. What they are called, and whose they are, stands in rows
of reference: whoever writes to the database can change it without touching a fact. What facts say of the same
is compared here; names, colours, birth dates and the like stand nowhere else and can't be.
"""

from collections.abc import Iterator

from django.db.models import Exists, F, Model, OuterRef
from django.utils.translation import gettext as _

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
from tournaments.verification.messages import Wrong, column_called

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


def dangling(event: Event) -> Iterator[Wrong]:
    """Entries, teams, tables, persons, referees and other games that are named and aren't there; a query for
    each column that names.
    """
    for model, of, column, target in _NAMED:
        named = f"{column}_id"
        rows = model._default_manager.filter(**{of: event, f"{named}__isnull": False})
        gone = rows.filter(~Exists(target._default_manager.filter(pk=OuterRef(named))))
        for row, missing in gone.order_by("pk").values_list("pk", named):
            yield _gone(event, model, column, row, missing)
    yield from _lost_other_games(event)


def _lost_other_games(event: Event) -> Iterator[Wrong]:
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
                yield _gone(event, Palio, "rules", palio, each.id)
    placings = OtherPlacing.objects.filter(palio__event=event).exclude(discipline__in=there)
    for row, missing in placings.order_by("pk").values_list("pk", "discipline"):
        yield _gone(event, OtherPlacing, "discipline", row, missing)


def contradictions(event: Event) -> Iterator[Wrong]:
    """Entries of another team than the one for which they play, and teams and tables of another event; five
    queries.
    """
    members = SquadMember.objects.filter(squad__stage__tournament__event=event)
    moved = members.exclude(entry__team=F("squad__team")).order_by("entry__team__number", "entry__number")
    entries = moved.values_list("entry__team__short_name", "entry__number", "squad__team__short_name")
    for short_name, number, team in dict.fromkeys(entries):
        row = entry_label(short_name, number)
        where = _("entry %(row)s") % {"row": row}
        yield _elsewhere(event, where, Entry, "team", short_name, team)
    team, table = _("team %(row)s"), _("table %(row)s")
    named: tuple[tuple[type[Model], str, str, type[Model], str, str], ...] = (
        (Squad, "stage__tournament__event", "team", Team, "name", team),
        (Match, "stage__tournament__event", "table", Table, "number", table),
        (PlayedJoker, "palio__event", "team", Team, "name", team),
        (OtherPlacing, "palio__event", "team", Team, "name", team),
    )
    for model, of, column, target, name, where in named:
        rows = model._default_manager.filter(**{of: event}).exclude(**{f"{column}__event": event})
        taken = rows.order_by(f"{column}__{name}").values_list(f"{column}__{name}", f"{column}__event__name")
        for called, other in dict.fromkeys(taken):
            yield _elsewhere(event, where % {"row": called}, target, "event", other, event.name)


def _gone(event: Event, model: type[Model], column: str, row: object, named: object) -> Wrong:
    """A row that names one that isn't there."""
    label = model._meta.label
    what = _("%(column)s is %(stored)s, and there is no such row") % {
        "column": column_called(column),
        "stored": named,
    }
    where = _("%(model)s %(row)s") % {"model": label, "row": row}
    return Wrong(where, what, event.pk, model=label, column=column)


def _elsewhere(
    event: Event, where: str, model: type[Model], column: str, stored: str, expected: str
) -> Wrong:
    """A row that isn't whose the facts took it for."""
    what = _("by the facts it belongs to “%(expected)s”, and its row says “%(stored)s”")
    values = {"expected": expected, "stored": stored}
    return Wrong(where, what % values, event.pk, model=model._meta.label, column=column)
