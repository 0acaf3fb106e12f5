"""The worked examples of extending the project: each applies to a copy of it, and its tests pass there."""

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.support import ROOT
from tests.support.doc_pages import section
from tests.support.run import migrated

PAGE = ROOT / "docs" / "development" / "extending.md"
EXAMPLES = sorted((ROOT / "docs" / "development" / "examples").glob("*.patch"))
NOT_COPIED = shutil.ignore_patterns(".*", "var", "node_modules", "*-pytest-*.pyc")
"""Compiled modules go along, but for tests: those that pytest compiles name the files that they are of."""


def changed(patch: str) -> dict[str, int]:
    """How many lines an example adds to each file."""
    return {
        path: len(re.findall(r"^\+(?!\+\+ )", rest, re.MULTILINE))
        for path, rest in re.findall(
            r"^diff --git a/(\S+) .*\n((?:(?!diff --git ).*\n)*)", patch, re.MULTILINE
        )
    }


def test_worked_examples_are_listed_with_what_they_change() -> None:
    rows = re.findall(
        r"^\| \[`([\w-]+)`\]\(examples/\1\.patch\): .* \| (\d+) \| (\d+) \|$",
        section(PAGE, "Worked examples"),
        re.MULTILINE,
    )
    counted = {path.stem: changed(path.read_text("utf-8")) for path in EXAMPLES}
    assert [(name, int(files), int(lines)) for name, files, lines in rows] == [
        (name, len(found), sum(found.values())) for name, found in counted.items()
    ]


@pytest.fixture(scope="module")
def tables(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The migrated database of this run, for the runs of the examples."""
    path = tmp_path_factory.mktemp("tables") / "tables.sqlite3"
    with django_db_blocker.unblock(), closing(sqlite3.connect(path)) as copied:
        connection.ensure_connection()
        connection.connection.backup(copied)
        connection.close()
    return path


@pytest.mark.django_db
@pytest.mark.sqlite
@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_worked_example_applies_and_its_tests_pass(example: Path, tables: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    subprocess.run(["git", "apply", str(example)], cwd=copy, check=True)
    named = re.search(r"^Tests: (.+)$", example.read_text("utf-8"), re.MULTILINE)
    assert named is not None
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *shlex.split(named[1])],
        cwd=copy,
        env=ours | {"TEST_DATABASE": "sqlite", migrated.GIVEN: str(tables)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
