"""From an XLSX workbook to records of cells, as if it were a list of text: one sheet, values, limits.

Formulas give the value that the spreadsheet program stored with them; dates are written as lists write them
(day/month/year), since `dates` reads those. A workbook is a ZIP archive of XML: what it would unfold to is
known before anything is unfolded, and XML that defines entities of its own is refused unread.
"""

import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from io import BytesIO
from typing import Any

from people.intake.files import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, Record
from people.intake.problems import Code, Problem, RefusedError
from people.intake.text import clean, fold, shown

MARK = b"PK\x03\x04"
MAX_UNFOLDED = 32 * 1024 * 1024
MAX_MEMBERS = 1_000
# The last row that a sheet can have; a broken one may name any number.
LAST_ROW = 1_048_576
_CONTENT = "[Content_Types].xml"
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_ENCODINGS = frozenset({b"utf-8", b"us-ascii", b"ascii"})


@dataclass(frozen=True, slots=True)
class Workbook:
    """The names of a workbook's sheets that can be seen, which of them was read, and its records."""

    sheets: tuple[str, ...]
    sheet: str
    records: tuple[Record, ...]


def is_workbook(data: bytes) -> bool:
    """Whether the bytes are an archive, as XLSX files are (others of that kind are refused by `read`)."""
    return data.startswith(MARK)


def read_workbook(data: bytes, wanted: str, known_headers: Any) -> Workbook:
    """The sheet called `wanted`, or the one whose first row has most known headers, or the first.

    `known_headers` counts the known columns of a header. Raises `RefusedError`, and nothing else whatever the
    bytes are: too big, no workbook, broken, or without a sheet of this name.
    """
    if len(data) > MAX_BYTES:
        raise RefusedError(Problem(Code.FILE_TOO_BIG, params={"limit": MAX_BYTES // 1024 // 1024}))
    _check_archive(data)
    try:
        with warnings.catch_warnings():
            # Of drawings, validations and the like, which nobody asks for here.
            warnings.simplefilter("ignore")
            return _read(data, wanted, known_headers)
    except RefusedError:
        raise
    except Exception as error:
        # The library raises whatever its parsers do: for a broken file there is one sentence.
        raise RefusedError(Problem(Code.FILE_BROKEN)) from error


def _check_archive(data: bytes) -> None:
    """Refuse what isn't a workbook, or would unfold to more than any list of people."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > MAX_UNFOLDED or len(members) > MAX_MEMBERS:
                raise RefusedError(Problem(Code.FILE_UNFOLDS, params={"limit": MAX_UNFOLDED // 1024 // 1024}))
            names = {member.filename for member in members}
            if _CONTENT not in names or not any(name.startswith("xl/") for name in names):
                raise RefusedError(Problem(Code.FILE_SPREADSHEET))
            for member in members:
                if member.filename.endswith((".xml", ".rels")):
                    _check_xml(archive.read(member))
    except RefusedError:
        raise
    except Exception as error:
        raise RefusedError(Problem(Code.FILE_BROKEN)) from error


def _check_xml(text: bytes) -> None:
    """Refuse XML that defines a document type, or hides one in another encoding."""
    head = text[:200]
    told = _ENCODING.search(head)
    if b"<!DOCTYPE" in text or b"\x00" in head or (told and told[1].lower() not in _ENCODINGS):
        raise RefusedError(Problem(Code.FILE_BROKEN))


def _read(data: bytes, wanted: str, known_headers: Any) -> Workbook:
    # Only here: a start without it is shorter.
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
    try:
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
        if not visible:
            raise RefusedError(Problem(Code.FILE_EMPTY))
        names = tuple(sheet.title for sheet in visible)
        chosen = _chosen(visible, names, wanted, known_headers)
        return Workbook(names, chosen.title, tuple(_records(chosen)))
    finally:
        book.close()


def _chosen(visible: Sequence[Any], names: tuple[str, ...], wanted: str, known_headers: Any) -> Any:
    if wanted:
        for sheet in visible:
            if fold(sheet.title) == fold(wanted):
                return sheet
        found = tuple(shown(clean(name)) for name in names)
        raise RefusedError(Problem(Code.SHEET_UNKNOWN, value=shown(wanted), params={"found": found}))
    if len(visible) == 1:
        return visible[0]
    return max(visible, key=lambda sheet: _promise(sheet, known_headers))


def _promise(sheet: Any, known_headers: Any) -> int:
    """How many columns of the sheet's first row that holds something are known."""
    for record in _rows(sheet):
        if not record.is_blank:
            return int(known_headers(record.cells))
    return -1


def _records(sheet: Any) -> list[Record]:
    """All rows, blank ones included but not those after the last that holds something."""
    records: list[Record] = []
    filled = 0
    for record in _rows(sheet):
        if record.is_blank and len(records) - filled >= MAX_ROWS:
            continue
        records.append(record)
        filled += not record.is_blank
        if filled > MAX_ROWS + 1:
            raise RefusedError(Problem(Code.FILE_TOO_MANY_ROWS, params={"limit": MAX_ROWS}))
    while records and records[-1].is_blank:
        records.pop()
    return records


def _rows(sheet: Any) -> Iterator[Record]:
    # One column more than can be read, so that a sheet that is too wide is noticed.
    for line, row in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS + 1, values_only=True), start=1):
        if line > LAST_ROW:
            return
        yield Record(line, tuple(map(_text, row)))


def _text(value: object) -> str:
    """A cell's value as somebody would have typed it."""
    match value:
        case None:
            return ""
        case bool():
            return "x" if value else "no"
        case datetime() if value.time() == time():
            return f"{value.day:02}/{value.month:02}/{value.year:04}"
        case datetime():
            return value.isoformat(" ", "seconds")
        case date():
            return f"{value.day:02}/{value.month:02}/{value.year:04}"
        case float() if value.is_integer():
            return str(int(value))
    return str(value)
