"""Reading an XLSX workbook, within limits: the values of one sheet as records of cells.

Formulas give the value that the spreadsheet program stored with them; dates are written as lists write them
(day/month/year), since `dates` reads those. A workbook is a ZIP archive of XML, and both can grow far beyond
their size. So all of it is inflated and parsed within limits before the library for spreadsheets sees any.
"""

import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, time
from io import BytesIO
from itertools import islice
from typing import Any
from xml.parsers import expat

from people.input_problems import BadInputError, Code, InputProblem
from people.intake.cell_text import clean, fold, shown
from people.intake.delimited_text import (
    MAX_COLUMNS,
    MOST_BLANK,
    CountKnown,
    Record,
    SheetSource,
    filled_records,
)
from people.intake.encodings import FileKind, kind_of_zip, refusal_of
from people.intake.zips import BLOCK, ZipRefusedError, member_blocks, opened_zip

MARK = b"PK\x03\x04"
MAX_UNFOLDED = 32 * 1024 * 1024
MAX_MEMBERS = 1_000
MAX_SHEETS = 50
MAX_CELLS = 250_000
# Rows that a file writes down, most of which may be empty.
MAX_ROW_ELEMENTS = 100_000
# The last row that a sheet can have; a broken one may name any number.
LAST_ROW = 1_048_576
_MOST_DIRECTORY = 1024 * 1024
_CONTENT = "[Content_Types].xml"
# An OpenDocument names its type in a member of its own.
_MIMETYPE = "mimetype"
MAX_MIMETYPE = 1_000
# Elements that a list has many of, and how many; of all others together there are few.
_MOST_ELEMENTS = {
    "sheet": MAX_SHEETS,
    "row": MAX_ROW_ELEMENTS,
    **dict.fromkeys(("c", "v", "f", "is", "si", "t"), MAX_CELLS),
}
_MOST_OTHERS = 20_000
# A text, a comment or a tag. Parsers that read by pieces begin a long tag anew with each piece.
_LONGEST = 100_000
# The size of a sheet, its first row and its content are read one after the other.
_MOST_READINGS = 3


def is_workbook(data: bytes) -> bool:
    """Whether the bytes are an archive, as XLSX files are; `read_workbook` refuses other archives."""
    return data.startswith(MARK)


def read_workbook(data: bytes, wanted: str, known_headers: CountKnown) -> SheetSource:
    """The sheet called `wanted`, or the one whose first row has most known headers, or the first.

    Raises `BadInputError`, and nothing else whatever the bytes are: no workbook, broken, or without a sheet
    of this name.
    """
    checked = _checked(data)
    try:
        with warnings.catch_warnings():
            # Of drawings, validations and the like, which nobody asks for here.
            warnings.simplefilter("ignore")
            return _read(checked, wanted, known_headers)
    except BadInputError:
        raise
    except Exception as error:
        # The library raises whatever its parsers do: for a broken file there is one sentence.
        raise BadInputError.of(Code.FILE_BROKEN) from error


def _checked(data: bytes) -> BytesIO:
    """The workbook anew, inflated, with those members that are harmless XML; `BadInputError` for bombs."""
    inflated = _LimitedReads()
    elements: Counter[str] = Counter()
    room = MAX_UNFOLDED
    try:
        with opened_zip(BytesIO(data), _MOST_DIRECTORY) as archive, zipfile.ZipFile(inflated, "w") as checked:
            members = archive.infolist()
            names = {member.filename for member in members}
            if len(members) > MAX_MEMBERS:
                raise _unfolds()
            if _CONTENT not in names or not any(name.startswith("xl/") for name in names):
                raise refusal_of(_kind(archive, names))
            for member in members:
                blocks = list(member_blocks(archive, member, room))
                room -= sum(map(len, blocks))
                if _is_well_formed(blocks, elements):
                    checked.writestr(member.filename, b"".join(blocks))
                elif member.filename.endswith((".xml", ".rels")):
                    raise BadInputError.of(Code.FILE_BROKEN)
                # Pictures, macros and the like stay behind: nothing is read of them.
    except ZipRefusedError as error:
        raise (_unfolds() if error.is_size else BadInputError.of(Code.FILE_BROKEN)) from error
    inflated.limit_reads()
    return inflated


def _kind(archive: zipfile.ZipFile, names: Collection[str]) -> FileKind:
    """What an archive is that is no workbook."""
    mimetype = b""
    if _MIMETYPE in names:
        blocks = member_blocks(archive, archive.getinfo(_MIMETYPE), MAX_MIMETYPE)
        mimetype = b"".join(blocks)
    return kind_of_zip(names, mimetype)


