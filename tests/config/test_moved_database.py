"""A database whose file is moved, replaced or deleted while it is open: nothing is acknowledged into it."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler
from django.test import Client

from config import health
from config.backups import database_repair
from config.embedded.backup import Backups
from config.watched_sqlite import base
from ledger.outages import DatabaseMovedError, Outage, outage_of
from tests.support.sqlite_files import all_of_them

pytestmark = pytest.mark.django_db
Mishap = Callable[[Path], object]

MISHAPS: dict[str, Mishap] = {
    "moved": lambda path: path.rename(path.with_name("elsewhere")),
    "deleted": Path.unlink,
    "replaced": lambda path: Path(shutil.copy(path, path.with_name("copy"))).replace(path),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with an empty table."""
    made = tmp_path / "tendone.sqlite3"
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("CREATE TABLE results (winner text)")
    return made


@pytest.fixture
def served(path: Path) -> Iterator[Path]:
    """The same as the one that this process serves."""
    base.serve_only(path)
    yield path
    base._served.clear()


def opened(path: Path, engine: str = "config.watched_sqlite") -> Any:
    """A connection of Django's to a file, by which something was written."""
    # As the service has it; with another kind of log SQLite notices by itself.
    options = {"init_command": "PRAGMA journal_mode=WAL"}
    databases = {"default": {"ENGINE": engine, "NAME": str(path), "OPTIONS": options}}
    connection = ConnectionHandler(databases)["default"]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA user_version = 1")
    return connection


def enter(connection: Any) -> None:
    """Store a result in a transaction."""
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO results VALUES ('Centro')")
    connection.commit()
    connection.set_autocommit(True)


def stored(path: Path) -> int:
    """How many results a file holds."""
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("SELECT count(*) FROM results").fetchone()
    return int(found)


def test_commit_into_the_opened_database_file_succeeds(path: Path) -> None:
    with closing(opened(path)) as connection:
        enter(connection)

    assert stored(path) == 1


@pytest.mark.parametrize("mishap", MISHAPS.values(), ids=MISHAPS)
def test_commit_into_a_moved_or_replaced_database_is_refused(path: Path, mishap: Mishap) -> None:
    with closing(opened(path)) as connection:
        mishap(path)

        with pytest.raises(DatabaseMovedError) as caught:
            enter(connection)

    assert outage_of(caught.value) == Outage.DATABASE_MOVED
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("mishap", [MISHAPS["moved"], MISHAPS["deleted"]], ids=["moved", "deleted"])
def test_twin_commit_into_a_moved_database_succeeds_in_django_s_backend(path: Path, mishap: Mishap) -> None:
    with closing(opened(path, "django.db.backends.sqlite3")) as connection:
        mishap(path)

        enter(connection)

    assert not path.exists()


@pytest.mark.parametrize("mishap", MISHAPS.values(), ids=MISHAPS)
def test_moved_database_is_not_replaced_by_another_file(served: Path, mishap: Mishap) -> None:
    mishap(served)
    there = served.exists()

    with pytest.raises(DatabaseMovedError):
        opened(served)

    assert served.exists() == there


def test_moved_database_that_was_put_back_is_served_again(served: Path) -> None:
    with closing(opened(served)) as connection:
        elsewhere = served.rename(served.with_name("elsewhere"))
        with pytest.raises(DatabaseMovedError):
            enter(connection)
        elsewhere.rename(served)

        enter(connection)

    assert stored(served) == 1


def test_replaced_database_is_not_backed_up(served: Path, caplog: pytest.LogCaptureFixture) -> None:
    backups = Backups(served, served.parent / "backup", all_of_them)
    MISHAPS["replaced"](served)

    assert backups.make() is None
    assert "was moved, replaced or deleted while it was open" in caplog.text


def test_readiness_fails_with_a_replaced_database(
    client: Client, served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_repair, "database_file", lambda: served)
    monkeypatch.setattr(health, "_checked", None)
    before = client.get("/health/ready/").status_code
    MISHAPS["replaced"](served)

    answer = client.get("/health/ready/")

    assert (before, answer.status_code, answer.json()["reason"]) == (200, 503, "database-moved")


def test_database_without_room_is_a_disk_full_outage(path: Path) -> None:
    with closing(opened(path)) as connection, connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 2")
        with pytest.raises(OperationalError) as caught:
            cursor.execute("INSERT INTO results VALUES (%s)", ["Centro" * 10_000])

    assert outage_of(caught.value) == Outage.DISK_FULL
