"""Celery for tests: the real worker process, and this process publishing to the same broker."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote

from celery import Celery
from django.db import connection
from kombu import pools

from config.celery import app
from config.environment import broker_options
from tests.support import ROOT
from tests.support.services.processes import stop, wait_until
from tournaments.tasks import sweep_due_standings


def test_database_url() -> str:
    """The DATABASE_URL of the PostgreSQL database that the tests themselves use."""
    settings = connection.settings_dict
    return f"postgresql://{settings['USER']}@{quote(settings['HOST'], safe='')}/{settings['NAME']}"


@contextmanager
def publishing_to(app: Celery, url: str) -> Iterator[None]:
    """Have this process publish its tasks to the broker at `url`."""
    before = app.conf.broker_transport_options
    # Celery looks at this variable before its own settings, whoever made them.
    with mock.patch.dict(os.environ, CELERY_BROKER_URL=url):
        app.conf.update(broker_transport_options=broker_options(url))
        forget_connections(app)
        try:
            yield
        finally:
            app.conf.update(broker_transport_options=before)
            forget_connections(app)


def forget_connections(app: Any) -> None:
    """Drop the connections that an application keeps to its broker."""
    pools.reset()
    app._after_fork()  # Celery's own way to forget its pools; it has no public one


@contextmanager
def several(app: Celery, broker_url: str, groups: Sequence[Collection[str]]) -> Iterator[None]:
    """A worker of one process for each group of queues, all ready for tasks; an empty one is for all."""
    with ExitStack() as stack:
        begun = [stack.enter_context(_begun(broker_url, 1, signal.SIGQUIT, queues)) for queues in groups]
        for process, name, log in begun:
            _wait_until_ready(app, process, name, log)
        yield


@contextmanager
def running(
    app: Celery,
    broker_url: str,
    concurrency: int = 2,
    stopped_by: signal.Signals = signal.SIGTERM,
    queues: Collection[str] = (),
    given: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process on the test database, ready for tasks; `app` has to publish to the same broker.

    SIGTERM has it finish what it is at, SIGQUIT doesn't. `given` is added to its environment.
    """
    with _begun(broker_url, concurrency, stopped_by, queues, given) as (process, name, log):
        _wait_until_ready(app, process, name, log)
        yield process


@contextmanager
def _begun(
    broker_url: str,
    concurrency: int,
    stopped_by: signal.Signals,
    queues: Collection[str] = (),
    given: Mapping[str, str] | None = None,
) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """A worker process that may not be ready yet, its name and its log."""
    name = f"{'-'.join(queues) or 'all'}@tests"
    environment = os.environ | {
        "DATABASE_URL": test_database_url(),
        "CELERY_BROKER_URL": broker_url,
        # The programs that tests have told are on this machine.
        "WEBHOOKS_TO_PRIVATE": "true",
        **(given or {}),
    }
    command = [sys.executable, "-m", "celery", "--app", "config", "worker"]
    options = ["--pool", "prefork", "--concurrency", str(concurrency), "--loglevel", "WARNING"]
    options += ["--hostname", name, *(["--queues", ",".join(queues)] if queues else [])]
    with tempfile.TemporaryDirectory(prefix="tendone-worker-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, *options], cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
            )
        try:
            yield process, name, log
        finally:
            stop(process, stopped_by)


def _wait_until_ready(app: Celery, process: subprocess.Popen[bytes], name: str, log: Path) -> None:
    # What is sent before the worker listens is never answered.
    timeouts = chain(repeat(0.3, 40), repeat(5.0))
    wait_until(lambda: bool(app.control.ping([name], timeout=next(timeouts), limit=1)), process, log)


def sweep() -> None:
    """Sweep, and do at once whatever that wakes a worker for."""
    app.conf.task_always_eager = True
    try:
        sweep_due_standings()
    finally:
        app.conf.task_always_eager = False
