"""The people of an event: who is named where, until when, and how they are forgotten."""

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from desk.forms.erasure import PurgeForm
from desk.page import done, organizer, page
from people import person_erasure
from people.access import EventRequest
from people.event_days import is_purge_due, purge_day
from people.models import Event

PAGE = 100


def known(event: Event) -> dict[str, int]:
    """How many are known by name, and what of them; two queries."""
    persons: dict[str, int] = event.persons.aggregate(
        persons=Count("pk"),
        consenting=Count("pk", filter=Q(shows_name=True)),
        marked=Count("pk", filter=~Q(family="") | ~Q(school_class="") | Q(is_strong=True)),
        noted=Count("pk", filter=~Q(note="")),
    )
    return persons | {"referees": event.referees.exclude(first_name="", last_name="").count()}


@organizer
def people(request: EventRequest) -> HttpResponse:
    """Who is named where and until when, each with the way to be erased."""
    event = request.event
    persons = event.persons.filter(entry__isnull=False).select_related("entry__team")
    listed = Paginator(persons.order_by("last_name", "first_name", "pk"), PAGE)
    context = {
        "known": known(event),
        "page": listed.get_page(request.GET.get("page")),
        "referees": event.referees.exclude(first_name="", last_name="").order_by("first_name", "last_name"),
        "purge_day": purge_day(event),
        "is_due": is_purge_due(event),
        "here": "people",
    }
    return page(request, "desk/people.html", context)


@organizer
def purge(request: EventRequest) -> HttpResponseBase:
    """Say what erasing everybody does; do it when that is confirmed."""
    event = request.event
    form = PurgeForm(event, request.POST or None)
    if request.method == "POST" and form.is_valid():
        gone = person_erasure.purge(event, request.actor)
        told = _("Erased players: %(persons)d; referees: %(referees)d.")
        return done(request, told % {"persons": gone.persons, "referees": gone.referees}, "people")
    context = {"known": known(event), "form": form, "here": "people"}
    return page(request, "desk/people_purge.html", context, 422 if form.errors else 200)
