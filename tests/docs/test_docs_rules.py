"""The tables of the rules are the engine's."""

import re

from games.engine import FIELDS, PRESETS
from tests.docs.pages import first_column
from tests.docs.rules_tables import PAGE, TABLE, TABLES, with_tables


def test_the_tables_are_as_the_engine_has_them() -> None:
    text = PAGE.read_text("utf-8")
    assert [found[2] for found in TABLE.finditer(text)] == list(TABLES)
    assert text == with_tables(text), "write them anew: python -m tests.docs.rules_tables"


def test_every_field_is_in_every_table() -> None:
    for table in TABLES.values():
        assert [name for name in first_column(table()) if name not in PRESETS] == [f.name for f in FIELDS]


def test_what_is_bold_differs_from_the_palio() -> None:
    bold = re.findall(r"^\| `(\w+)` \| `[^`]*` \| (.*) \|$", TABLES["presets"](), re.MULTILINE)
    differing = {
        (field, list(PRESETS)[place])
        for field, cells in bold
        for place, cell in enumerate(cells.split(" | "), start=1)
        if cell.startswith("**")
    }
    assert differing == {
        (name, preset)
        for preset, values in PRESETS.items()
        for name, value in values.items()
        if value != PRESETS["palio"][name]
    }
