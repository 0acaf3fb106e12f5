"""The change feed of an event."""

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT
from api.problems import InvalidInput, field_problem
from api.schema import reads
from api.shapes.changes import ChangesQuery, ChangesShape
from integrations.change_feed.cursors import FeedCursor, parse
from integrations.change_feed.kinds import KINDS
from integrations.change_feed.reading import end_of, page_of
from people.access import declares, reads_event

END = "end"


@declares(reads_event, EVENT)
class Changes(Endpoint):
    """What has happened in an event, in one order."""

    @reads(
        "changes_list", "changes", ChangesShape, "Read the change feed", query=ChangesQuery, problems=[410]
    )
    def read(self) -> Response:
        """Facts, results and versions, the oldest first. No change ever appears before one that was read. 410
        `cursor-gone` for a cursor that isn't of this feed (a backup was put back): begin again.
        """
        said = self.query()
        named = _kinds(said.get("kind", ""))
        if said.get("after") == END:
            shown = {"changes": [], "next": str(end_of(self.event)), "has_more": False}
            return self.answer(shown, ChangesShape)
        page = page_of(
            self.event,
            _cursor(said.get("after", "0")),
            said["limit"],
            kinds=named,
            sees_drafts=self.is_organizer,
        )
        return self.answer(page, ChangesShape)


def _cursor(text: str) -> FeedCursor:
    try:
        return parse(text)
    except ValueError as error:
        raise InvalidInput([field_problem("after", "not-a-cursor", _("That leads nowhere."))]) from error


def _kinds(text: str) -> list[str]:
    named = text.split(",") if text else []
    unknown = [each for each in named if each not in KINDS]
    if unknown:
        detail = _("A kind is one of: %(kinds)s.") % {"kinds": ", ".join(KINDS)}
        raise InvalidInput([field_problem("kind", "unknown-kind", detail)])
    return named
