"""Referees and their phones: who is on the list, which phone waits, the day's PIN."""

from uuid import UUID

from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from desk.forms.events import RefereeForm
from desk.forms.fields import attempt
from desk.page import account_of, done, find, organizer, page
from people import pairings
from people.access import EventRequest
from people.entries import lock_event
from people.events import add_referee
from people.models import Pairing, Referee
from tournaments.refusals import Refused


@organizer
def referees(request: EventRequest, event_slug: str) -> HttpResponseBase:
    """The phones that wait, those that are in, and the list of referees."""
    form = RefereeForm(request.event, request.POST or None)
    if request.method == "POST" and form.is_valid():
        referee = attempt(form, lambda: _added(request, form))
        if referee is not None:
            return done(request, _("%(name)s is on the list.") % {"name": referee}, "referees")
    return _page(request, form)


def _page(request: EventRequest, form: RefereeForm, pin: str | None = None) -> HttpResponse:
    event = request.event
    phones = list(event.pairings.filter(revoked_at=None).select_related("referee__team"))
    context = {
        "waiting": [phone for phone in phones if phone.admitted_at is None],
        "admitted": [phone for phone in phones if phone.admitted_at is not None],
        "referees": list(event.referees.select_related("team")),
        "form": form,
        "pin": pin,
        "pin_paused": pairings.pin_paused(event),
        "here": "referees",
    }
    return page(request, "desk/referees.html", context, 422 if form.errors else 200)


@transaction.atomic
def _added(request: EventRequest, form: RefereeForm) -> Referee:
    """The new referee; a form that is sent twice finds the one that it added before."""
    lock_event(request.event)
    given = form.cleaned_data
    there = Referee.objects.filter(event=request.event, **given).first()
    return there or add_referee(request.event, request.actor, **given)


@organizer
@never_cache
@require_POST
def pin(request: EventRequest, event_slug: str) -> HttpResponse:
    """Make a new PIN, shown in this answer and nowhere again: a redirect would have to keep it somewhere."""
    return _page(request, RefereeForm(request.event), pairings.set_day_pin(request.event, request.actor))


@organizer
@require_POST
def admit(request: EventRequest, event_slug: str, pairing_id: UUID) -> HttpResponse:
    """Let a phone in, whose check word was compared."""
    pairing = _pairing(request, pairing_id)
    if pairing.revoked_at is not None:
        raise Refused("pairing-revoked", _("This phone was shut out; it has to ask again."))
    if pairing.admitted_at is None:
        pairings.admit(pairing, account_of(request.actor))
    return done(request, _("%(name)s’s phone is in.") % {"name": pairing.referee}, "referees")


@organizer
@require_POST
def revoke(request: EventRequest, event_slug: str, pairing_id: UUID) -> HttpResponse:
    """Shut a phone out."""
    pairing = _pairing(request, pairing_id)
    pairings.revoke(pairing, request.actor)
    return done(request, _("%(name)s’s phone is shut out.") % {"name": pairing.referee}, "referees")


def _pairing(request: EventRequest, pairing_id: UUID) -> Pairing:
    pairing: Pairing = find(request.event.pairings.select_related("referee", "event"), pk=pairing_id)
    return pairing
