"""Lists as XLSX workbooks: cells as text, sheets, columns by their places, and files that are no lists."""

import time
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from people.input_problems import BadInputError
from people.intake import workbook as workbooks
from people.intake import zips
from people.intake.delimited_text import MAX_BYTES, MAX_ROWS
from people.intake.entry_fields import EntryField
from people.intake.sheet_reading import Options, look_at
from people.intake.workbook import MAX_UNFOLDED
from tests.people.support import CENTRO, TEAMS, found, read
from tests.support.run.long import examples
from tests.support.workbooks import NAVA, saved, workbook
from tests.support.zips import claiming, packed, unpacked

HEADER = ["Cognome", "Nome", "Nato il", "Contrada"]


def refused(data: bytes, options: Options | None = None) -> str:
    """The code of the one problem for which a file is refused."""
    with pytest.raises(BadInputError) as refusal:
        read(data, options=options or Options({}))
    (problem,) = refusal.value.problems
    return problem.code.value


def changed(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A workbook with one member of its archive changed."""
    members = unpacked(data).items()
    return packed((each, change(text) if each == name else text) for each, text in members)


def test_workbook_cells_are_read_as_typed_text() -> None:
    head = [*HEADER, "Classe", "Forte", "Telefono"]
    rows = [
        [*NAVA, 3, True, 3331234567],
        [
            "Riva",
            "Elia",
            datetime(2014, 2, 1),  # noqa: DTZ001  # as spreadsheets have them
            "Centro",
            "3 B",
            False,
            None,
        ],
        ["Corti", "Ivo", "5/3/2012", "Inferiore", 3.0, None, None],
    ]
    sheet = read(workbook(head, *rows))

    assert [
        (each.last_name, each.birth_date, each.team, each.school_class, each.is_strong) for each in sheet.good
    ] == [
        ("Nava", date(2013, 7, 13), TEAMS[0], "3", True),
        ("Riva", date(2014, 2, 1), TEAMS[1], "3 B", False),
        ("Corti", date(2012, 3, 5), TEAMS[2], "3", False),
    ]
    assert sheet.columns.dropped == ("Telefono",)
    assert sheet.rows[0].cells[EntryField.BIRTH_DATE] == "13/07/2013"


def test_workbook_lines_are_counted_as_in_the_spreadsheet() -> None:
    sheet = read(workbook([], HEADER, NAVA, [], ["Riva", "Elia", "ieri", "Centro"]))
    assert [row.line for row in sheet.rows] == [3, 5]
    assert found(sheet) == [(4, "", "empty_line"), (5, "Nato il", "date_unreadable")]


def test_workbook_formula_is_read_by_its_stored_value() -> None:
    data = workbook(HEADER, ["=1+1", *NAVA[1:]])
    sheet1 = "xl/worksheets/sheet1.xml"
    assert found(read(data)) == [(2, "Cognome", "missing")]
    with_value = changed(
        data, sheet1, lambda text: text.replace(b"<v />", b"<v>2</v>").replace(b"<v></v>", b"<v>2</v>")
    )
    assert found(read(with_value)) == [(2, "Cognome", "no_letters")]


def test_workbook_sheet_with_most_known_columns_is_read() -> None:
    riva = ["Riva", "Elia", "01/02/2014", "Centro"]
    data = workbook(["Elenco", "del", "2022"], Iscritti=[HEADER, NAVA], Altri=[HEADER[:3], riva[:3]])
    assert (read(data).source.sheet, read(data).source.sheets) == ("Iscritti", ("Sheet", "Iscritti", "Altri"))
    others = read(data, options=Options({}, sheet="altri", team=TEAMS[1]))
    assert [person.last_name for person in others.good] == ["Riva"]
    assert refused(data, Options({}, sheet="Foglio 9")) == "sheet_unknown"


def test_workbook_hidden_sheets_are_not_offered() -> None:
    book = Workbook()
    for row in (HEADER, NAVA):
        book.worksheets[0].append(row)
    book.create_sheet("Vecchi").sheet_state = "hidden"
    assert read(saved(book)).source.sheets == ("Sheet",)


# --- Columns by hand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_workbook", [True, False])
def test_columns_chosen_by_their_places_are_read_alone(as_workbook: bool) -> None:
    rows = [
        ["Chi", "Chi", "Nome", "Quando", "Contrada"],
        ["Nava", "Ginevra", "via Roma", "13/07/2013", "Centro"],
    ]
    data = workbook(*rows) if as_workbook else "\n".join(";".join(row) for row in rows).encode()
    places = {EntryField.LAST_NAME: 0, EntryField.FIRST_NAME: 1, EntryField.BIRTH_DATE: 3, EntryField.TEAM: 4}
    sheet = read(data, options=Options({}, columns=places))

    assert [(each.last_name, each.first_name) for each in sheet.good] == [("Nava", "Ginevra")]
    assert sheet.columns.dropped == ("Nome",)
    assert refused(data, Options({}, columns={**places, EntryField.TEAM: 0})) == "column_shared"
    assert refused(data, Options({}, columns={**places, EntryField.TEAM: 9})) == "column_unknown"
    assert refused(data, Options({}, columns={EntryField.LAST_NAME: 0})) == "columns_missing"


def test_list_without_a_header_is_read_from_its_first_row() -> None:
    places = {EntryField.LAST_NAME: 0, EntryField.FIRST_NAME: 1, EntryField.BIRTH_DATE: 2, EntryField.TEAM: 3}
    data = b"Nava\tGinevra\t13/07/2013\tSuperiore\nRiva\tElia\tieri\tCentro"
    sheet = read(data, options=Options({}, columns=places, has_header=False))

    assert [person.last_name for person in sheet.good] == ["Nava"]
    assert found(sheet) == [(2, "C", "date_unreadable")]


def test_columns_are_guessed_and_shown_with_values_but_no_notes() -> None:
    outline = look_at(CENTRO, Options({}))
    assert [(column.name, column.guessed) for column in outline.columns[:4]] == [
        ("last_name", EntryField.LAST_NAME), ("first_name", EntryField.FIRST_NAME), ("birth_date",
        EntryField.BIRTH_DATE),
        ("team", EntryField.TEAM),
    ]  # fmt: skip
    note = next(column for column in outline.columns if column.guessed is EntryField.NOTE)
    assert note.samples == ()
    assert "allergia" not in repr(outline)
    with_notes = look_at(CENTRO, Options({}, with_notes=True)).columns[note.place]
    assert with_notes.samples


# --- What is no list ----------------------------------------------------------------------------------------


def test_zip_archive_that_is_no_workbook_is_named_by_its_kind() -> None:
    ods = packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"})
    for data, code, kind in (
        (ods, "file_spreadsheet", "open_document"),
        (packed({"mimetype": "application/vnd.oasis.opendocument.text"}), "file_other_kind", "document"),
        (
            packed({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}),
            "file_other_kind",
            "document",
        ),
        (packed({"ppt/presentation.xml": "<x/>"}), "file_other_kind", "slides"),
        (packed({"Index/Document.iwa": "x"}), "file_spreadsheet", "numbers"),
        (packed({"iscritti.csv": "Cognome;Nome"}), "file_other_kind", "archive"),
    ):
        with pytest.raises(BadInputError) as raised:
            read(data)
        (problem,) = raised.value.problems
        assert (problem.code, problem.params) == (code, {"kind": kind})


def test_zip_bomb_is_refused() -> None:
    bomb = packed({"[Content_Types].xml": "<x/>", "xl/a.xml": " " * (MAX_UNFOLDED + 1)})

    assert len(bomb) < 100_000
    assert refused(bomb) == "file_unfolds"
    assert refused(packed({f"xl/{n}": "" for n in range(1_001)})) == "file_unfolds"
    assert refused(packed({f"xl/{'n' * 200}{n}": "" for n in range(4_000)})) == "file_unfolds"


SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"
HUNDRED_MB = 100 * 1024 * 1024
BOMB = HUNDRED_MB * 6 // 5


def peak_of_refusing(data: bytes) -> int:
    """The most memory that Python had while a file was refused, in bytes."""
    tracemalloc.start()
    try:
        refused_or_read(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def with_part(content: bytes, method: int) -> bytes:
    """A workbook with a part of this content and compression."""
    buffer = BytesIO(workbook(HEADER, NAVA))
    with zipfile.ZipFile(buffer, "a", method) as file:
        file.writestr("xl/part.xml", content)
    return buffer.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_bomb_of_another_compression_is_refused_in_little_memory(method: int) -> None:
    bomb = with_part(bytes(BOMB), method)
    assert len(bomb) < 50_000
    assert refused(bomb) == "file_broken"
    assert peak_of_refusing(bomb) < HUNDRED_MB


def test_twin_zip_bomb_costs_its_size_if_its_compression_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "_METHODS", {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})
    assert peak_of_refusing(with_part(bytes(BOMB), zipfile.ZIP_BZIP2)) > HUNDRED_MB


def lying_about_its_size() -> bytes:
    """A workbook whose formats are 120 MB and say that they are 100 bytes."""
    grown = changed(workbook(HEADER, NAVA), STYLES, lambda text: text + b" " * BOMB)
    return claiming(grown, STYLES, 100)


def test_workbook_that_lies_about_its_size_is_refused_in_little_memory() -> None:
    assert refused(lying_about_its_size()) == "file_broken"
    assert peak_of_refusing(lying_about_its_size()) < HUNDRED_MB


def test_twin_workbook_that_lies_about_its_size_costs_memory_unchecked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workbooks, "_checked", BytesIO)
    assert peak_of_refusing(lying_about_its_size()) > HUNDRED_MB


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<row/>" * 100_001, "file_too_many_cells"),
        (b"<row>" + b"<c/>" * 250_001 + b"</row>", "file_too_many_cells"),
        (b"<row><c>" + b"<v/>" * 250_001 + b"</c></row>", "file_too_many_cells"),
        (b"<x/>" * 20_001, "file_too_many_cells"),
        (b"<!--" + b"x" * 1_000_000 + b"-->", "file_broken"),
        (b'<row spans="' + b"1" * 1_000_000 + b'"/>', "file_broken"),
        (b"<row><c><v>" + b"1" * 100_001 + b"</v></c></row>", "file_broken"),
        (b'<row r="10000"><c r="A10000"><v>1</v></c></row>', "file_too_many_rows"),
        (b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>', "file_too_many_rows"),
        (b'<row r="3"><c r="XFD3"><v>1</v></c></row>', "file_too_many_columns"),
    ],
    ids=[
        "rows",
        "cells",
        "values",
        "others",
        "comment",
        "attribute",
        "text",
        "a row far below",
        "the last row",
        "the last column",
    ],
)
def test_workbook_sheet_over_a_limit_is_refused(content: bytes, code: str) -> None:
    data = changed(
        workbook(HEADER, NAVA), SHEET, lambda text: text.replace(b"</sheetData>", content + b"</sheetData>")
    )
    assert refused(data) == code


def with_sheets(number: int) -> bytes:
    """A workbook in which so many sheets name the same part."""
    names = "".join(f'<sheet name="a{n}" sheetId="{n + 2}" r:id="rId1"/>' for n in range(number - 1))
    data = workbook(HEADER, *[NAVA] * 3_000)
    data = changed(data, SHEET, lambda text: text.replace(b"dimension", b"other"))
    return changed(
        data, "xl/workbook.xml", lambda text: text.replace(b"</sheets>", names.encode() + b"</sheets>")
    )


def test_workbook_with_too_many_sheets_is_refused() -> None:
    assert refused(with_sheets(51)) == "file_too_many_sheets"


def test_workbook_with_sheets_of_one_part_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(with_sheets(50)) == "file_broken"
    monkeypatch.setattr(workbooks, "_MOST_READINGS", 1_000)
    assert refused_or_read(with_sheets(50)) == "read"


def with_empty_rows(number: int) -> bytes:
    """A workbook that ends in so many rows of which every cell is empty."""
    rows = b"".join(b'<row r="%d"><c r="A%d"/></row>' % (n, n) for n in range(3, number + 3))
    return changed(
        workbook(HEADER, NAVA), SHEET, lambda text: text.replace(b"</sheetData>", rows + b"</sheetData>")
    )


def test_workbook_empty_rows_at_the_end_are_passed_over() -> None:
    sheet = read(with_empty_rows(20_000))
    assert (len(sheet.good), found(sheet)) == (1, [])


def test_workbook_rows_beyond_the_stated_size_are_read() -> None:
    data = changed(workbook(HEADER, NAVA), SHEET, lambda text: text.replace(b'ref="A1:D2"', b'ref="A1"'))
    assert [person.last_name for person in read(data).good] == ["Nava"]


def test_workbook_cell_far_away_is_refused_quickly() -> None:
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    lone = changed(workbook(), SHEET, lambda text: text.partition(b"<sheetData")[0] + b"<sheetData>" + far)
    below = changed(workbook(HEADER), SHEET, lambda text: text.partition(b"</sheetData>")[0] + far)

    for data in (lone, below):
        begun = time.process_time()
        assert refused(data) == "file_too_many_rows"
        assert time.process_time() - begun < 0.5


def test_workbook_empty_cell_far_away_is_passed_over() -> None:
    far = b'<row r="1048576"><c r="XFD1048576" s="0"/></row></sheetData>'
    sheet = read(changed(workbook(HEADER, NAVA), SHEET, lambda text: text.replace(b"</sheetData>", far)))
    assert (len(sheet.good), found(sheet)) == (1, [])


def with_type(text: bytes) -> bytes:
    """The text with a document type before it."""
    return b'<!DOCTYPE x [<!ENTITY a "aa">]>' + text


def renamed(data: bytes) -> bytes:
    """The workbook with its sheet in a part whose name ends otherwise."""
    return packed(
        (name.replace("sheet1.xml", "sheet1.dat"), text.replace(b"sheet1.xml", b"sheet1.dat"))
        for name, text in unpacked(data).items()
    )


@pytest.mark.parametrize(
    "change",
    [
        with_type,
        lambda text: with_type(text).decode().encode("utf-16"),
        lambda text: b'<?xml version="1.0" encoding="cp037"?>' + text,
        *(
            lambda text, name=name: b'<?xml version="1.0" encoding="%s"?>' % name + text
            for name in (
                b"shift_jis",
                b"utf-7",
                b"utf-32",
                b"idna",
                b"hex",
                b"rot13",
                b"undefined",
                b"martian",
            )
        ),
        lambda text: text[: len(text) // 2],
    ],
)
def test_workbook_with_entities_or_other_encodings_or_a_cut_end_is_refused(
    change: Callable[[bytes], bytes],
) -> None:
    assert refused(changed(workbook(HEADER, NAVA), SHEET, change)) == "file_broken"


def test_workbook_entities_are_refused_in_a_renamed_part(monkeypatch: pytest.MonkeyPatch) -> None:
    data = renamed(changed(workbook(HEADER, NAVA), SHEET, with_type))
    assert refused_or_read(renamed(workbook(HEADER, NAVA))) == "read"
    assert refused(data) == "file_broken"
    monkeypatch.setattr(workbooks, "_is_well_formed", lambda blocks, elements: True)
    assert refused_or_read(data) == "read"


def test_workbook_of_a_full_list_is_read() -> None:
    rows = [["Nava", f"G{letters(n)}", "13/07/2013", "Superiore", f"via {n}"] for n in range(MAX_ROWS)]
    assert len(read(workbook([*HEADER, "Via"], *rows)).good) == MAX_ROWS


def letters(number: int) -> str:
    """A number as letters."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def test_workbook_with_too_many_rows_columns_or_bytes_is_refused() -> None:
    assert refused(workbook(HEADER, *[NAVA] * (MAX_ROWS + 1))) == "file_too_many_rows"
    assert refused(workbook([*HEADER, *["x"] * 200], NAVA)) == "file_too_many_columns"
    assert refused(b"PK\x03\x04" + bytes(MAX_BYTES)) == "file_too_big"


def test_workbook_row_number_beyond_every_sheet_is_ignored() -> None:
    far = changed(
        workbook(HEADER, NAVA), SHEET, lambda text: text.replace(b'<row r="2"', b'<row r="999999999999"')
    )
    assert refused_or_read(far) == "read"


def refused_or_read(data: bytes) -> str:
    """What became of an upload; anything else than a refusal or a preview is an error."""
    try:
        read(data, options=Options({}))
    except BadInputError as refusal:
        (problem,) = refusal.problems
        return problem.code.value
    return "read"


@given(st.binary(max_size=300))
@examples(200)
def test_workbook_of_any_bytes_is_refused_or_read(data: bytes) -> None:
    refused_or_read(data)
    refused_or_read(b"PK\x03\x04" + data)


@given(st.data())
@examples(60)
def test_workbook_with_changed_bytes_is_refused_or_read(data: st.DataObject) -> None:
    whole = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    refused_or_read(bytes(whole))


@given(
    st.sampled_from(["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml"]),
    st.integers(0, 3_000),
    st.binary(max_size=12),
)
@examples(60)
def test_workbook_with_tampered_parts_is_refused_or_read(name: str, place: int, put: bytes) -> None:
    refused_or_read(changed(WHOLE, name, lambda text: text[:place] + put + text[place + len(put) :]))


WHOLE = workbook(HEADER, NAVA, ["Riva", "Elia", "01/02/2014", "Centro"])
