"""The audit trail: a page with filters, and a table for a spreadsheet."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from django import forms
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext

from desk.forms.fields import CompletedForm
from desk.page import organizer, page
from games.active_language import reader_language
from people.access import EventRequest
from people.models import Event
from people.moment_parsing import BadMomentError, moment_asked
from tournaments.queries.history import KINDS, HappeningKind, HistoryFilter, Mark, actors, happenings
from tournaments.transfer.export.csv_and_json import TYPES, ExportTable, Form, Value, csv_lines

PAGE = 100
PORTION = 500
"""So many lines of the file are read at once."""


def _moment_field(label: Any) -> forms.CharField:
    widget = forms.TextInput({"type": "datetime-local"})
    return forms.CharField(required=False, label=label, max_length=40, widget=widget)


class AskedForm(CompletedForm):
    """What of the history is wanted; all of it where nothing is chosen."""

    who = forms.ChoiceField(required=False, label=gettext_lazy("Who"))
    kind = forms.TypedChoiceField(
        required=False,
        label=gettext_lazy("What"),
        choices=[("", gettext_lazy("everything")), *((kind.value, label) for kind, label in KINDS.items())],
        coerce=HappeningKind,
        empty_value=None,
    )
    table = forms.TypedChoiceField(required=False, label=gettext_lazy("Table"), coerce=int, empty_value=None)
    since = _moment_field(gettext_lazy("From"))
    until = _moment_field(gettext_lazy("Until"))

    def __init__(self, event: Event, data: Any) -> None:
        super().__init__(data, label_suffix="")
        self.event = event
        self.fields["who"].choices = [("", _("everybody")), *actors(event)]
        numbers = [str(number) for number in event.tables.order_by("number").values_list("number", flat=True)]
        self.fields["table"].choices = [("", pgettext("tables", "all")), *zip(numbers, numbers, strict=True)]

    def clean_since(self) -> datetime | None:
        """The moment from which on."""
        return self._moment("since")

    def clean_until(self) -> datetime | None:
        """The moment up to which."""
        return self._moment("until")

    def _moment(self, name: str) -> datetime | None:
        text = self.cleaned_data.get(name)
        if not text:
            return None
        try:
            return moment_asked(text, self.event)
        except BadMomentError as error:
            raise forms.ValidationError(_("That is no moment in time")) from error

    def asked(self) -> HistoryFilter:
        """What was chosen; Http404 for what nobody can choose."""
        if not self.is_valid():
            raise Http404
        return HistoryFilter(**self.cleaned_data)

    @property
    def chosen(self) -> dict[str, str]:
        """What stands in the address of it."""
        return {name: self.data[name] for name in self.fields if self.data.get(name)}


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
        mark = (moment.astimezone(UTC), UUID(asked("id", "")), int(asked("sequence", "")))
    except (ValueError, OverflowError) as error:
        raise Http404 from error
    if moment.tzinfo is None:
        raise Http404
    return mark
