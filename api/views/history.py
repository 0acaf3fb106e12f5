"""The audit trail for programs."""

from datetime import UTC, datetime
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT
from api.problems import InvalidInput, field_problem
from api.schema import reads
from api.shapes.history import HistoryQuery, HistoryShape
from people.access import declares, organizes
from people.number_parsing import whole_number
from tournaments.queries.history import NOBODY, HappeningKind, HistoryFilter, Mark, happenings

LINES = 100


@declares(organizes, EVENT)
class History(Endpoint):
    """Decisions, results, corrections and changes of rows in one list."""

    @reads("history_read", "events", HistoryShape, "Read the history", query=HistoryQuery, etag=False)
    def read(self) -> Response:
        """So many lines, the newest first; `older` leads on."""
        said = self.query()
        who = NOBODY if said.get("by_nobody") else str(said.get("by", ""))
        kind = HappeningKind(said["kind"]) if "kind" in said else None
        asked = HistoryFilter(who, kind, said.get("table"), said.get("since"), said.get("until"))
        before = _mark(said["before"]) if "before" in said else None
        lines, mark = happenings(self.event, limit=LINES, before=before, asked=asked)
        older = f"{mark[0].astimezone(UTC).isoformat()}_{mark[1]}_{mark[2]}" if mark else None
        return Response(HistoryShape({"lines": lines, "older": older}).data)


def _mark(text: str) -> Mark:
    try:
        moment, one, sequence = text.split("_")
        at = datetime.fromisoformat(moment)
        number = whole_number(sequence)
        if at.tzinfo is None or number is None:
            raise ValueError(text)
        return at.astimezone(UTC), UUID(one), number
    except (ValueError, OverflowError) as error:
        raise InvalidInput([field_problem("before", "not-a-mark", _("That leads nowhere."))]) from error
