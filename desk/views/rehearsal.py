"""Rehearsing the day on a practice event, and deleting it whole."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from desk.page import account_of, organizer, organizer_post, page
from people.access import EventRequest
from tournaments.commands.rehearsal import end_rehearsal, rehearse


@organizer
def rehearsal(request: EventRequest) -> HttpResponseBase:
    """Of a real event: make a practice copy. Of a practice event: delete it."""
    if request.method == "POST":
        made = rehearse(request.event, account_of(request))
        messages.success(request, _("The rehearsal is ready. Nothing that you do here counts."))
        return redirect("desk:event", made.slug)
    return page(request, "desk/rehearsal.html", {"here": "event"})


@organizer_post
def end(request: EventRequest) -> HttpResponse:
    """Delete a practice event, once that is ticked."""
    if request.POST.get("sure") != "yes":
        messages.warning(request, _("Nothing was deleted: tick the box first."))
        return redirect("desk:rehearsal", request.event.slug)
    name = request.event.name
    end_rehearsal(request.event)
    messages.success(request, _("“%(name)s” is deleted whole.") % {"name": name})
    return redirect("desk:home")
