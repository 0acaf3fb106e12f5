"""A broker that is away costs a request neither its answer nor its patience."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.db import transaction

from config.celery import app
from ledger import outbox
from tests.config.test_environment import GOOD, ROOT
from tests.services.broker import free_port
from tests.services.worker import publishing_to

PUBLISH = """
import sys
from config.celery import app
from kombu.exceptions import OperationalError
try:
    app.send_task("tournaments.sweep_due_standings")
except OperationalError:
    sys.exit(7)
"""


@contextmanager
def silent_server() -> Iterator[tuple[int, list[socket.socket]]]:
    """A server that takes every connection and never says a word; yields its port and the connections."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1], taken
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in taken:
                connection.close()


def publish(port: int) -> int:
    """Publish a task from a process of the full mode; 7 is the error that callers catch."""
    environment = GOOD | {"CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0", "PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "-c", PUBLISH], cwd=ROOT, env=environment, timeout=60, check=False
    ).returncode


def test_nobody_listens() -> None:
    assert publish(free_port()) == 7


def test_somebody_listens_and_never_answers() -> None:
    with silent_server() as (port, taken):
        assert publish(port) == 7
        # One attempt, given up at the timeout of the settings: whoever publishes doesn't try again.
        assert len(taken) == 1


@pytest.mark.django_db(transaction=True)
def test_what_is_due_is_stored_all_the_same() -> None:
    group = uuid4()
    with publishing_to(app, f"redis://127.0.0.1:{free_port()}/0"), transaction.atomic():
        outbox.announce("outcome", group, uuid4(), 1)
    assert outbox.pending("outcome") == [group]
