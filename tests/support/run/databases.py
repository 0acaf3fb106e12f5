"""Which tests run on which database.

On SQLite runs everything but what is marked `postgresql`. On PostgreSQL what touches the database runs again,
but what is marked `sqlite` and what drives a browser (mark a test `postgresql` to drive one there).

With `--once`, as in a whole `script/test`, what `ONCE` names runs on one of the two alone, unless it is
marked for the other. No test is lost between them: SQLite leaves out only what PostgreSQL takes, and what
PostgreSQL needn't read may not be marked for it.
"""

from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.run import environment

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "admin_user", "admin_client"}
BROWSER_FIXTURES = {"browser", "page", "open_page"}

BOTH = "both"

ONCE = {
    "tests/desk": "sqlite",
    "tests/publishing": "sqlite",
    "tests/referee": "sqlite",
    "tests/api": "postgresql",
    # What is asked of every address in turn.
    "tests/api/test_access.py": "sqlite",
    "tests/api/test_any_input.py": "sqlite",
    "tests/api/test_privacy.py": "sqlite",
    "tests/api/test_wrong_inputs.py": "sqlite",
    # The API decides all of it on PostgreSQL, and whole tournaments are played there by the acceptance tests.
    "tests/tournaments": "sqlite",
    # Two at once, whole columns in and out, and what the database counts, orders and compares.
    "tests/tournaments/archive": BOTH,
    "tests/tournaments/rounds/test_rounds_race.py": BOTH,
    "tests/tournaments/test_tournament_check.py": BOTH,
    "tests/tournaments/test_tournament_figures.py": BOTH,
    "tests/tournaments/test_tournament_race.py": BOTH,
    "tests/tournaments/test_tournament_results.py": BOTH,
    "tests/tournaments/test_tournament_standings.py": BOTH,
    # Whose eyes see what hangs on no database.
    "tests/acceptance/test_bell_by_phone.py": "sqlite",
    "tests/acceptance/test_names_stay_inside.py": "sqlite",
    "tests/config/test_hardening.py": "sqlite",
    # Nothing in these touches a database: PostgreSQL needn't read them.
    "tests/games/engine": "sqlite",
    "tests/tournaments/formats": "sqlite",
    "tests/tournaments/standings": "sqlite",
    "tests/tournaments/scheduling": "sqlite",
    "tests/rendering": "sqlite",
}
"""Folders and files that show on one database what they have to; the layers and what the acceptance tests
open run on both, as do exceptions. The longest name that fits counts."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--once`."""
    parser.addoption(
        "--once", action="store_true", help="leave to the other database what needs one of the two only"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """On PostgreSQL, don't even read what is SQLite's alone."""
    if config.getoption("--once") and environment.DATABASE == "postgresql":
        name = collection_path.relative_to(ROOT).as_posix()
        return is_unread(name) or None
    return None


def is_unread(name: str) -> bool:
    """Whether PostgreSQL has nothing to do with a folder or file: not with any part of it either."""
    parts = {ONCE[part] for part in ONCE if part == name or part.startswith(f"{name}/")}
    return name in ONCE and parts == {"sqlite"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave only the tests that belong to the database of this run."""
    once = config.getoption("--once")
    lost = [item.nodeid for item in items if once and is_lost(item)]
    if lost:
        raise pytest.UsageError(f"marked for PostgreSQL where only SQLite is asked: {', '.join(lost)}")
    kept = [item for item in items if belongs(item, environment.DATABASE, once=once)]
    known = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in known])
    items[:] = kept


def drives_browser(item: pytest.Item) -> bool:
    """Whether a test opens a browser."""
    return bool(set(getattr(item, "fixturenames", ())) & BROWSER_FIXTURES)


def touches_database(item: pytest.Item) -> bool:
    """Whether a test reads or writes a database."""
    return item.get_closest_marker("django_db") is not None or bool(
        set(getattr(item, "fixturenames", ())) & DATABASE_FIXTURES
    )


def belongs(item: pytest.Item, database: str, *, once: bool) -> bool:
    """Whether a test runs on this database."""
    if item.get_closest_marker("postgresql"):
        return database == "postgresql"
    if database == "sqlite":
        # Only what the other takes is left to it.
        return not (once and chosen(item) == "postgresql" and belongs(item, "postgresql", once=True))
    possible = touches_database(item) and not item.get_closest_marker("sqlite") and not drives_browser(item)
    return possible and not (once and chosen(item) == "sqlite")


def is_lost(item: pytest.Item) -> bool:
    """Whether neither database would run a test of a whole `script/test`."""
    parts = Path(item.nodeid.split("::")[0])
    return item.get_closest_marker("postgresql") is not None and any(
        is_unread(each.as_posix()) for each in (parts, *parts.parents)
    )


def chosen(item: pytest.Item) -> str | None:
    """The database that `ONCE` has chosen for a test, if it has."""
    name = item.nodeid.split("::")[0]
    fitting = [part for part in ONCE if name == part or name.startswith(f"{part}/")]
    database = ONCE[max(fitting, key=len)] if fitting else BOTH
    return None if database == BOTH else database
