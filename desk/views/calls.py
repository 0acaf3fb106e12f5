"""The call list: who is called to which table next, with full names for the microphone."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from desk.address_rows import find, matches_of
from desk.call_board import Floor
from desk.page import expected_version, names, organizer, organizer_post, page
from people.access import EventRequest
from tournaments.commands.calls import call_match, take_call_back
from tournaments.queries.marks import event_mark


@organizer
def calls(request: EventRequest) -> HttpResponseBase:
    """One line a table, in the order in which tables become free."""
    event = request.event
    mark = event_mark(event.pk)
    floor = Floor(event)
    lines = floor.call_list(names(event))
    context = {"lines": lines, "is_drawn": bool(floor.matches), "mark": mark, "here": "board"}
    return page(request, "desk/calls.html", context)


@organizer_post
def call(request: EventRequest, match_id: UUID) -> HttpResponse:
    """Note that a match was called, or that it wasn't after all."""
    match = find(matches_of(request.event), pk=match_id)
    done = {"call": call_match, "back": take_call_back}
    do = request.POST.get("do", "")
    if do not in done:
        raise BadRequest("a form without a known button")
    done[do](match, request.actor, expected_version=expected_version(request))
    told = {"number": match.table.number}
    if do == "call":
        messages.success(request, _("Table %(number)d is called.") % told)
    else:
        messages.success(request, _("The call for table %(number)d is taken back.") % told)
    to = "desk:board" if request.POST.get("to") == "board" else "desk:calls"
    return HttpResponseRedirect(f"{reverse(to, args=[request.event.slug])}#table-{match.table.number}")
