"""Announcements: written, shown as long as they are up, taken back."""

from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from desk.forms.announcements import AnnouncementForm
from desk.forms.fields import attempt
from desk.page import client_id, done, organizer, organizer_post, page
from people import announcements as actions
from people.access import EventRequest
from people.models import Announcement
from rendering.text.active_language import reader_language

MOST_PAST = 20


@organizer
def announcements(request: EventRequest) -> HttpResponseBase:
    """What is up, a form for the next, and what was up before."""
    event = request.event
    form = AnnouncementForm(event, request.POST or None)
    if attempt(
        form,
        lambda: actions.announce(
            event, request.actor, form.texts(), form.until(), client_id=client_id(request)
        ),
    ):
        told = _("It is up: on the public pages, the projector and the phones.")
        return done(request, told, "announcements")
    up = actions.current(event)
    past = event.announcements.exclude(pk__in=[each.pk for each in up])[:MOST_PAST]
    language = reader_language()
    context = {
        "form": form,
        "up": [(each, *each.text(language)) for each in up],
        "past": [(each, *each.text(language)) for each in past],
        "here": "board",
    }
    return page(request, "desk/announcements.html", context, 422 if form.errors else 200)


@organizer_post
def take_back(request: EventRequest, announcement: Announcement) -> HttpResponse:
    """Show it no more."""
    actions.take_back(announcement, request.actor)
    return done(request, _("It is taken back."), "announcements")
