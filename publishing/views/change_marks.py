"""Marks of changes, one for each subject, by which an open page learns that it is old.

These addresses are asked every second or two by every open page, so they do nothing but that: no page, no
session, one query. A phone at a table costs one more, for who it is. The answers say nothing about their
subjects. They are the same for who may see them and who may not, and for what never was.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from people import phone_clocks
from people.access import anyone, requires
from people.pairings import pairing_of_request
from publishing.live_marks import MARKS
from tournaments.queries import change_marks


@requires(anyone)
@require_safe
def mark(request: HttpRequest, subject: UUID, kind: str) -> HttpResponse:
    """The mark of a subject of this kind, one of `MARKS`."""
    return _answer(request, MARKS[kind](subject))


@requires(anyone)
@require_safe
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """A table, for the phone that asks: it is seen at the desk by this, too."""
    pairing = pairing_of_request(request)
    if pairing is not None:
        phone_clocks.note(request, pairing)
    return _answer(request, change_marks.table_mark(table_id, pairing))


def _answer(request: HttpRequest, mark: str) -> HttpResponse:
    changed = HttpResponse(headers={"ETag": mark})
    answer = get_conditional_response(request, etag=mark, response=changed) or changed
    answer["Cache-Control"] = "private, no-cache"
    return answer