def _unfolds() -> BadInputError:
    return BadInputError.of(Code.FILE_UNFOLDS, limit=MAX_UNFOLDED // 1024 // 1024)


def _is_well_formed(blocks: Iterable[bytes], elements: Counter[str]) -> bool:
    """Whether a member is XML. Adds what it has to `elements`.

    Raises `BadInputError` for what no list of people has. One such thing is a document type, which could
    define entities that grow when they are read. Others are too many elements of a kind, and a text or tag
    that is too long.
    """
    text = 0

    def start(name: str, attributes: object) -> None:
        nonlocal text
        text = 0
        local = name.rpartition(":")[2]
        kind = local if local in _MOST_ELEMENTS else ""
        elements[kind] += 1
        if elements[kind] > _MOST_ELEMENTS.get(kind, _MOST_OTHERS):
            if kind == "sheet":
                raise BadInputError.of(Code.FILE_TOO_MANY_SHEETS, limit=MAX_SHEETS)
            raise BadInputError.of(Code.FILE_TOO_MANY_CELLS, limit=MAX_CELLS)

    def characters(found: str) -> None:
        nonlocal text
        text += len(found)
        if text > _LONGEST:
            raise BadInputError.of(Code.FILE_BROKEN)

    def doctype(*declared: object) -> None:
        raise BadInputError.of(Code.FILE_BROKEN)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    fed = 0
    try:
        for block in blocks:
            parser.Parse(block)
            fed += len(block)
            # What was fed and not reported belongs to one tag or comment.
            if fed - max(parser.CurrentByteIndex, 0) > _LONGEST + BLOCK:
                raise BadInputError.of(Code.FILE_BROKEN)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError):
        # The last two: an encoding that there isn't, or that isn't made of bytes for letters.
        return False
    return True


class _LimitedReads(BytesIO):
    """A file of which only a few times its size can be read.

    Any number of sheets can name the same member, and the library reads all of them.
    """

    _left = sys.maxsize

    def limit_reads(self) -> None:
        """Begin to count."""
        self._left = _MOST_READINGS * self.getbuffer().nbytes + _MOST_DIRECTORY

    def read(self, size: int | None = -1, /) -> bytes:
        """Read on; `BadInputError` if it was enough."""
        found = super().read(size)
        self._left -= len(found)
        if self._left < 0:
            raise BadInputError.of(Code.FILE_BROKEN)
        return found


def _read(data: BytesIO, wanted: str, known_headers: CountKnown) -> SheetSource:
    # Only here: a start without it is shorter.
    from openpyxl import load_workbook

    book = load_workbook(data, read_only=True, data_only=True, keep_links=False)
    try:
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
        if not visible:
            raise BadInputError.of(Code.FILE_EMPTY)
        names = tuple(sheet.title for sheet in visible)
        chosen = _chosen(visible, names, wanted, known_headers)
        return SheetSource(tuple(filled_records(_rows(chosen))), sheets=names, sheet=chosen.title)
    finally:
        book.close()


def _chosen(visible: Sequence[Any], names: tuple[str, ...], wanted: str, known_headers: CountKnown) -> Any:
    if wanted:
        for sheet in visible:
            if fold(sheet.title) == fold(wanted):
                return sheet
        found = tuple(shown(clean(name)) for name in names)
        raise BadInputError(InputProblem(Code.SHEET_UNKNOWN, value=shown(wanted), params={"found": found}))
    if len(visible) == 1:
        return visible[0]
    return max(visible, key=lambda sheet: _promise(sheet, known_headers))


def _promise(sheet: Any, known_headers: CountKnown) -> int:
    """How many columns of the sheet's first row that holds something are known."""
    for record in islice(_rows(sheet), MOST_BLANK):
        if not record.is_blank:
            return int(known_headers(record.cells))
    return -1


def _rows(sheet: Any) -> Iterator[Record]:
    """The rows to the last that holds something; of blank ones before it no more than are refused."""
    # What a sheet says of its size can be wrong, and rows beyond would be passed over.
    sheet.reset_dimensions()
    done = 0
    for line, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        if line > LAST_ROW:
            return
        # The library gives empty rows for those that are missing, up to a million.
        if row.count(None) == len(row):
            continue
        yield from (Record(blank, ()) for blank in range(done + 1, line)[: MOST_BLANK + 1])
        yield Record(line, _cells(row))
        done = line


def _cells(row: Sequence[object]) -> tuple[str, ...]:
    """The cells of a row as texts; of what stands beyond `MAX_COLUMNS` the first one that holds something."""
    beyond = row[MAX_COLUMNS:]
    filled = () if beyond.count(None) == len(beyond) else filter(str.strip, map(_text, beyond))
    return (*map(_text, row[:MAX_COLUMNS]), *islice(filled, 1))


def _text(value: object) -> str:
    """A cell's value as somebody would have typed it."""
    match value:
        case None:
            return ""
        case bool():
            return "x" if value else "no"
        case datetime() if value.time() != time():
            return value.isoformat(" ", "seconds")
        case date():
            return f"{value.day:02}/{value.month:02}/{value.year:04}"
        case float() if value.is_integer():
            return str(int(value))
    return str(value)
