"""Files that cost a careless reader much: workbooks, lists and archives, each with what it is and why."""

import io
import json
import zipfile
from collections.abc import Callable
from itertools import chain

from openpyxl import Workbook

from tests.support.zips import claiming, packed, unpacked

MEGABYTE = 1024 * 1024
SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"
HEADER = ["Cognome", "Nome", "Nato il", "Contrada"]
CSV = b"Cognome;Nome;Nato il;Contrada\n"
MOST = 2 * MEGABYTE
Make = Callable[[], bytes]


def person(number: int) -> list[str]:
    """A row of a list."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    return [f"Nava{letters}", "Ginevra", "13/07/2013", "Superiore", f"via {number}"]


def workbook(people: int = 1) -> bytes:
    """A workbook with so many people."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in chain([[*HEADER, "Via"]], map(person, range(people))):
        sheet.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def csv_list(people: int) -> bytes:
    """The same as a text."""
    return CSV + "".join(f"{';'.join(person(number)[:4])}\n" for number in range(people)).encode()


def changed(
    name: str, change: Callable[[bytes], bytes], method: int = zipfile.ZIP_DEFLATED, people: int = 1
) -> bytes:
    """A workbook with one part changed."""
    parts = unpacked(workbook(people))
    return packed(parts | {name: change(parts[name])}, method)


def with_rows(rows: bytes) -> bytes:
    """A workbook with more rows in its sheet."""
    return changed(SHEET, lambda text: text.replace(b"</sheetData>", rows + b"</sheetData>"))


def lying(size: int) -> bytes:
    """A workbook with a part of 400 MB that says it has so many bytes."""
    return claiming(changed(STYLES, lambda text: text + b" " * 400 * MEGABYTE), STYLES, size)


def sheets(number: int) -> bytes:
    """A workbook with so many sheets that are all the same part, which has 240,000 cells."""
    rows = (b"<row>" + b"<c><v>1</v></c>" * 200 + b"</row>") * 1_200
    names = "".join(f'<sheet name="a{each}" sheetId="{each + 5}" r:id="rId1"/>' for each in range(number - 1))
    parts = unpacked(with_rows(rows))
    part = "xl/workbook.xml"
    return packed(parts | {part: parts[part].replace(b"</sheets>", names.encode() + b"</sheets>")})


def manifest(**more: object) -> bytes:
    """The manifest of an archive."""
    return json.dumps({"format": "tendone.event", "version": 1, "files": {}, **more}).encode()


LISTS: dict[str, Make] = {
    "workbook: 200 MB in bzip2": lambda: changed(
        SHEET, lambda text: text + b" " * 200 * MEGABYTE, zipfile.ZIP_BZIP2
    ),
    "workbook: 200 MB in LZMA": lambda: changed(
        SHEET, lambda text: text + b" " * 200 * MEGABYTE, zipfile.ZIP_LZMA
    ),
    "workbook: 400 MB, deflated": lambda: changed(SHEET, lambda text: text + b" " * 400 * MEGABYTE),
    "workbook: 400 MB that say they are 100 bytes": lambda: lying(100),
    "workbook: a cell in row 1,048,576": lambda: with_rows(
        b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>'
    ),
    "workbook: a lone cell in the last row and column": lambda: changed(
        SHEET,
        lambda text: (
            text.partition(b"<sheetData>")[0]
            + b'<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
        ),
    ),
    "workbook: a cell in the last column": lambda: with_rows(b'<row r="3"><c r="XFD3"><v>1</v></c></row>'),
    "workbook: a million empty rows": lambda: with_rows(b"<row/>" * 1_000_000),
    "workbook: 7 million cells": lambda: with_rows(b"<row>" + b"<c/>" * 7_000_000 + b"</row>"),
    "workbook: a comment of 30 MB": lambda: with_rows(b"<!--" + b"x" * 30_000_000 + b"-->"),
    "workbook: an attribute of 30 MB": lambda: with_rows(b'<row a="' + b"x" * 30_000_000 + b'"/>'),
    "workbook: a cell of 30 MB": lambda: with_rows(
        b'<row><c t="str"><v>' + b"x" * 30_000_000 + b"</v></c></row>"
    ),
    "workbook: 300,000 cells in each other": lambda: with_rows(b"<c>" * 300_000),
    "workbook: 50 sheets of the same part": lambda: sheets(50),
    "workbook: 10,000 sheets": lambda: sheets(10_000),
    "workbook: a document type": lambda: changed(
        SHEET, lambda text: b'<!DOCTYPE x [<!ENTITY a "aa">]>' + text
    ),
    "CSV: 2 million empty lines before the header": lambda: b"\n" * (MOST - 100) + CSV,
    "CSV: a row of 1.9 million delimiters": lambda: b";" * 1_900_000,
    "CSV: the same and a letter": lambda: b";" * 1_900_000 + b"x",
    "CSV: 2 million quotes": lambda: CSV + b'"' * (MOST - 101),
    "CSV: a million short rows": lambda: CSV + b"a\n" * (MOST // 2 - 100),
}
ARCHIVES: dict[str, Make] = {
    "archive: 1 GB in bzip2": lambda: packed({"manifest.json": b" " * 1024 * MEGABYTE}, zipfile.ZIP_BZIP2),
    "archive: 300 MB, deflated": lambda: packed(
        {
            "manifest.json": manifest(files={"facts.jsonl": {"size": 300 * MEGABYTE, "sha256": ""}}),
            "facts.jsonl": b" " * 300 * MEGABYTE,
        }
    ),
    "archive: 200,000 files": lambda: packed({str(number): b"" for number in range(200_000)}),
    "archive: a manifest of a million brackets": lambda: packed({"manifest.json": b"[" * 1_000_000}),
}
VALID: dict[str, Make] = {
    "workbook: 5,000 people": lambda: workbook(5_000),
    "CSV: 5,000 people": lambda: csv_list(5_000),
}
