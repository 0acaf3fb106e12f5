"""An event at the desk: the way to a palio, what is missing on it, what happened last; and its rehearsal."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from desk.forms.events import EventForm, NewEventForm
from desk.forms.fields import attempt, stamp, succeeds, unchanged
from desk.page import account_of, done, organizer, organizer_post, page
from desk.setup_steps import list_setup_steps
from people.access import EventRequest, requires, signed_in
from people.event_days import is_purge_due, purge_day
from people.events import edit_event
from people.models import Account, Event
from people.person_erasure import named_events
from tournaments.commands.create_event import begin_event_once
from tournaments.commands.practice_copy import end_rehearsal, rehearse
from tournaments.queries.history import happenings

RECENT = 12


@requires(signed_in)
def new(request: EventRequest) -> HttpResponse:
    """Make an event."""
    form = NewEventForm(account_of(request), request.POST or None)
    if event := attempt(form, lambda: _made(form, account_of(request))):
        messages.success(request, _("The event is made. Nobody but you sees it yet."))
        return redirect("desk:event", event.slug)
    return render(request, "desk/event_new.html", {"form": form}, status=422 if form.errors else 200)


def _made(form: NewEventForm, account: Account) -> Event:
    """The new event; a form that is sent twice finds the one that it made before."""
    given = dict(form.cleaned_data)
    begin_with = given.pop("begin_with")
    return begin_event_once(account, form.earlier.get(begin_with, begin_with), **given)


@organizer
def overview(request: EventRequest) -> HttpResponse:
    """The way from an empty event to a closed palio, with the next step."""
    steps = list_setup_steps(request.event)
    recent, _more = happenings(request.event, limit=RECENT)
    context = {"steps": steps, "next": next((step for step in steps if step.is_next), None), "recent": recent}
    return page(request, "desk/event.html", context | _names_until(request.event) | {"here": "event"})


def _names_until(event: Event) -> dict[str, Any]:
    """Until when people are known by name; one query."""
    if not named_events().filter(pk=event.pk).exists():
        return {}
    return {"names_until": purge_day(event), "names_are_due": is_purge_due(event)}


@organizer
def edit(request: EventRequest) -> HttpResponseBase:
    """All settings of the event."""
    event = request.event
    form = EventForm.of(event, request.POST or None)
    if unchanged(request, event, form) and succeeds(
        form, lambda: edit_event(event, request.actor, **form.cleaned_data)
    ):
        return done(request, _("The settings are stored."), "event")
    context: dict[str, Any] = {"form": form, "stamp": stamp(event), "here": "event"}
    return page(request, "desk/event_edit.html", context, 422 if form.errors else 200)


@organizer_post
def publish(request: EventRequest) -> HttpResponse:
    """Make the event public, or private again."""
    shown = request.POST.get("public") == "yes"
    edit_event(request.event, request.actor, is_published=shown)
    told = _("The event is public now.") if shown else _("The event is private again: only the desk sees it.")
    return done(request, told, "event")


@organizer
def rehearsal(request: EventRequest) -> HttpResponseBase:
    """Of a real event: make a practice copy. Of a practice event: delete it."""
    if request.method == "POST":
        made = rehearse(request.event, account_of(request))
        messages.success(request, _("The rehearsal is ready. Nothing that you do here counts."))
        return redirect("desk:event", made.slug)
    return page(request, "desk/rehearsal.html", {"here": "event"})


@organizer_post
def rehearsal_end(request: EventRequest) -> HttpResponse:
    """Delete a practice event, once that is ticked."""
    if request.POST.get("sure") != "yes":
        messages.warning(request, _("Nothing was deleted: tick the box first."))
        return redirect("desk:rehearsal", request.event.slug)
    name = request.event.name
    end_rehearsal(request.event)
    messages.success(request, _("“%(name)s” is deleted whole.") % {"name": name})
    return redirect("desk:home")
