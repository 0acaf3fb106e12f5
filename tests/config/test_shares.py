"""No test is lost between the databases, or between the processes that share the files out."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.services.databases import ONCE, ROOT, belongs, is_lost, is_unread

FILES = {
    "test_good.py": "def test_one(): pass\n\ndef test_two(): pass\n",
    "test_bad.py": "import pytest\n\ndef test_bad(): assert 1 > 2\n\n@pytest.mark.skip\ndef test_no(): ...\n",
    "test_also_good.py": "def test_three(): print('unseen')\n",
}
# What other packages add to pytest takes seconds to read.
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
DYING = "import os\n\ndef test_dies(): os._exit(3)\n"


def an_item(name: str, mark: str, fixtures: tuple[str, ...]) -> Any:
    """As much of a test as decides where it runs."""
    return SimpleNamespace(
        nodeid=f"{name}::test", fixturenames=fixtures, get_closest_marker=lambda asked: asked == mark or None
    )


def test_what_runs_once_is_there() -> None:
    assert [name for name in ONCE if not (ROOT / name).exists()] == []


def test_each_runs_somewhere_or_is_told_to_be_lost() -> None:
    names = (*ONCE, "tests/ledger/test_x.py", "tests/apiary/test_x.py")
    marks = ("", "sqlite", "postgresql", "django_db")
    for name, mark, fixtures in product(names, marks, ((), ("db",), ("page", "live_server"), ("page",))):
        item = an_item(name, mark, fixtures)
        where = [each for each in ("sqlite", "postgresql") if belongs(item, each, once=True)]
        assert where or is_lost(item), (name, mark, fixtures)
        assert set(where) <= {each for each in ("sqlite", "postgresql") if belongs(item, each, once=False)}


def test_only_what_shows_it_on_both_runs_on_both() -> None:
    places = {
        name: [
            each for each in ("sqlite", "postgresql") if belongs(an_item(name, "", ("db",)), each, once=True)
        ]
        for name in (
            "tests/desk/test_x.py",
            "tests/api/test_x.py",
            "tests/api/test_access.py",
            "tests/tournaments/test_x.py",
            "tests/tournaments/archive/test_x.py",
            "tests/ledger/test_x.py",
        )
    }
    assert places == {
        "tests/desk/test_x.py": ["sqlite"],
        "tests/api/test_x.py": ["postgresql"],
        "tests/api/test_access.py": ["sqlite"],
        "tests/tournaments/test_x.py": ["sqlite"],
        "tests/tournaments/archive/test_x.py": ["sqlite", "postgresql"],
        "tests/ledger/test_x.py": ["sqlite", "postgresql"],
    }


def test_a_folder_with_an_exception_is_read_on_both() -> None:
    """What is marked for PostgreSQL in it is found there."""
    asked = {
        name: is_unread(name) for name in ("tests/desk", "tests/tournaments", "tests/tournaments/formats")
    }
    assert asked == {"tests/desk": True, "tests/tournaments": False, "tests/tournaments/formats": True}
    marked = an_item("tests/tournaments/test_x.py", "postgresql", ("db",))
    assert (belongs(marked, "postgresql", once=True), is_lost(marked)) == (True, False)
    assert is_lost(an_item("tests/desk/test_x.py", "postgresql", ("db",)))


def in_two_processes(folder: Path, **files: str) -> tuple[int, str]:
    """What `pytest --processes 2` ends with and says about these files."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in files.items():
        (folder / name).write_text(text)
    plugins = ["-p", "tests.services.databases", "-p", "tests.services.workers", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "--processes", "2", "-c", folder / "pytest.ini", folder],
        cwd=ROOT,
        env={**os.environ, **ALONE, "TENDONE_VAR": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout


def test_what_workers_find_is_told_as_by_one_process(tmp_path: Path) -> None:
    status, said = in_two_processes(tmp_path, **FILES)
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "assert 1 > 2" in said
    assert "unseen" not in said
    assert "1 failed, 3 passed, 1 skipped" in said


def test_a_worker_that_dies_fails_the_run(tmp_path: Path) -> None:
    status, said = in_two_processes(
        tmp_path, **{"test_dies.py": DYING, "test_good.py": FILES["test_good.py"]}
    )
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "A worker ended with 3 at test_dies.py." in said
    assert "2 passed" in said
