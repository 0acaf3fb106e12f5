"""The standings: who is ahead and why, now or as of an earlier moment."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from publishing.answers import not_modified, page, tag
from publishing.as_of import BadMomentError, moment_asked
from publishing.errors import ErrorPage, error_response
from publishing.meetings import meetings
from publishing.rows import rows, steps
from publishing.subjects import Subject, shows_tournament
from tournaments.reading import standings_table

NO_MOMENT = ErrorPage(
    400,
    _("That is no moment in time"),
    _("The standings of an earlier moment are asked for with “at” and a date and time."),
    _("Write it like ?at=2026-09-05T15:40, or like ?at=15:40 for the event's first day."),
)


@shows_tournament
def standings(request: HttpRequest, subject: Subject) -> HttpResponseBase:
    """The standings; five queries, one for a reader who already has them."""
    asked = request.GET.get("at")
    at: datetime | None = None
    if asked:
        try:
            at = moment_asked(asked, subject.event)
        except BadMomentError:
            return error_response(request, NO_MOMENT)
    etag = tag("standings", subject.stamp, request.get_full_path())
    return not_modified(request, subject.event, etag) or _standings(request, subject, at, etag)


def _standings(request: HttpRequest, subject: Subject, at: datetime | None, etag: str) -> HttpResponse:
    table = standings_table(subject.tournament, at) if subject.is_shown else None
    context = {"tournament": subject.tournament, "is_shown": subject.is_shown, "at": at, "here": "standings"}
    if table is not None:
        teams = {row.team_id: row.team for row in table.rows}
        context |= {
            "version": table.version,
            "rows": rows(table, meetings(table.version, teams)),
            "steps": steps(table),
            "receipt": subject.receipt if at is None else table.version.receipt,
        }
    return page(request, subject.event, "publishing/standings.html", context, etag)
