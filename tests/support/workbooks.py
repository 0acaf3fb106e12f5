"""Workbooks of entries, as spreadsheet programs write them."""

from datetime import date
from io import BytesIO
from typing import Any

from openpyxl import Workbook

NAVA = ["Nava", "Ginevra", date(2013, 7, 13), "Superiore"]


def workbook(*rows: list[Any], **sheets: list[list[Any]]) -> bytes:
    """A workbook with these rows in its first sheet, and others by name."""
    book = Workbook()
    first = book.active
    assert first is not None
    for row in rows:
        first.append(row)
    for name, more in sheets.items():
        sheet = book.create_sheet(name)
        for row in more:
            sheet.append(row)
    return saved(book)


def saved(book: Workbook) -> bytes:
    """A workbook's bytes."""
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()
