"""Taking in a list of entries: preview row by row, nothing stored until it is confirmed.

Between preview and confirmation the list travels in the page's own form, signed and compressed: no personal
data waits on the server's disk, any process can answer, and what is confirmed is what was previewed.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.forms.entries import ImportForm
from desk.page import done, organizer, page
from people.access import EventRequest
from people.entries import BadRowsError, Preview, PreviewChangedError, confirm_import, preview_import
from people.intake.columns import REQUIRED
from people.intake.files import decode
from people.intake.problems import Code, Field, RefusedError
from people.intake.rows import Row
from people.intake.sentences import field_label, full_sentence, sentence
from people.models import Event, Team

SALT = "desk.import"
# What draws heed; lists without such columns needn't be shown with them.
KINSHIP = (Field.FAMILY, Field.SCHOOL_CLASS, Field.SECTION, Field.STRONG)
GOOD_FOR_SECONDS = 12 * 60 * 60


@dataclass(frozen=True, slots=True)
class Sent:
    """A list and how it is to be read, as it travels."""

    data: bytes
    name: str
    with_notes: bool
    team: Team | None
    mapping: Mapping[Field, str]
    digest: str = ""

    def sealed(self, event: Event, digest: str = "") -> str:
        """The text for the form's hidden field."""
        parts = {
            "event": str(event.pk),
            "data": b64encode(self.data).decode(),
            "name": self.name,
            "notes": self.with_notes,
            "team": str(self.team.pk) if self.team else None,
            "mapping": {field.value: header for field, header in self.mapping.items()},
            "digest": digest,
        }
        return signing.dumps(parts, salt=SALT, compress=True)

    def options(self) -> dict[str, Any]:
        """How it is read, as `people.entries` takes it."""
        return {"with_notes": self.with_notes, "team": self.team, "mapping": self.mapping}


@organizer
def import_entries(request: EventRequest, event_slug: str) -> HttpResponseBase:
    """First the list, then its preview, then the confirmation; all at one address."""
    event = request.event
    if request.method != "POST":
        return _ask(request, ImportForm(event))
    if "sealed" not in request.POST:
        form = ImportForm(event, request.POST, request.FILES)
        if not form.is_valid():
            return _ask(request, form)
        given = form.cleaned_data
        name = given["file"].name if given["file"] else _("pasted rows")
        return _preview(request, Sent(form.content(), name, given["with_notes"], given["team"], {}))
    sent = _opened(event, request.POST["sealed"])
    if sent is None:
        form = ImportForm(event)
        form.cleaned_data = {}
        return _ask(request, form, expired=True)
    if "confirm" in request.POST:
        return _confirm(request, sent, skip_bad=request.POST["confirm"] == "good")
    return _preview(request, _read_anew(request, sent))


def _ask(request: EventRequest, form: ImportForm, *, expired: bool = False) -> HttpResponse:
    context = {"form": form, "expired": expired, "teams": request.event.teams.exists(), "here": "entries"}
    wrong = expired or (form.is_bound and not form.is_valid())
    return page(request, "desk/import.html", context, 422 if wrong else 200)


