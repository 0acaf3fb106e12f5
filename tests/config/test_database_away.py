"""A database that is away for a moment: everybody is told so, and when to ask again; nobody gets a 500."""

import sqlite3
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from ledger.away import RETRY_AFTER, is_away
from tests import factories

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
        (caused(OperationalError(), psycopg.OperationalError("connection refused")), True),
        (caused(InterfaceError(), psycopg.InterfaceError("the connection is closed")), True),
        (caused(OperationalError(), psycopg.errors.AdminShutdown()), True),
        (caused(OperationalError(), psycopg.errors.CannotConnectNow()), True),
        (caused(OperationalError(), psycopg.errors.CrashShutdown()), True),
        (caused(OperationalError(), psycopg.errors.TooManyConnections()), True),
        (caused(OperationalError(), psycopg.errors.DeadlockDetected()), True),
        (caused(OperationalError(), psycopg.errors.LockNotAvailable()), True),
        (caused(OperationalError(), psycopg.errors.InvalidPassword()), False),
        (caused(ProgrammingError(), psycopg.errors.UndefinedTable()), False),
        (caused(OperationalError(), busy(sqlite3.SQLITE_BUSY)), True),
        (caused(OperationalError(), busy(sqlite3.SQLITE_ERROR)), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_what_ends_by_itself(error: Exception | None, expected: bool) -> None:
    assert is_away(error) == expected


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
def test_a_page_says_so(visitor: Client, database_away: Any, language: str) -> None:
    words = {"": "Il servizio è assente per un momento", "/en": "The service is away for a moment"}
    with database_away:
        answer = visitor.get(f"{language}/palio-di-prova/")
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    assert answer["Cache-Control"] == "no-store"
    assert words[language] in answer.content.decode()


@pytest.mark.django_db
def test_a_referees_queue_hears_what_it_takes_for_no_answer(visitor: Client, database_away: Any) -> None:
    event = factories.make_event()
    table = factories.make_table(event)
    visitor.cookies["pairing"] = factories.make_pairing(event)[1]
    with database_away:
        answer = visitor.get(f"/t/{table.code}/kit/", headers={"Accept": "application/json"})
    assert answer.status_code == 503


@pytest.mark.django_db
def test_a_program_is_told_in_its_own_way(visitor: Client, database_away: Any) -> None:
    with database_away:
        answer = visitor.get("/api/v1/events/")
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "unavailable"


@pytest.mark.django_db
def test_what_is_wrong_stays_a_fault_of_ours(visitor: Client) -> None:
    def fail(_execute: Any, *_arguments: Any) -> Any:
        raise caused(ProgrammingError("no such column"), psycopg.errors.UndefinedColumn())

    with connection.execute_wrapper(fail):
        assert visitor.get("/palio-di-prova/").status_code == 500
        assert visitor.get("/api/v1/events/").status_code == 500
