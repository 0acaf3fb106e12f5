"""Tables as CSV, XLSX and JSON: what is read back is what was written, and no text becomes a formula."""

import csv
import io
import json
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tournaments.transfer.export.csv_and_json import (
    FORMULA,
    ExportTable,
    Form,
    PointsByName,
    Value,
    csv_lines,
    guarded,
    json_lines,
)
from tournaments.transfer.export.xlsx import write_xlsx

NOON = datetime(2026, 9, 5, 12, 30, 15, 7, tzinfo=UTC)
MIXED: list[tuple[Value, ...]] = [
    ("Nicolò “Nic”, d’Aosta; jr", 7, Fraction(50, 3), True, NOON, None),
    ("a\nb", -2, Fraction(3), False, NOON, "x"),
]
COLUMNS = ("name", "number", "points", "yes", "at", "more")


def table(rows: list[tuple[Value, ...]], columns: tuple[str, ...] = COLUMNS) -> ExportTable:
    """A table of these rows."""
    return ExportTable("prova", columns, lambda: rows)


def as_csv(rows: list[tuple[Value, ...]], form: Form, columns: tuple[str, ...] = COLUMNS) -> str:
    """The text of a CSV file."""
    return b"".join(csv_lines(table(rows, columns), form)).decode()


def as_xlsx(rows: list[tuple[Value, ...]], columns: tuple[str, ...] = COLUMNS) -> list[tuple[object, ...]]:
    """The values and kinds of cells of a workbook."""
    target = io.BytesIO()
    write_xlsx(target, [table(rows, columns)])
    sheet = load_workbook(target)["prova"]
    return [tuple((cell.value, cell.data_type) for cell in row) for row in sheet.iter_rows(min_row=2)]


def test_csv_follows_the_standard_or_opens_in_excel() -> None:
    plain, excel = as_csv(MIXED, Form.CSV), as_csv(MIXED, Form.EXCEL_CSV)
    found = list(csv.reader(io.StringIO(plain, newline="")))

    assert found == [
        list(COLUMNS),
        ["Nicolò “Nic”, d’Aosta; jr", "7", "16.6667", "1", "2026-09-05 12:30:15+00:00", ""],
        ["a\nb", "-2", "3", "0", "2026-09-05 12:30:15+00:00", "x"],
    ]
    assert excel.startswith("\ufeffname;number;points")
    assert list(csv.reader(io.StringIO(excel, newline=""), delimiter=";"))[1][2] == "16,6667"
    assert plain.count("\r\n") == 3


def test_json_is_a_list_of_objects_with_one_type_for_each_key() -> None:
    found = json.loads(b"".join(json_lines(table(MIXED))))
    assert found[0] == {
        "name": "Nicolò “Nic”, d’Aosta; jr", "number": 7, "points": "50/3", "yes": True,
        "at": "2026-09-05T12:30:15.000007+00:00", "more": None,
    }  # fmt: skip
    # Whole or not, points are a text.
    assert found[1]["points"] == "3"
    assert json.loads(b"".join(json_lines(table([])))) == []


@pytest.mark.parametrize("text", ["=1+1", "+39 031", "-3", "@SUM(A1)", "\t=1", '=HYPERLINK("x")'])
def test_sheet_takes_no_text_for_a_formula(text: str) -> None:
    ((cell,),) = as_xlsx([(text,)], ("a",))
    assert cell == (text, "s")
    for form, divided in ((Form.CSV, ","), (Form.EXCEL_CSV, ";")):
        rows = list(csv.reader(io.StringIO(as_csv([(text,)], form, ("a",)), newline=""), delimiter=divided))
        assert rows[1] == [f"'{text}"]


def test_sheet_keeps_a_number_below_zero_as_a_number() -> None:
    assert as_xlsx([(-3, Fraction(-1, 2))], ("a", "b")) == [((-3, "n"), (-0.5, "n"))]
    assert as_csv([(-3,)], Form.CSV, ("a",)) == "a\r\n-3\r\n"


@given(st.text(max_size=40))
def test_csv_text_comes_back_and_never_begins_like_a_formula(text: str) -> None:
    whole = text.encode("utf-8", "ignore").decode()
    (_, (read,)) = csv.reader(io.StringIO(as_csv([(whole,)], Form.CSV, ("a",)), newline=""))

    assert read == guarded(whole)
    assert not read.startswith(FORMULA)
    assert json.loads(b"".join(json_lines(table([(whole,)], ("a",))))) == [{"a": whole}]


def test_xlsx_leaves_out_letters_that_a_workbook_can_not_hold() -> None:
    ((cell,),) = as_xlsx([("a\x00b\x1fc" + "d" * 40_000,)], ("a",))
    assert isinstance(cell, tuple)
    assert cell[0].startswith("abcd")
    assert len(cell[0]) == 32_767


def test_sheet_writes_points_in_one_cell_as_each_form_writes_numbers() -> None:
    row: tuple[Value, ...] = (
        PointsByName([("Carte", Fraction(5)), ("Sacchi", Fraction(21, 2))]),
        Fraction(31, 2),
    )
    columns = ("disciplines", "total")
    assert as_csv([row], Form.CSV, columns).splitlines()[1] == "Carte=5; Sacchi=10.5,15.5"
    assert as_csv([row], Form.EXCEL_CSV, columns).splitlines()[1] == '"Carte=5; Sacchi=10,5";15,5'
    assert as_xlsx([row], columns) == [(("Carte=5; Sacchi=10.5", "s"), (15.5, "n"))]
    told = json.loads(b"".join(json_lines(table([row], columns))))
    assert told == [{"disciplines": "Carte=5; Sacchi=21/2", "total": "31/2"}]
