"""No test is lost between the databases."""

from itertools import product
from types import SimpleNamespace
from typing import Any

from tests.support import ROOT
from tests.support.run.databases import ONCE, belongs, is_lost, is_unread


def an_item(name: str, mark: str, fixtures: tuple[str, ...]) -> Any:
    """As much of a test as decides where it runs."""
    return SimpleNamespace(
        nodeid=f"{name}::test", fixturenames=fixtures, get_closest_marker=lambda asked: asked == mark or None
    )


def test_paths_that_run_once_exist() -> None:
    assert [name for name in ONCE if not (ROOT / name).exists()] == []


def test_every_test_runs_on_a_database_or_is_reported_lost() -> None:
    names = (*ONCE, "tests/ledger/test_x.py", "tests/apiary/test_x.py")
    marks = ("", "sqlite", "postgresql", "django_db")
    for name, mark, fixtures in product(names, marks, ((), ("db",), ("page", "live_server"), ("page",))):
        item = an_item(name, mark, fixtures)
        where = [each for each in ("sqlite", "postgresql") if belongs(item, each, once=True)]
        assert where or is_lost(item), (name, mark, fixtures)
        assert set(where) <= {each for each in ("sqlite", "postgresql") if belongs(item, each, once=False)}


def test_tests_run_on_the_databases_of_their_folder() -> None:
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


def test_folder_with_an_exception_is_read_on_both_databases() -> None:
    """What is marked for PostgreSQL in it is found there."""
    asked = {
        name: is_unread(name) for name in ("tests/desk", "tests/tournaments", "tests/tournaments/formats")
    }
    assert asked == {"tests/desk": True, "tests/tournaments": False, "tests/tournaments/formats": True}
    marked = an_item("tests/tournaments/test_x.py", "postgresql", ("db",))
    assert (belongs(marked, "postgresql", once=True), is_lost(marked)) == (True, False)
    assert is_lost(an_item("tests/desk/test_x.py", "postgresql", ("db",)))
