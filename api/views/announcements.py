"""Announcements: read by everybody, made and taken back by the organizer."""

from datetime import datetime

from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import ANNOUNCEMENT, EVENT
from api.schema import changes, lists
from api.shapes.announcements import AnnouncementShape, NewAnnouncementBody
from people import announcements as actions
from people.access import declares, organizes, reads_event

TAG = "announcements"


@declares(reads_event, EVENT)
class EventAnnouncements(Endpoint):
    """The announcements of an event."""

    @lists("announcements_list", TAG, AnnouncementShape, "List announcements")
    def list_shown(self) -> Response:
        """Those that are shown now, the newest first."""
        return self.page(
            actions.shown().filter(event=self.event).order_by("-announced_at"), AnnouncementShape
        )

    @declares(organizes)
    @changes(
        "announcements_create", TAG, AnnouncementShape, "Announce something", NewAnnouncementBody, status=201
    )
    def announce(self, texts: dict[str, str], shown_until: datetime) -> Response:
        """It is pinned to the public pages, the projector and the referees' phones. At most three at once."""
        made = actions.announce(self.event, self.actor, texts, shown_until)
        return self.answer(made, AnnouncementShape, 201)


@declares(organizes, ANNOUNCEMENT)
class AnnouncementEnd(Endpoint):
    """Taking an announcement back."""

    shape = AnnouncementShape

    @changes("announcements_take_back", TAG, AnnouncementShape, "Take an announcement back")
    def take_back(self) -> None:
        """It is shown no more. Done twice, or too late, it changes nothing."""
        actions.take_back(self.subject, self.actor)
