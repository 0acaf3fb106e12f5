"""What modules share stands where it can be looked for: fixtures in a `conftest.py`, the rest in support."""

import re

from tests.support import ROOT

IMPORT = re.compile(r"^\s*(?:from|import) (?:tests\S*\.)?(?:test_\w+|conftest)\b", re.MULTILINE)


def test_nothing_is_imported_from_a_test_module_or_a_conftest() -> None:
    files = [path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    found = [path.name for path in files if IMPORT.search(path.read_text())]

    assert len(files) > 500
    assert found == []
