"""What the machine lacks is told at the end, whichever process met it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

LACKING = """
from tests.support.run.missing import without

def test_browser_is_lacking():
    without("Chromium", "install it.")
"""


@pytest.mark.parametrize("processes", ["0", "2"])
@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 failed"), ("1", "1 failed")])
def test_missing_part_is_named_in_the_summary(processes: str, ci: str, outcome: str, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_lacking.py").write_text(LACKING)
    plugins = ("-p", "xdist", "-p", "tests.support.run.missing", "-p", "no:cacheprovider")

    run = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-n", processes, "-c", "pytest.ini", "."],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTEST_ADDOPTS": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": str(ROOT),
            "CI": ci,
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert "NOT TESTED: Chromium is missing: install it." in run.stdout
    assert outcome in run.stdout


def test_nothing_else_skips_or_asks_whether_it_runs_in_ci() -> None:
    """A skip by itself is one under `CI=true`, too, and the summary doesn't name it."""
    words = re.compile(r"pytest\.skip\(|environ(\.get\(|\[)\"CI\"")
    files = (ROOT / "tests").rglob("*.py")
    found = {str(path.relative_to(ROOT)) for path in files if words.search(path.read_text("utf-8"))}

    assert found == {"tests/support/run/missing.py"}
