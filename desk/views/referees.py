"""Referees and their phones: who is on the list, which phone waits, the day's PIN."""

from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from desk.address_lookup import find_by_id
from desk.forms.events import RefereeForm
from desk.forms.fields import attempt
from desk.page import account_of, done, organizer, organizer_post, page
from desk.phones import phones_of
from people import pairings
from people.access import EventRequest
from people.events import add_referee_once
from people.models import Pairing
from people.refusals import Refused


@organizer
def referees(request: EventRequest) -> HttpResponseBase:
    """The phones that wait, those that are in, and the list of referees."""
    form = RefereeForm(request.event, request.POST or None)
    if referee := attempt(form, lambda: add_referee_once(request.event, request.actor, **form.cleaned_data)):
        return done(request, _("%(name)s is on the list.") % {"name": referee}, "referees")
    return _page(request, form)


def _page(request: EventRequest, form: RefereeForm, pin: str | None = None) -> HttpResponse:
    event = request.event
    context = {
        "phones": phones_of(event, request.GET.get("word", "")),
        "referees": list(event.referees.select_related("team")),
        "form": form,
        "pin": pin,
        "pin_paused": pairings.pin_paused(event),
        "here": "referees",
    }
    return page(request, "desk/referees.html", context, 422 if form.errors else 200)


@organizer
@never_cache
@require_POST
def pin(request: EventRequest) -> HttpResponse:
    """Make a new PIN, shown in this answer and nowhere again: a redirect would have to keep it somewhere."""
    return _page(request, RefereeForm(request.event), pairings.set_day_pin(request.event, request.actor))


@organizer_post
def admit(request: EventRequest, pairing: Pairing) -> HttpResponse:
    """Let a phone in, whose check word was compared."""
    if not pairings.admit(pairing, account_of(request)):
        raise Refused("pairing-revoked", _("This phone was shut out; it has to ask again."))
    return done(request, _("%(name)s’s phone is in.") % {"name": pairing.referee}, "referees")


@organizer_post
def replace(request: EventRequest, pairing: Pairing) -> HttpResponse:
    """Let the phone `by` in and shut this one out, both of one referee: the phone broke."""
    new = find_by_id(request.event.pairings.select_related("referee", "event"), request.POST.get("by", ""))
    pairings.replace(pairing, new, account_of(request))
    told = _("%(name)s’s phone “%(new)s” is in, and “%(old)s” is shut out.")
    words = {"name": new.referee, "new": new.check_word, "old": pairing.check_word}
    return done(request, told % words, "referees")


@organizer_post
def turn_away(request: EventRequest) -> HttpResponse:
    """Turn away all phones that ask to be let in."""
    count = pairings.turn_away(request.event, request.actor)
    told = ngettext("%(count)d phone turned away.", "%(count)d phones turned away.", count)
    return done(request, told % {"count": count}, "referees")


@organizer_post
def revoke(request: EventRequest, pairing: Pairing) -> HttpResponse:
    """Shut a phone out."""
    pairings.revoke(pairing, request.actor)
    if pairing.admitted_at is None:
        said = _("The phone that asked as %(name)s is turned away.")
    else:
        said = _("%(name)s’s phone is shut out.")
    return done(request, said % {"name": pairing.referee}, "referees")
