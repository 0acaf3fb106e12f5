"""Tables as CSV and JSON; pure. Rows come one after the other and are never held all at once.

A spreadsheet takes a text that begins like a formula for one, and would calculate it. In CSV such a text gets
an apostrophe before it. In XLSX (see `xlsx`) it is marked as text and stays as it is.
"""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from typing import IO, Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Word:
    """One of some words: `code` for programs, `text` in the reader's language for spreadsheets."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class PointsByName:
    """Points by what they are for; in one cell, each written as a number is in that form."""

    each: Sequence[tuple[str | Word, Fraction]]

    def written(self, number: Callable[[Fraction], object], *, as_codes: bool = False) -> str:
        """All of them; words as people read them, or `as_codes`."""
        return "; ".join(f"{_name(name, as_codes)}={number(points)}" for name, points in self.each)


def _name(name: str | Word, as_code: bool) -> str:
    if isinstance(name, str):
        return name
    return name.code if as_code else name.text


Value = str | int | bool | float | date | datetime | Fraction | UUID | Word | PointsByName | None
Rows = Callable[[], Iterable[Sequence[Value]]]
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class Form(StrEnum):
    """In which form a table is written."""

    CSV = "csv"
    EXCEL_CSV = "excel"
    XLSX = "xlsx"
    JSON = "json"


TYPES = {
    Form.CSV: ("text/csv; charset=utf-8", "csv"),
    Form.EXCEL_CSV: ("text/csv; charset=utf-8", "csv"),
    Form.XLSX: ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    Form.JSON: ("application/json", "json"),
}
"""What each form is called on the web, and how its files end."""


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table with its name, its columns and its rows, which are read each time they are asked for.

    `columns` are the keys for programs; `headings` stand above them in spreadsheets, in the reader's language
    (without any, the keys). `title` is what its sheet of a workbook is called, `name` if empty.
    """

    name: str
    columns: tuple[str, ...]
    rows: Rows
    headings: tuple[str, ...] = ()
    title: str = ""

    @property
    def head(self) -> tuple[str, ...]:
        """The first row of a spreadsheet."""
        return self.headings or self.columns


def csv_lines(table: ExportTable, form: Form = Form.CSV) -> Iterator[bytes]:
    """A table as CSV, line by line: as RFC 4180 has it, or as a spreadsheet in Italy opens it by a click.

    For the spreadsheet it has semicolons, a mark at the beginning, commas in numbers, days as 05/09/2026, and
    hours without their zone.
    """
    excel = form is Form.EXCEL_CSV
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";" if excel else ",", lineterminator="\r\n")
    if excel:
        buffer.write("\ufeff")
    writer.writerow([guarded(heading) for heading in table.head])
    for row in table.rows():
        writer.writerow([_in_csv(value, excel) for value in row])
        yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def _in_csv(value: Value, excel: bool) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "1" if value else "0"
        case int():
            return str(value)
        case float():
            return str(value).replace(".", ",") if excel else str(value)
        case Fraction():
            if value.denominator == 1:
                return str(value.numerator)
            text = f"{float(value):.6g}"
            return text.replace(".", ",") if excel else text
        case datetime():
            return f"{value:%d/%m/%Y %H:%M:%S}" if excel else value.isoformat(sep=" ", timespec="seconds")
        case date():
            return f"{value:%d/%m/%Y}" if excel else value.isoformat()
        case Word():
            return guarded(value.text)
        case PointsByName():
            return guarded(value.written(lambda points: _in_csv(points, excel)))
    return guarded(str(value))


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula; reading a list takes the apostrophe off again."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def json_lines(table: ExportTable) -> Iterator[bytes]:
    """A table as a list of JSON objects, one a line; points and metrics as exact texts ("30", "25/2"),
    times with their zone.
    """
    first = True
    yield b"["
    for row in table.rows():
        named = {column: _in_json(value) for column, value in zip(table.columns, row, strict=True)}
        yield (b"\n" if first else b",\n") + json.dumps(named, ensure_ascii=False).encode()
        first = False
    yield b"\n]\n"


def _in_json(value: Value) -> Any:
    match value:
        case datetime() | date():
            return value.isoformat()
        case Fraction() | UUID():
            return str(value)
        case Word():
            return value.code
        case PointsByName():
            return value.written(str, as_codes=True)
    return value


def write_zip(target: IO[bytes], files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Files by name into a zip, written as they come; the same content gives the same bytes."""
    with zipfile.ZipFile(target, "w") as packed:
        for name, parts in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            with packed.open(entry, "w") as file:
                for part in parts:
                    file.write(part)
