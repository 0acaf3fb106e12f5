"""The fixtures that all tests share, and what a run says of its database."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import client
from django.utils import timezone, translation
from playwright.sync_api import Browser, Page

from config.celery import app as celery_app
from config.embedded.tasks import TaskThread
from publishing.page_cache import KeptPage
from tests.support.ledger_tables import empty_tables, flushable_facts
from tests.support.run import environment, migrated, missing, static
from tests.support.services import broker, chromium
from tests.support.services import worker as workers
from tests.support.services.receiver import Receiver, receiver


def pytest_report_header() -> str:
    """Name the database of this run."""
    return environment.described


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite in a file, as it is in use: each thread (the live server's too) has a connection of its own."""
    if environment.DATABASE == "sqlite":
        migrated.have_own(tmp_path_factory.mktemp("database"))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Whether the tables are there already."""
    return migrated.is_given()


@pytest.fixture(scope="session", autouse=True)
def _facts_can_be_flushed() -> Iterator[None]:
    """Let tests with real transactions empty the tables that refuse it."""
    with flushable_facts():
        yield


@pytest.fixture(scope="module")
def committed(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Rows that the module's fixtures make are committed, and gone when the module is through.

    For what is dear to make: tests in transactions, which are rolled back, all find it as it was made. A test
    with real transactions has to make its own.
    """
    with django_db_blocker.unblock():
        yield
        empty_tables()
        connections.close_all()


@pytest.fixture(scope="session", autouse=True)
def _contexts_of_fields_forgotten() -> Iterator[None]:
    """Have `response.context` know of pages and their parts, but not of each field and option in a form: to
    copy a context for each of those is a twentieth of what a page with a form takes.
    """
    # Django's own, which its stubs leave out.
    keep: Any = vars(client)["store_rendered_templates"]

    def kept(
        store: dict[str, Any], signal: Any, sender: Any, template: Any, context: Any, **named: Any
    ) -> None:
        if not str(template.name).startswith("django/forms/"):
            keep(store, signal, sender, template, context, **named)

    with mock.patch.object(client, "store_rendered_templates", kept):
        yield


@pytest.fixture(autouse=True)
def _own_language() -> None:
    """Begin each test in the service's own language, whatever page the test before has read."""
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(autouse=True)
def _just_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin each test like a service that has just started: later, the desk warns of missing backups."""

    from config import service_state

    monkeypatch.setattr(service_state, "STARTED", timezone.now())


@pytest.fixture(autouse=True)
def _nothing_published() -> None:
    """Begin each test without the pages that the test before has published or that its process has kept."""
    KeptPage.forget()
    shutil.rmtree(settings.STORAGES["published"]["OPTIONS"]["location"], ignore_errors=True)


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Have the service's clock stand still, however long the test takes; the time that it shows."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


@pytest.fixture(scope="session", autouse=True)
def _static_files_collected() -> Iterator[None]:
    """Collect static files where they are served by their content's name, as building an image does."""
    if not settings.EMBEDDED:
        call_command("collectstatic", interactive=False, verbosity=0)
    with static.looked_for_once():
        yield


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a Redis of this run's own, empty at first."""
    try:
        server = broker.start()
    except broker.BrokerMissingError as error:
        missing.without("Redis", str(error))
    yield server.url
    server.stop()


@pytest.fixture
def program(settings: Any) -> Iterator[Receiver]:
    """A program that is told by webhooks, on this machine, where they aren't sent otherwise."""
    settings.WEBHOOKS_TO_PRIVATE = True
    with receiver() as told:
        yield told


@pytest.fixture
def worker(redis_url: str, transactional_db: None) -> Iterator[None]:
    """A Celery worker process beside the test, on the same PostgreSQL: what commits here is computed there.

    For tests marked `postgresql`. When the test is through, nobody reads what the worker would still publish.
    """
    with (
        workers.publishing_to(celery_app, redis_url),
        workers.running(celery_app, redis_url, stopped_by=signal.SIGQUIT),
    ):
        yield


@pytest.fixture
def embedded_tasks(transactional_db: None) -> Iterator[None]:
    """The thread that calls tasks in the embedded mode, in this process, beside a live server."""
    thread = TaskThread(celery_app)
    thread.start()
    yield
    thread.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """An installed Chromium."""
    path = chromium.executable()
    if path is None:
        missing.without("Chromium", "install it (apt install chromium).")
    with chromium.started(path) as running:
        # Playwright keeps an event loop in this thread, which Django takes for asynchronous code.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        yield running
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page_problems() -> chromium.Problems:
    """What goes wrong in this test's pages; see `chromium.Problems`."""
    return chromium.Problems()


@pytest.fixture
def open_page(browser: Browser, page_problems: chromium.Problems) -> Iterator[Callable[..., Page]]:
    """Open pages, each in a context (a phone) of its own: `open_page(viewport={...}, locale="en-GB", ...)`.

    Takes the options of Playwright's `new_context`. A game without a network is guided by the engine on the
    phone only `with_engine=True`: it takes its time, and without it the recorder shows. The test fails if a
    page had an error that it didn't expect (see `page_problems`).
    """
    with ExitStack() as contexts:

        def open_one(*, with_engine: bool = False, **options: Any) -> Page:
            context = browser.new_context(**{"locale": "it-IT", "timezone_id": "Europe/Rome", **options})
            contexts.callback(context.close)
            context.set_default_timeout(chromium.PATIENCE)
            if not with_engine:
                context.add_init_script("delete globalThis.Worker")
            return chromium.watched_context(context, page_problems).new_page()

        yield open_one
    assert list(page_problems) == []


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """One page, 1280 × 720, Italian."""
    return open_page()
