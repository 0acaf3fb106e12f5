"""Taking in a list of entries: preview row by row, nothing stored until it is confirmed.

Between preview and confirmation the list travels in the page's own form, signed and compressed: no personal
data waits on the server's disk, any process can answer, and what is confirmed is what was previewed.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core import signing
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.forms.entries import ImportForm
from desk.page import done, organizer, page
from people.access import EventRequest
from people.entries import BadRowsError, PreviewChangedError, confirm_import, preview_import
from people.input_problems import BadInputError, Code, InputProblem
from people.input_sentences import field_label, full_sentence, sentence
from people.intake.columns import letter
from people.intake.delimited_text import MAX_COLUMNS
from people.intake.entry_fields import EntryField
from people.intake.full_names import NameOrder
from people.intake.rows import EntryRow
from people.intake.sheet_reading import EntrySheet, Options, look_at
from people.models import Event, Team

SALT = "desk.import"
# What few lists have; those without such columns needn't be shown with them.
RARE_FIELDS = (
    EntryField.FAMILY,
    EntryField.SCHOOL_CLASS,
    EntryField.SECTION,
    EntryField.STRONG,
    EntryField.CONSENT,
    EntryField.NUMBER,
    EntryField.STATUS,
)
_WRONG_AGES = (Code.TOO_YOUNG, Code.TOO_OLD)
GOOD_FOR_SECONDS = 12 * 60 * 60


@dataclass(frozen=True, slots=True)
class Sent:
    """A list and how it is to be read, as it travels."""

    data: bytes
    name: str
    with_notes: bool
    team: Team | None
    columns: Mapping[EntryField, int] | None = None
    sheet: str = ""
    has_header: bool = True
    digest: str = ""
    name_order: NameOrder | None = None

    def sealed(self, event: Event, digest: str = "") -> str:
        """The text for the form's hidden field."""
        columns = None if self.columns is None else {str(each): at for each, at in self.columns.items()}
        parts = {
            "event": str(event.pk),
            "data": b64encode(self.data).decode(),
            "name": self.name,
            "notes": self.with_notes,
            "team": str(self.team.pk) if self.team else None,
            "columns": columns,
            "sheet": self.sheet,
            "header": self.has_header,
            "digest": digest,
            "order": self.name_order,
        }
        return signing.dumps(parts, salt=SALT, compress=True)

    def options(self) -> dict[str, Any]:
        """How it is read, as `people.entries` takes it."""
        names = ("with_notes", "team", "columns", "sheet", "has_header", "name_order")
        return {name: getattr(self, name) for name in names}


@organizer
def import_entries(request: EventRequest) -> HttpResponseBase:
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
        return _preview(request, Sent(form.content(), name, given["with_notes"], given["team"]))
    sent = _opened(event, request.POST["sealed"])
    if sent is None:
        return _ask(request, ImportForm(event), expired=True)
    if "confirm" in request.POST:
        return _confirm(request, sent, skip_bad=request.POST["confirm"] == "good")
    try:
        return _preview(request, _read_anew(request, sent))
    except BadInputError as refusal:
        return _unreadable(request, sent, refusal)


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
    columns = parts["columns"] and {EntryField(field): place for field, place in parts["columns"].items()}
    return Sent(
        b64decode(parts["data"]), parts["name"], parts["notes"], team,
        columns, parts["sheet"], parts["header"], parts["digest"], _order(parts.get("order")),
    )  # fmt: skip


def _read_anew(request: EventRequest, sent: Sent) -> Sent:
    """The same list with its columns chosen by hand; of another sheet they are guessed anew.

    Raises `BadInputError` if two columns are chosen for one field.
    """
    if "order" in request.POST:
        return replace(sent, name_order=_order(request.POST["order"]), digest="")
    sheet = request.POST.get("sheet", sent.sheet)
    has_header = "no_header" not in request.POST
    with_notes = "with_notes" in request.POST
    columns: dict[EntryField, int] | None = None
    if sheet == sent.sheet:
        columns = {}
        for place in range(MAX_COLUMNS):
            said = request.POST.get(f"column-{place}", "")
            if said not in set(EntryField):
                continue
            field = EntryField(said)
            if field in columns:
                twice = tuple(letter(each) for each in (columns[field], place))
                params: dict[str, Any] = {"field": said, "columns": twice}
                raise BadInputError(InputProblem(Code.COLUMN_TWICE, column=twice[1], params=params))
            columns[field] = place
    return replace(
        sent, sheet=sheet, has_header=has_header, with_notes=with_notes, columns=columns, digest=""
    )


