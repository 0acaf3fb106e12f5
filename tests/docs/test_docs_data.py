"""Data for tests: every file is listed with where it comes from."""

import re
from pathlib import Path

import pytest

from tests.support import ROOT

DATA = ROOT / "tests" / "data"


@pytest.mark.parametrize("folder", [DATA, DATA / "standings"], ids=lambda folder: folder.name)
def test_every_test_data_file_has_a_source(folder: Path) -> None:
    lines = [line.strip("|").split("|") for line in (folder / "README.md").read_text("utf-8").splitlines()]
    rows = [cells for cells in lines[2:] if len(cells) == 3 and cells[0].strip().strip("-")]
    named = [name for first, *_ in rows[1:] for name in re.findall(r"`([\w.-]+)/?`", first)]
    there = [path.name for path in folder.iterdir() if path.name != "README.md"]

    assert sorted(named) == sorted(there)
    assert all(source.strip() for *_, source in rows)