def _opened(event: Event, sealed: str) -> Sent | None:
    """What a form brought along; None if it is too old, was tampered with, or is another event's."""
    try:
        parts = signing.loads(sealed, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except signing.BadSignature:
        return None
    if parts["event"] != str(event.pk):
        return None
    team = event.teams.filter(pk=parts["team"]).first() if parts["team"] else None
    mapping = {Field(field): header for field, header in parts["mapping"].items()}
    return Sent(b64decode(parts["data"]), parts["name"], parts["notes"], team, mapping, parts["digest"])


def _read_anew(request: EventRequest, sent: Sent) -> Sent:
    """The same list with columns chosen by hand, and notes as the form says now."""
    chosen = {field: request.POST.get(f"column-{field.value}", "") for field in Field}
    mapping = {field: header for field, header in chosen.items() if header}
    with_notes = "with_notes" in request.POST
    return Sent(sent.data, sent.name, with_notes, sent.team, mapping)


def _preview(request: EventRequest, sent: Sent) -> HttpResponse:
    try:
        preview = preview_import(request.event, sent.data, **sent.options())
    except RefusedError as refused:
        return _unreadable(request, sent, refused)
    return _shown(request, sent, preview)


def _confirm(request: EventRequest, sent: Sent, *, skip_bad: bool) -> HttpResponse:
    try:
        result = confirm_import(
            request.event,
            sent.data,
            request.actor,
            expected_digest=sent.digest,
            skip_bad=skip_bad,
            **sent.options(),
        )
    except PreviewChangedError as changed:
        if not changed.preview.good and _is_all_entered(changed.preview):
            return done(request, _("This list was taken in already; nothing was stored twice."), "entries")
        return _shown(request, sent, changed.preview, status=409, changed=True)
    except BadRowsError as bad:
        return _shown(request, sent, bad.preview, status=409)
    told = ngettext("%(count)d person is entered.", "%(count)d persons are entered.", len(result.entries))
    left = ngettext("%(count)d row was left out.", "%(count)d rows were left out.", result.left_out)
    words = [told % {"count": len(result.entries)}]
    if result.left_out:
        words.append(left % {"count": result.left_out})
    return done(request, " ".join(words), "entries")


def _is_all_entered(preview: Preview) -> bool:
    """Whether nothing in the list is new: somebody of it is entered, and no row could be."""
    return any(problem.code == Code.ALREADY_ENTERED for problem in preview.problems)


def _shown(
    request: EventRequest, sent: Sent, preview: Preview, *, status: int = 200, changed: bool = False
) -> HttpResponse:
    columns = preview.sheet.columns
    context = {
        "name": sent.name,
        "sealed": sent.sealed(request.event, preview.digest),
        "preview": preview,
        "changed": changed,
        "encoding": "UTF-8" if _is_utf8(sent.data) else "Windows-1252",
        "delimiter": {";": _("semicolons"), ",": _("commas"), "\t": _("tabs")}[preview.sheet.delimiter],
        "columns": _columns(
            columns.names, {field: columns.names[place] for field, place in columns.places.items()}
        ),
        "columns_read": [
            f"{field_label(field)} ← “{columns.name(field)}”"
            for field in columns.places
            if field is not Field.NOTE or sent.with_notes
        ],
        "bad_lines": [row.line for row in preview.bad],
        "with_notes": sent.with_notes,
        "team": sent.team,
        "kinship": [field_label(field) for field in KINSHIP if field in columns.places],
        "rows": _rows(preview),
        "here": "entries",
    }
    return page(request, "desk/import_preview.html", context, status)


def _unreadable(request: EventRequest, sent: Sent, refused: RefusedError) -> HttpResponse:
    """The list as a whole can't be read; where columns are missing, they can be chosen by hand."""
    found: tuple[str, ...] = ()
    for problem in refused.problems:
        names = problem.params.get("found") or problem.params.get("columns")
        found = names if isinstance(names, tuple) else found
    context = {
        "name": sent.name,
        "sealed": sent.sealed(request.event),
        "sentences": [full_sentence(problem) for problem in refused.problems],
        "columns": _columns(found, sent.mapping) if found else [],
        "with_notes": sent.with_notes,
        "here": "entries",
    }
    return page(request, "desk/import_unreadable.html", context, 422)


@dataclass(frozen=True, slots=True)
class Choice:
    """A field with the headers that it could be, and the one that it is."""

    name: str
    label: str
    headers: tuple[str, ...]
    chosen: str
    is_required: bool


def _columns(headers: tuple[str, ...], chosen: Mapping[Field, str]) -> list[Choice]:
    given = tuple(header for header in headers if header)
    return [
        Choice(field.value, field_label(field), given, chosen.get(field, ""), field in REQUIRED)
        for field in Field
    ]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the preview: what was read, and what is wrong with it, each with its column."""

    line: int | None
    cells: Mapping[str, str]
    problems: tuple[tuple[str, str], ...]
    is_good: bool
    is_remark: bool = False
    kinship: tuple[tuple[str, str], ...] = ()


def _rows(preview: Preview) -> list[Line]:
    kinship = [field for field in KINSHIP if field in preview.sheet.columns.places]
    lines = [_line(row, kinship) for row in preview.sheet.rows]
    lines += [
        Line(remark.line, {}, ((remark.column, sentence(remark)),), is_good=True, is_remark=True)
        for remark in preview.sheet.remarks
    ]
    return sorted(lines, key=lambda line: line.line or 0)


def _line(row: Row, kinship: Sequence[Field]) -> Line:
    problems = tuple((problem.column, sentence(problem)) for problem in row.problems)
    cells = {field.value: text for field, text in row.cells.items()}
    told = tuple((field_label(field), row.cells.get(field, "")) for field in kinship)
    return Line(row.line, cells, problems, is_good=row.accepted is not None, kinship=told)


def _is_utf8(data: bytes) -> bool:
    return decode(data).encode() == data.removeprefix(b"\xef\xbb\xbf")
