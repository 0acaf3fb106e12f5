"""The threat model names tests that there are, and limits that are kept."""

import re

from django.conf import settings

from api.parsers import MAX_DEPTH, MAX_MEMBERS, MAX_VALUES
from api.problems import MOST_ROWS
from api.shapes.games import MAX_BATCH
from people.intake import delimited_text, workbook
from referee.access import WRONG_CODES
from tests.support import ROOT
from tournaments.transfer.archive import container

TEXT = (ROOT / "docs" / "development" / "threat-model.md").read_text()
MEGABYTE = 1024 * 1024


def test_threat_model_names_tests_that_exist() -> None:
    named = set(re.findall(r"`((?:tests|script)/[\w/.-]+)`", TEXT))
    assert len(named) > 15
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_threat_model_limits_are_those_of_the_code() -> None:
    rows = [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in TEXT.splitlines() if "|" in line]
    told = dict(row for row in rows if len(row) == 2)
    assert {name: told[name] for name in LIMITS} == LIMITS


LIMITS = {
    "body of a call or form": f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE // MEGABYTE} MB",
    "nesting of JSON": f"{MAX_DEPTH} levels",
    "members of an object in JSON": f"{MAX_MEMBERS:,}",
    "values in a body of JSON, counted before anything is made of them": f"{MAX_VALUES:,}",
    "problems in a refusal of the API, and its size": f"{MOST_ROWS}, 64 KB",
    "log events in one batch": f"{MAX_BATCH}",
    "list of people, CSV or workbook": f"{delimited_text.MAX_BYTES // MEGABYTE} MB",
    "its rows, its columns": f"{delimited_text.MAX_ROWS:,}, {delimited_text.MAX_COLUMNS}",
    "wrong codes of tables, from one address in ten minutes": f"{WRONG_CODES.tries}",
    "its empty rows before the last person": f"{delimited_text.MOST_BLANK:,}",
    "a workbook’s sheets, cells, rows that it writes down": (
        f"{workbook.MAX_SHEETS}, {workbook.MAX_CELLS:,}, {workbook.MAX_ROW_ELEMENTS:,}"
    ),
    "a workbook unfolded, its parts": f"{workbook.MAX_UNFOLDED // MEGABYTE} MB, {workbook.MAX_MEMBERS:,}",
    "event archive": f"{container.MOST_PACKED // MEGABYTE} MB",
    "event archive unpacked": f"{container.MOST_BYTES // MEGABYTE} MB",
    "one line of a file in it": f"{container.MOST_LINE // MEGABYTE} MB",
}
