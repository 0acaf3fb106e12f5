"""Marks of changes, one for each subject, by which an open page learns that it is old.

These addresses are asked every second or two by every open page, so they do nothing but that: no page, no
session, one query, and for a phone at a table one for who it is. The answers say nothing about their
subjects: they are the same for who may see them and who may not, and for what never was.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from people import phone_clocks
from people.access import anyone, requires
from people.pairings import pairing_of_request
from tournaments.queries import marks


@requires(anyone)
@require_safe
def event(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Everything that happens at an event: for the desk."""
    return _answer(request, marks.event_mark(event_id))


@requires(anyone)
@require_safe
def outcomes(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """What the public sees of an event on one page."""
    return _answer(request, marks.outcomes_mark(event_id))


@requires(anyone)
@require_safe
def tournament(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """What the public sees of a tournament."""
    return _answer(request, marks.tournament_mark(tournament_id))


@requires(anyone)
@require_safe
def match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A match and its games, card by card."""
    return _answer(request, marks.match_mark(match_id))


@requires(anyone)
@require_safe
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """A table, for the phone that asks: it is seen at the desk by this, too."""
    pairing = pairing_of_request(request)
    if pairing is not None:
        phone_clocks.note(request, pairing)
    return _answer(request, marks.table_mark(table_id, pairing))


def _answer(request: HttpRequest, mark: str) -> HttpResponse:
    changed = HttpResponse(headers={"ETag": mark})
    answer = get_conditional_response(request, etag=mark, response=changed) or changed
    answer["Cache-Control"] = "private, no-cache"
    return answer
