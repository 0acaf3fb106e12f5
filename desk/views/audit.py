"""Who did what when."""

from datetime import UTC, datetime
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse

from desk.history import Mark, happenings
from desk.page import organizer, page
from people.access import EventRequest

PAGE = 100


@organizer
def audit(request: EventRequest, event_slug: str) -> HttpResponse:
    """The history of the event, newest first; `?at=…&id=…` goes on where a page ended."""
    lines, mark = happenings(request.event, limit=PAGE, before=_mark(request))
    older = urlencode({"at": mark[0].isoformat(), "id": mark[1]}) if mark else ""
    context = {"lines": lines, "older": older, "is_newest": "at" not in request.GET, "here": "audit"}
    return page(request, "desk/audit.html", context)


def _mark(request: EventRequest) -> Mark | None:
    if "at" not in request.GET:
        return None
    try:
        moment = datetime.fromisoformat(request.GET["at"])
        mark = (moment.astimezone(UTC), UUID(request.GET.get("id", "")))
    except (ValueError, OverflowError) as error:
        raise Http404 from error
    if moment.tzinfo is None:
        raise Http404
    return mark
