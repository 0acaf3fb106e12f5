"""The date that the service's clock says, confirmed by an organizer where something waits for that."""

from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from desk.forms.erasure import DateForm
from desk.page import done, organizer, page
from people.access import EventRequest
from people.clock_trust import Doubt
from people.event_days import today
from people.held_erasures import confirm_date, held_now, waiting_for_date


@organizer
def confirm(request: EventRequest) -> HttpResponseBase:
    """Say what waits and why; let it go on once somebody has given the date that the clock has."""
    now = timezone.now()
    form = DateForm(today(request.event, now), request.POST or None)
    if request.method == "POST" and form.is_valid():
        told = _("Nothing waits for the date any more.")
        if confirm_date(request.event, request.actor, now):
            told = _("The date is confirmed. What was due is done within a minute.")
        return done(request, told, "event")
    held = held_now()
    waiting = held if held and held.reason in list(Doubt) else None
    going_at_once, others = waiting_for_date(request.event, now)
    context = {"form": form, "clock": now, "held": waiting, "here": "event", "is_date_page": True}
    context |= {"going_at_once": going_at_once, "other_events": others}
    return page(request, "desk/date.html", context, 422 if form.errors else 200)
