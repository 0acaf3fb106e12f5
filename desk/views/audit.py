"""The audit trail: a page with filters, and a table for a spreadsheet."""

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from desk.forms.audit import AskedForm
from desk.page import organizer, page
from people.access import EventRequest
from people.models import Event
from people.number_parsing import whole_number
from rendering.text.active_language import reader_language
from tournaments.queries.history import HistoryFilter, Mark, happenings
from tournaments.transfer.export.csv_and_json import TYPES, ExportTable, Form, Value, csv_lines

PAGE = 100
PORTION = 500
"""So many lines of the file are read at once."""


@organizer
def audit(request: EventRequest) -> HttpResponse:
    """The history of the event, newest first; `?at=…&id=…&sequence=…` goes on where a page ended."""
    form = AskedForm(request.event, request.GET)
    lines, mark = happenings(request.event, limit=PAGE, before=_mark(request), asked=form.asked())
    chosen = form.chosen
    older = (
        urlencode({**chosen, "at": mark[0].isoformat(), "id": mark[1], "sequence": mark[2]}) if mark else ""
    )
    context = {
        "lines": lines,
        "older": older,
        "form": form,
        "chosen": urlencode(chosen),
        "is_newest": "at" not in request.GET,
        "here": "audit",
    }
    return page(request, "desk/audit.html", context)


@organizer
def audit_file(request: EventRequest) -> HttpResponseBase:
    """The same as CSV, all of it: when, who, what and in detail, as a spreadsheet in Italy opens it."""
    event, asked = request.event, AskedForm(request.event, request.GET).asked()
    columns = (_("When"), _("Who"), _("What"), _("In detail"))
    table = ExportTable("history", columns, lambda: _rows(event, asked))
    # What is streamed is written after the request's language is gone.
    lines = _in_language(csv_lines(table, Form.EXCEL_CSV), reader_language())
    answer = StreamingHttpResponse(lines, content_type=TYPES[Form.EXCEL_CSV][0])
    name = pgettext("name of a file", "history")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-{name}.csv"'
    return answer


def _rows(event: Event, asked: HistoryFilter) -> Iterator[tuple[Value, ...]]:
    zone = ZoneInfo(event.time_zone)
    mark: Mark | None = None
    while True:
        lines, mark = happenings(event, limit=PORTION, before=mark, asked=asked)
        for line in lines:
            when = line.at.astimezone(zone).replace(tzinfo=None)
            yield when, line.who, line.what, "; ".join(line.details)
        if mark is None:
            return


def _in_language(lines: Iterator[bytes], language: str) -> Iterator[bytes]:
    while True:
        with override(language):
            line = next(lines, None)
        if line is None:
            return
        yield line


def _mark(request: EventRequest) -> Mark | None:
    if "at" not in request.GET:
        return None
    try:
        moment = datetime.fromisoformat(request.GET["at"])
        asked = request.GET.get
        at, one = moment.astimezone(UTC), UUID(asked("id", ""))
    except (ValueError, OverflowError) as error:
        raise Http404 from error
    sequence = whole_number(asked("sequence", ""))
    if moment.tzinfo is None or sequence is None:
        raise Http404
    return at, one, sequence
