"""The services that tests rely on are what they claim to be."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from playwright.sync_api import Page

from config.celery import app
from tests.support.services.chromium import Problems


@pytest.mark.django_db(transaction=True)
def test_committed_rows_are_seen_by_another_thread() -> None:
    get_user_model().objects.create(username="anna")
    seen: list[str] = []

    def look() -> None:
        seen.extend(get_user_model().objects.values_list("username", flat=True))
        connection.close()

    thread = Thread(target=look)
    thread.start()
    thread.join()

    assert seen == ["anna"]


@pytest.mark.postgresql
@pytest.mark.django_db
def test_postgresql_run_is_in_the_full_mode() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        assert cursor.fetchone()[0]
    assert not settings.EMBEDDED


@pytest.mark.sqlite
@pytest.mark.django_db
def test_sqlite_run_is_in_the_embedded_mode() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone() == ("wal",)
    assert settings.EMBEDDED


@pytest.mark.postgresql
@pytest.mark.usefixtures("worker")
def test_celery_worker_fixture_answers() -> None:
    [answer] = app.control.ping(timeout=60, limit=1) or []
    assert list(answer.values()) == [{"ok": "pong"}]


def test_browser_reports_what_a_policy_stops(open_page: Callable[..., Page], page_problems: Problems) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.route("**/*", answer_with("<script>document.title = 'run'</script>"))
    page.goto("http://localhost/")
    assert page.title() == ""
    page_problems.expect("content security policy: script-src")
    page_problems.expect("Executing inline script")


def test_browser_reports_an_uncaught_exception(page: Page, page_problems: Problems) -> None:
    with page.expect_event("pageerror"):
        page.evaluate("setTimeout(() => { throw new Error('by design') })")
    page_problems.expect("uncaught: by design")


def answer_with(body: str) -> Callable[[Any], None]:
    """A handler of requests that answers all with this page and a strict policy."""

    def answer(route: Any) -> None:
        route.fulfill(
            content_type="text/html", headers={"content-security-policy": "default-src 'self'"}, body=body
        )

    return answer
