"""A team: its places, its players, and all its matches, over all tournaments of the event."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from people.access import EventRequest, event_by_slug, reads_event, requires
from people.models import Entry, Team
from publishing.match_display import ShownMatch
from publishing.page_cache import KeptPage
from publishing.responses import stamped_page
from publishing.teams import matches_of, overall_of, played, ranked, stamp_of_team
from publishing.timetable import names_of
from rendering.text.numbers import bent_by, spoken
from tournaments.models import Tournament


@requires(reads_event, event_by_slug)
def team(request: EventRequest, event_slug: str, number: int) -> HttpResponse:
    """The team of this number; a fixed number of queries, ten for a reader who already has it."""
    event = request.event
    found: Team = get_object_or_404(event.teams, number=number)
    found.event = event
    stamp = stamp_of_team(found)
    return stamped_page(request, event, stamp, "publishing/team.html", lambda: _context(found, stamp))


_loaded = KeptPage[list[ShownMatch]](most=10)


def _context(team: Team, stamp: str) -> dict[str, Any]:
    event = team.event
    entries = list(team.entries.filter(status=Entry.Status.ENTERED))
    names = names_of(event)
    overall = overall_of(team)
    return {
        "team": team,
        "ranked": ranked(team),
        "overall": overall,
        "overall_total": "" if overall is None else spoken(overall.total),
        "overall_count": 0 if overall is None else bent_by(overall.total),
        "played": played(_loaded.of(stamp, lambda: matches_of(team))),
        "several": event.tournaments.filter(status__in=Tournament.PUBLIC).count() > 1,
        "players": [names[entry.pk] for entry in entries] if names.viewer.reads_names else [],
        "number_of_players": len(entries),
    }
