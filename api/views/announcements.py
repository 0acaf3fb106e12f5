"""Announcements: read by everybody, made and taken back by the organizer."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.schema import describes
from api.shapes.announcements import AnnouncementShape, NewAnnouncementBody
from api.shapes.entries import NothingBody
from api.subjects import ANNOUNCEMENT, EVENT
from people import announcements as actions
from people.access import declares, organizes, reads_event
from people.models import Announcement

TAG = "announcements"


@declares(reads_event, EVENT)
class EventAnnouncements(Endpoint):
    """The announcements of an event."""

    pagination_class = Pages

    @describes("announcements_list", TAG, {200: AnnouncementShape(many=True)}, summary="List announcements")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Those that are shown now, the newest first."""
        return self.page(
            actions.shown().filter(event=self.event).order_by("-announced_at"), AnnouncementShape
        )

    @declares(organizes)
    @describes(
        "announcements_create",
        TAG,
        {201: AnnouncementShape},
        request=NewAnnouncementBody,
        summary="Announce something",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It is pinned to the public pages, the projector and the referees' phones. At most three at once."""
        body = self.body(NewAnnouncementBody)
        texts = {"it": body["text_it"], "en": body["text_en"]}
        made = actions.announce(self.event, self.actor, texts, body["shown_until"])
        return self.answer(made, AnnouncementShape, 201)


@declares(organizes, ANNOUNCEMENT)
class AnnouncementEnd(Endpoint):
    """Taking an announcement back."""

    subject: Announcement

    @describes(
        "announcements_take_back",
        TAG,
        {200: AnnouncementShape},
        request=NothingBody,
        summary="Take an announcement back",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It is shown no more. Done twice, or too late, it changes nothing."""
        self.body(NothingBody)
        actions.take_back(self.subject, self.actor)
        return self.answer(self.subject, AnnouncementShape)
