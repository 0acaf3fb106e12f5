"""The timetable: the whole day, a team's and a table's; as pages, and for calendars."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from people.access import EventRequest, event_by_slug, reads_event, requires
from people.models import Event, Team
from publishing.responses import calendar, page
from publishing.timetable import at_table, days, items_of, lines, of_team, planned_of
from tournaments.models import Table
from tournaments.queries.timetable.planned import Planned

Choice = Callable[[list[Planned]], list[Planned]]


@requires(reads_event, event_by_slug)
def timetable(request: EventRequest, event_slug: str, of: str = "", number: int = 0) -> HttpResponse:
    """Everything by its hour, or the matches `of` a team or a table.

    Eleven queries at most, however many matches there are.
    """
    event = request.event
    about, _title, choose = _chosen(event, of, number)
    found = planned_of(event, list(event.tournaments.all()))
    context = {
        "days": days(event, lines(event, items_of(event, choose(found)))),
        "is_drawn": bool(found),
        "several": len({row.tournament for row in found}) > 1,
        "teams": list(event.teams.all()) if found else [],
        "tables": sorted({row.table for row in found}),
        **about,
    }
    return page(request, event, "publishing/timetable.html", context)


@requires(reads_event, event_by_slug)
def feed(request: EventRequest, event_slug: str, of: str = "", number: int = 0) -> HttpResponse:
    """The same for a calendar."""
    # Only here: what writes calendars makes a start longer.
    from publishing import calendar_feeds

    event = request.event
    _about, title, choose = _chosen(event, of, number)
    name = f"{title} · {event.name}" if title else event.name
    chosen = choose(planned_of(event, list(event.tournaments.all())))
    return calendar(request, event, calendar_feeds.feed(event, name, lines(event, items_of(event, chosen))))


def _chosen(event: Event, of: str, number: int) -> tuple[dict[str, Any], str, Choice]:
    """The team or the table of this number, its name, and which matches are its; else all of them."""
    match of:
        case "team":
            team: Team = get_object_or_404(event.teams, number=number)
            return {"team": team}, team.name, lambda rows: of_team(rows, team)
        case "table":
            table: Table = get_object_or_404(event.tables, number=number)
            called = _("Table %(number)s") % {"number": number}
            return {"table": table}, called, lambda rows: at_table(rows, number)
        case _:
            return {}, "", list
