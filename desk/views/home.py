"""The events that the account organizes, and the keys of the desk."""

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from desk.page import held_for
from people.access import EventRequest, requires, signed_in
from people.models import Entry, Event


@requires(signed_in)
def home(request: EventRequest) -> HttpResponse:
    """Own events: what is on or to come first, then what is over; three queries."""
    entered = Count("teams__entries", filter=Q(teams__entries__status=Entry.Status.ENTERED), distinct=True)
    events = (
        Event.objects.filter(organizers__account=request.actor.account)
        .annotate(entered=entered, team_count=Count("teams", distinct=True))
        .order_by("starts_on", "name")
    )
    today = timezone.localdate()
    to_come = [event for event in events if event.ends_on >= today]
    over = [event for event in events if event.ends_on < today]
    newest = max(events, key=lambda event: event.starts_on, default=None)
    context = {"to_come": to_come, "over": over[::-1], "today": today, **held_for(newest)}
    return render(request, "desk/home.html", context)


@requires(signed_in)
def keys(request: EventRequest) -> HttpResponse:
    """What can be done without a mouse, and the switch that turns letters off."""
    return render(request, "desk/keys.html", {"here": "keys"})