def _order(said: Any) -> NameOrder | None:
    """The order of full names that was chosen; None where it is to be guessed."""
    return NameOrder(said) if said in set(NameOrder) else None


def _preview(request: EventRequest, sent: Sent) -> HttpResponse:
    try:
        preview = preview_import(request.event, sent.data, **sent.options())
    except BadInputError as refused:
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
        # Nothing in the list is new: somebody of it is entered, and no row could be.
        known = any(problem.code == Code.ALREADY_ENTERED for problem in changed.preview.problems)
        if known and not changed.preview.good:
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


def _shown(
    request: EventRequest, sent: Sent, preview: EntrySheet, *, status: int = 200, changed: bool = False
) -> HttpResponse:
    columns = preview.columns
    context = {
        "name": sent.name,
        "sealed": sent.sealed(request.event, preview.digest),
        "preview": preview,
        "changed": changed,
        "source": _told_source(preview),
        **_choosing(sent),
        "columns_read": [
            f"{field_label(field)} ← “{columns.name(field)}”"
            for field in columns.places
            if field is not EntryField.NOTE or sent.with_notes
        ],
        "reads_notes": sent.with_notes and EntryField.NOTE in columns.places,
        "name_order": preview.name_order,
        "full_name": columns.name(EntryField.FULL_NAME) if preview.name_order else "",
        "bad_lines": [row.line for row in preview.bad],
        "has_wrong_ages": any(each.code in _WRONG_AGES for row in preview.bad for each in row.problems),
        "team": sent.team,
        "rare": [field_label(field) for field in RARE_FIELDS if field in columns.places],
        "rows": _rows(preview),
        "here": "entries",
    }
    return page(request, "desk/import_preview.html", context, status)


def _told_source(preview: EntrySheet) -> str:
    """What the list came as: a sheet of a workbook, or a text with its encoding and what divides it."""
    source = preview.source
    if source.sheets:
        return _("sheet “%(sheet)s”") % {"sheet": source.sheet}
    words = {";": _("semicolons"), ",": _("commas"), "\t": _("tabs")}[source.delimiter]
    return f"{source.encoding} · " + _("divided by %(delimiter)s") % {"delimiter": words}


def _unreadable(request: EventRequest, sent: Sent, refused: BadInputError) -> HttpResponse:
    """The list as a whole can't be read; where columns are missing, they can be chosen by hand."""
    context = {
        "name": sent.name,
        "sealed": sent.sealed(request.event),
        "sentences": [full_sentence(problem) for problem in refused.problems],
        **_choosing(sent),
        "here": "entries",
    }
    return page(request, "desk/import_unreadable.html", context, 422)


def _choosing(sent: Sent) -> dict[str, Any]:
    """What the form needs that says which column is what; no columns if the file can't be looked at."""
    given = {"with_notes": sent.with_notes, "has_header": sent.has_header}
    try:
        outline = look_at(
            sent.data, Options({}, sent.with_notes, sheet=sent.sheet, has_header=sent.has_header)
        )
    except BadInputError:
        return {"columns": [], **given}
    columns = outline.columns
    if sent.columns is not None:
        by_hand = {place: field for field, place in sent.columns.items()}
        columns = tuple(replace(column, guessed=by_hand.get(column.place)) for column in columns)
    fields = [(field.value, field_label(field).capitalize()) for field in EntryField]
    source = outline.source
    return {"columns": columns, "fields": fields, "sheets": source.sheets, "sheet": source.sheet, **given}


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One line of the preview: what was read, and what is wrong with it, each with its column."""

    line: int | None
    cells: Mapping[str, str]
    problems: tuple[tuple[str, str], ...]
    is_good: bool
    is_remark: bool = False
    rare: tuple[tuple[str, str], ...] = ()


def _rows(preview: EntrySheet) -> list[ImportedRow]:
    rare = [field for field in RARE_FIELDS if field in preview.columns.places]
    lines = [_line(row, rare) for row in preview.rows]
    lines += [
        ImportedRow(remark.line, {}, ((remark.column, sentence(remark)),), is_good=True, is_remark=True)
        for remark in preview.remarks
    ]
    return sorted(lines, key=lambda line: line.line or 0)


def _line(row: EntryRow, rare: Sequence[EntryField]) -> ImportedRow:
    problems = tuple((problem.column, sentence(problem)) for problem in row.problems)
    cells = {field.value: text for field, text in row.cells.items()}
    told = tuple((field_label(field), row.cells.get(field, "")) for field in rare)
    return ImportedRow(row.line, cells, problems, is_good=row.accepted is not None, rare=told)
