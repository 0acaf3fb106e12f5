"""The standings: who is ahead and why, now or as of an earlier moment."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from publishing.answers import stamped_page
from publishing.as_of import BadMomentError, moment_asked
from publishing.errors import ErrorPage, error_response
from publishing.meetings import meetings
from publishing.order import order
from publishing.rows import rows, steps
from publishing.subjects import Subject, shows_tournament
from tournaments.prospects import decided
from tournaments.reading import StandingsTable, standings_table

NO_MOMENT = ErrorPage(
    400,
    _("That is no moment in time"),
    _("The standings of an earlier moment are asked for with “at” and a date and time."),
    _("Write ?at=2026-09-05T15:40 or, for the event’s first day, ?at=15:40."),
)


@shows_tournament
def standings(request: HttpRequest, subject: Subject) -> HttpResponse:
    """The standings; five queries, one for a reader who already has them."""
    asked = request.GET.get("at")
    at: datetime | None = None
    if asked:
        try:
            at = moment_asked(asked, subject.event)
        except BadMomentError:
            return error_response(request, NO_MOMENT)
    stamp = f"{subject.stamp} {subject.first_is_decided}"
    return stamped_page(
        request, subject.event, stamp, "publishing/standings.html", lambda: _context(subject, at)
    )


def _context(subject: Subject, at: datetime | None) -> dict[str, Any]:
    table = standings_table(subject.tournament, at) if subject.is_shown else None
    context: dict[str, Any] = {
        "tournament": subject.tournament,
        "is_shown": subject.is_shown,
        "at": at,
        "here": "standings",
        "clock": subject.clock if at is None else None,
    }
    if table is None:
        return context
    teams = {row.team_id: row.team for row in table.rows}
    return context | {
        "version": table.version,
        "rows": rows(table, meetings(table.version, teams)),
        "steps": steps(table),
        "order": order(table.version.order),
        "receipt": subject.receipt if at is None else table.version.receipt,
        "decided": _decided(subject, table) if at is None else "",
    }


def _decided(subject: Subject, table: StandingsTable) -> str:
    """The line that says that the first place can't change any more; empty while it can, or is final."""
    if not subject.first_is_decided or not 0 < table.version.games_played < table.version.games_total:
        return ""
    return decided([row.team.name for row in table.rows if row.place == 1])
