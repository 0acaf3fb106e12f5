"""The timetable: the whole day, a team's and a table's; as pages, and for calendars."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from people.access import EventRequest, event_by_slug, reads_event, requires
from people.models import Event
from publishing.responses import calendar, page
from publishing.timetable import at_table, days, items_of, lines, of_team, planned_of
from tournaments.queries.timetable.planned import Planned

Choice = Callable[[list[Planned]], list[Planned]]


@requires(reads_event, event_by_slug)
def timetable(request: EventRequest, event_slug: str) -> HttpResponse:
    """Everything by its hour; eleven queries at most, however many matches there are."""
    return _page(request, list)


@requires(reads_event, event_by_slug)
def team_timetable(request: EventRequest, event_slug: str, number: int) -> HttpResponse:
    """When and where a team plays."""
    team = get_object_or_404(request.event.teams, number=number)
    return _page(request, lambda rows: of_team(rows, team), team=team)


@requires(reads_event, event_by_slug)
def table_timetable(request: EventRequest, event_slug: str, number: int) -> HttpResponse:
    """What is played at a table."""
    table = get_object_or_404(request.event.tables, number=number)
    return _page(request, lambda rows: at_table(rows, table.number), table=table)


@requires(reads_event, event_by_slug)
def timetable_feed(request: EventRequest, event_slug: str) -> HttpResponse:
    """Everything, for a calendar."""
    return _feed(request, request.event.name, list)


@requires(reads_event, event_by_slug)
def team_feed(request: EventRequest, event_slug: str, number: int) -> HttpResponse:
    """A team's matches, for a calendar."""
    team = get_object_or_404(request.event.teams, number=number)
    name = f"{team.name} · {request.event.name}"
    return _feed(request, name, lambda rows: of_team(rows, team))


@requires(reads_event, event_by_slug)
def table_feed(request: EventRequest, event_slug: str, number: int) -> HttpResponse:
    """A table's matches, for a calendar."""
    table = get_object_or_404(request.event.tables, number=number)
    name = f"{_('Table %(number)s') % {'number': table.number}} · {request.event.name}"
    return _feed(request, name, lambda rows: at_table(rows, table.number))


def _page(request: EventRequest, choose: Choice, **about: Any) -> HttpResponse:
    event = request.event
    tournaments = list(event.tournaments.all())
    found = planned_of(event, tournaments)
    listed = lines(event, items_of(event, choose(found)))
    context = {
        "days": days(event, listed),
        "is_drawn": bool(found),
        "several": len({row.tournament for row in found}) > 1,
        "teams": list(event.teams.all()) if found else [],
        "tables": sorted({row.table for row in found}),
        **about,
    }
    return page(request, event, "publishing/timetable.html", context)


def _feed(request: HttpRequest, name: str, choose: Choice) -> HttpResponse:
    # Only here: what writes calendars makes a start longer.
    from publishing import feeds

    event: Event = request.event  # type: ignore[attr-defined]  # `requires` sets it
    chosen = choose(planned_of(event, list(event.tournaments.all())))
    return calendar(request, event, feeds.feed(event, name, lines(event, items_of(event, chosen))))
