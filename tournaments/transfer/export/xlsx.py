"""Tables as an XLSX workbook; pure.

The library for workbooks takes a good part of a start. So this module is imported where one is written.
"""

from collections.abc import Iterable
from datetime import date, datetime
from fractions import Fraction
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

from tournaments.transfer.export.csv_and_json import ExportTable, PointsByName, Value, Word

MOST_IN_CELL = 32_767
"""Letters that a cell of XLSX takes."""


def write_xlsx(target: IO[bytes], tables: Iterable[ExportTable]) -> None:
    """A workbook with a sheet for each table, the first row standing still while one scrolls."""
    book = Workbook(write_only=True)
    for table in tables:
        sheet = book.create_sheet((table.title or table.name)[:31])
        sheet.freeze_panes = "A2"
        bold = Font(bold=True)
        head = []
        for heading in table.head:
            cell = _text_cell(sheet, heading)
            cell.font = bold
            head.append(cell)
        sheet.append(head)
        for row in table.rows():
            sheet.append([_in_xlsx(sheet, value) for value in row])
    book.save(target)


def _in_xlsx(sheet: Any, value: Value) -> Any:
    match value:
        case None | bool() | int() | float():
            return value
        case Fraction():
            return value.numerator if value.denominator == 1 else float(value)
        case datetime():
            # A workbook knows no time zones: the hour where the event is.
            return value.replace(tzinfo=None, microsecond=0)
        case date():
            return value
        case Word():
            return _text_cell(sheet, value.text)
        case PointsByName():
            return _text_cell(sheet, value.written(lambda points: _in_xlsx(sheet, points)))
    return _text_cell(sheet, str(value))


def _text_cell(sheet: Any, whole: str) -> Any:
    """A cell of text, whatever it begins with."""
    text = ILLEGAL_CHARACTERS_RE.sub("", whole)[:MOST_IN_CELL]
    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"
    return cell
