"""A database that is away for a moment: everybody is told so, and when to ask again; nobody gets a 500."""

import sqlite3
from collections.abc import Callable
from errno import EACCES, ENOSPC
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from ledger.outages import RETRY_AFTER, DatabaseMovedError, Outage, outage_of
from tests.support import factories

Failure = Callable[[], Exception]


def caused(error: Exception, cause: Exception) -> Exception:
    """An error as Django raises it for one of the database's own."""
    error.__cause__ = cause
    return error


def busy(code: int) -> sqlite3.OperationalError:
    """An error of SQLite's with this code."""
    error = sqlite3.OperationalError("told in words")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (caused(OperationalError(), psycopg.OperationalError("connection refused")), Outage.AWAY),
        (caused(InterfaceError(), psycopg.InterfaceError("the connection is closed")), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.AdminShutdown()), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.CannotConnectNow()), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.CrashShutdown()), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.TooManyConnections()), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.DeadlockDetected()), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.LockNotAvailable()), Outage.AWAY),
        (caused(OperationalError(), psycopg.errors.InvalidPassword()), None),
        (caused(ProgrammingError(), psycopg.errors.UndefinedTable()), None),
        (caused(OperationalError(), busy(sqlite3.SQLITE_BUSY)), Outage.AWAY),
        (caused(OperationalError(), busy(sqlite3.SQLITE_ERROR)), None),
        (caused(OperationalError(), busy(sqlite3.SQLITE_FULL)), Outage.DISK_FULL),
        (caused(OperationalError(), psycopg.errors.DiskFull()), Outage.DISK_FULL),
        (OSError(ENOSPC, "No space left on device"), Outage.DISK_FULL),
        (OSError(EACCES, "Permission denied"), None),
        (DatabaseMovedError(), Outage.DATABASE_MOVED),
        (ValueError(), None),
        (None, None),
    ],
)
def test_database_error_is_classified_as_an_outage_or_none(
    error: Exception | None, expected: Outage | None
) -> None:
    assert outage_of(error) == expected


@pytest.fixture
def database_away() -> Any:
    """A database of which every statement fails as it does when the server was killed."""

    def fail(_execute: Any, *_arguments: Any) -> Any:
        raise caused(OperationalError("the connection is lost"), psycopg.OperationalError())

    return connection.execute_wrapper(fail)


@pytest.fixture
def visitor() -> Client:
    """Somebody who sees answers as they are sent."""
    return Client(raise_request_exception=False)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["", "/en"])
def test_database_away_is_told_on_a_page_with_503(visitor: Client, database_away: Any, language: str) -> None:
    words = {"": "Il servizio è assente per un momento", "/en": "The service is away for a moment"}
    with database_away:
        answer = visitor.get(f"{language}/palio-di-prova/")

    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    assert answer["Cache-Control"] == "no-store"
    assert words[language] in answer.content.decode()


@pytest.mark.django_db
def test_database_away_answers_503_to_a_phone_s_queue(visitor: Client, database_away: Any) -> None:
    event = factories.make_event()
    table = factories.make_table(event)
    visitor.cookies["pairing"] = factories.make_pairing(event)[1]

    with database_away:
        answer = visitor.get(f"/t/{table.code}/kit/", headers={"Accept": "application/json"})

    assert answer.status_code == 503


@pytest.mark.django_db
def test_database_away_is_a_problem_in_the_api(visitor: Client, database_away: Any) -> None:
    with database_away:
        answer = visitor.get("/api/v1/events/")
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "unavailable"


def failing(error: Callable[[], Exception]) -> Any:
    """A database of which every statement fails in this way."""

    def fail(_execute: Any, *_arguments: Any) -> Any:
        raise error()

    return connection.execute_wrapper(fail)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "code", "title"),
    [
        (
            lambda: caused(OperationalError(), busy(sqlite3.SQLITE_FULL)),
            "disk-full",
            "The service’s disk is full",
        ),
        (
            lambda: caused(OperationalError(), psycopg.errors.DiskFull()),
            "disk-full",
            "The service’s disk is full",
        ),
        (DatabaseMovedError, "database-moved", "The service has lost its database"),
    ],
)
def test_outage_has_a_code_and_a_sentence_of_its_own(
    visitor: Client, error: Callable[[], Exception], code: str, title: str, caplog: pytest.LogCaptureFixture
) -> None:
    with failing(error):
        page = visitor.get("/en/palio-di-prova/")
        script = visitor.get("/en/palio-di-prova/", headers={"Accept": "application/json"})
        program = visitor.get("/api/v1/events/")

    answers = (page, script, program)
    assert [(each.status_code, each["Retry-After"]) for each in answers] == [(503, str(RETRY_AFTER))] * 3
    assert title in page.content.decode()
    assert script.json() == {"code": code, "sentence": title}
    assert program.json()["code"] == code
    assert str(connection.settings_dict["NAME"]) in caplog.text


@pytest.mark.django_db(transaction=True)
def test_phone_pages_are_read_on_a_full_disk(visitor: Client) -> None:
    table = factories.make_table(factories.make_event())
    pairing, secret = factories.make_pairing(table.event)
    visitor.cookies["pairing"] = secret

    def fail_to_write(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith(("UPDATE", "INSERT")):
            raise caused(OperationalError(), busy(sqlite3.SQLITE_FULL))
        return execute(sql, *arguments)

    with connection.execute_wrapper(fail_to_write):
        assert visitor.get(f"/t/{table.code}/").status_code == 200
    pairing.refresh_from_db()

    assert pairing.last_seen_at is None


@pytest.mark.django_db
def test_database_error_that_is_no_outage_stays_500(visitor: Client) -> None:
    def fail(_execute: Any, *_arguments: Any) -> Any:
        raise caused(ProgrammingError("no such column"), psycopg.errors.UndefinedColumn())

    with connection.execute_wrapper(fail):
        assert visitor.get("/palio-di-prova/").status_code == 500
        assert visitor.get("/api/v1/events/").status_code == 500
