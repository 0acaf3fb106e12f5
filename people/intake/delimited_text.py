"""From a file's bytes to records of cells with their line numbers: delimiter, quotes, limits."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain, islice

from people.input_problems import BadInputError, Code, InputProblem
from people.intake.encodings import decode, other_kind, refusal_of

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 5_000
MOST_BLANK = MAX_ROWS
MAX_COLUMNS = 200
DELIMITERS = (";", ",", "\t")

# Some spreadsheet programs name the delimiter in a line of its own before the header.
_DELIMITER_LINE = re.compile(r'"?sep=(.)"?[ ;,\t]*')
_END = "\x00end"
_GUARDED = re.compile("'+[=+\\-@\t\r\n]")
_BLANK = re.compile(rf"[\s{''.join(DELIMITERS)}]*")


CountKnown = Callable[[Iterable[str]], int]
"""Says how many cells of a header are known columns."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record: the physical line on which it begins, from 1, and its cells as they stand there.

    There are more than `MAX_COLUMNS` cells only where something stands beyond: then there is one more.
    """

    line: int
    cells: tuple[str, ...]

    @property
    def is_blank(self) -> bool:
        """True if no cell holds anything (delimiters apart: before the right one is found, they are text)."""
        return _BLANK.fullmatch("".join(self.cells)) is not None


@dataclass(frozen=True, slots=True)
class SheetSource:
    """A file's records, whatever it is: a text with its delimiter and encoding, or a workbook with its
    sheets.
    """

    records: tuple[Record, ...] = field(repr=False)
    delimiter: str = ""
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    encoding: str = ""


def read_text(data: bytes, known_headers: CountKnown) -> SheetSource:
    """The records of a file that is no workbook, blank ones included but not those after the last that holds
    something.

    The delimiter is the one by which `known_headers` finds most in the first record that isn't blank; of
    equals, the one that gives most cells. Raises `BadInputError` for files of another kind, or no text.
    """
    kind = other_kind(data)
    if kind is not None:
        raise refusal_of(kind)
    decoded = decode(data)
    text = _without_blank_end(decoded.text)
    told, skipped = _told_delimiter(text)
    delimiter = told or max(DELIMITERS, key=lambda each: _promise(text, each, known_headers))
    records = (record for record in _records(text, delimiter) if record.line > skipped)
    return SheetSource(tuple(filled_records(records)), delimiter, encoding=decoded.encoding)


def filled_records(records: Iterable[Record]) -> list[Record]:
    """All records to the last that holds something, blank ones between them included.

    Raises `BadInputError` for more than a header and `MAX_ROWS`, more than `MOST_BLANK` blank ones or more
    than `MAX_COLUMNS`. It does so at the first that is too many, and doesn't read the rest.
    """
    found: list[Record] = []
    filled = 0
    for record in records:
        if len(record.cells) > MAX_COLUMNS:
            raise BadInputError.of(Code.FILE_TOO_MANY_COLUMNS, limit=MAX_COLUMNS)
        found.append(record)
        filled += not record.is_blank
        if filled > MAX_ROWS + 1 or len(found) - filled > MOST_BLANK:
            raise BadInputError.of(Code.FILE_TOO_MANY_ROWS, limit=MAX_ROWS)
    while found and found[-1].is_blank:
        found.pop()
    return found


def header_of(record: Record) -> tuple[str, ...]:
    """A header without the blank cells at its end."""
    width = max((place + 1 for place, cell in enumerate(record.cells) if cell.strip()), default=0)
    return record.cells[:width]


def _without_blank_end(text: str) -> str:
    """The text without the blank lines at its end, of which there may be a million."""
    filled = len(text.rstrip(" \r\n" + "".join(DELIMITERS)))
    end = text.find("\n", filled)
    return text if end < 0 else text[:end]


def _told_delimiter(text: str) -> tuple[str | None, int]:
    first = StringIO(text, newline="").readline().rstrip("\r\n")
    found = _DELIMITER_LINE.fullmatch(first)
    return (found[1], 1) if found and found[1] in DELIMITERS else (None, 0)


def _promise(text: str, delimiter: str, known_headers: CountKnown) -> tuple[int, int]:
    try:
        first = islice(_records(text, delimiter), MOST_BLANK)
        header = next((record for record in first if not record.is_blank), None)
    except BadInputError:
        return (0, 0)
    return (known_headers(header.cells[:MAX_COLUMNS]), len(header.cells)) if header else (0, 0)


def _unguarded(cell: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from calculating it: exports write one."""
    return cell[1:] if _GUARDED.match(cell) else cell


def _cut(cells: list[str]) -> list[str]:
    """The cells of a row without blank ones beyond `MAX_COLUMNS`; all that stands there is one cell."""
    beyond = "".join(cells[MAX_COLUMNS:]).strip()
    return [*cells[:MAX_COLUMNS], beyond] if beyond else cells[:MAX_COLUMNS]


def _records(text: str, delimiter: str) -> Iterator[Record]:
    # A last line of our own tells whether a quote stayed open: then it is swallowed with all that came
    # before.
    lines = chain(StringIO(text, newline=""), [_END])
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if cells == [_END]:
                return
            if cells and cells[-1].endswith(_END):
                break
            yield Record(line, tuple(map(_unguarded, _cut(cells))))
            line = reader.line_num + 1
    except csv.Error:  # a cell beyond the module's limit, which only an open quote makes
        pass
    raise BadInputError(InputProblem(Code.QUOTE_NOT_CLOSED, line=line))
