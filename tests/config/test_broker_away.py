"""A broker that is away costs a request neither its answer nor its patience."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError
from kombu.transport import virtual

from config.celery import LOOKS_EVERY, SPARED, Application, BrokerAwayError, SureQoS, SureTransport, app
from config.models import Heartbeat
from config.tasks import beat_heart
from ledger import outbox
from tests.support import ROOT
from tests.support.run.environment import GOOD
from tests.support.services.broker import free_port
from tests.support.services.worker import publishing_to, running
from tests.support.waiting import wait_for

PUBLISH = """
import sys
from config.celery import app
from kombu.exceptions import OperationalError
from kombu.transport import virtual
failed = 0
for _ in range(int(sys.argv[1])):
    try:
        app.send_task("tournaments.sweep_due_standings")
    except OperationalError:
        failed += 1
sys.exit(7 if failed == int(sys.argv[1]) else 0)
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


def publish(port: int, times: int = 1) -> int:
    """Publish a task from a process of the full mode; 7 is the error that callers catch, each time."""
    environment = GOOD | {"CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0", "PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "-c", PUBLISH, str(times)], cwd=ROOT, env=environment, timeout=60, check=False
    ).returncode


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_celery_worker_goes_on_once_the_broker_writes_again(redis_url: str) -> None:
    """One that saves itself to a full disk refuses to write; so does one that lacks replicas."""
    with publishing_to(app, redis_url), app.connection_for_write() as broker:
        channel: Any = broker.default_channel
        with running(app, redis_url, 1) as worker:
            channel.client.config_set("min-replicas-to-write", 1)
            time.sleep(2 * LOOKS_EVERY)
            assert worker.poll() is None
            channel.client.config_set("min-replicas-to-write", 0)
            beat_heart.delay()
            wait_for(lambda: Heartbeat.objects.exists())


def test_publish_fails_where_no_broker_listens() -> None:
    assert publish(free_port()) == 7


def test_publish_fails_after_one_attempt_at_a_silent_broker() -> None:
    with silent_server() as (port, taken):
        assert publish(port) == 7
        # One attempt, given up at the timeout of the settings: whoever publishes doesn't try again.
        assert len(taken) == 1


def test_publish_does_not_wait_again_for_a_broker_that_is_away() -> None:
    with silent_server() as (port, taken):
        assert publish(port, times=20) == 7
        # The others are told without asking anybody.
        assert len(taken) == 1


def test_broker_that_is_back_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("config.celery.time.monotonic", lambda: now)
    one = Application("one", broker="memory://localhost")
    answers: list[Exception | str] = [OperationalError("away"), "sent", "sent"]

    def send(*_args: object, **_kwargs: object) -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("celery.Celery.send_task", send)
    with pytest.raises(OperationalError, match="away"):
        one.send_task("any")
    with pytest.raises(BrokerAwayError):
        one.send_task("any")
    # Beat brings its own producer, and tries whenever something is due.
    assert one.send_task("any", producer=object()) == "sent"
    now += SPARED
    assert one.send_task("any") == "sent"


def test_celery_worker_consumes_on_after_a_failed_ack() -> None:
    with app.connection_for_read("redis://127.0.0.1:1/0") as connection:
        assert connection.get_transport_cls() is SureTransport
    assert SureTransport.Channel.QoS is SureQoS
    qos = SureQoS(mock.Mock(), prefetch_count=1)
    virtual.QoS.append(qos, mock.Mock(), "tag")
    assert not qos.can_consume()
    silent = mock.Mock()
    silent.execute.side_effect = TimeoutError
    with mock.patch.object(qos, "_remove_from_indices", return_value=silent), pytest.raises(TimeoutError):
        qos.ack("tag")
    assert qos.can_consume()


def test_celery_worker_retries_the_broker_at_a_steady_pace() -> None:
    pauses: list[float] = []

    class EnoughError(Exception):
        pass

    def note(_error: Exception, interval: float) -> None:
        pauses.append(interval)
        if len(pauses) == 4:
            raise EnoughError

    with app.connection_for_write(f"redis://127.0.0.1:{free_port()}/0") as connection:
        connection.transport_options = {"socket_connect_timeout": 1}
        with mock.patch("kombu.utils.functional.sleep"), pytest.raises(EnoughError):
            connection.ensure_connection(note, app.conf.broker_connection_max_retries)

    assert pauses == [LOOKS_EVERY] * 4
    assert app.conf.broker_connection_max_retries is None


@pytest.mark.django_db(transaction=True)
def test_outbox_stores_what_is_due_without_a_broker() -> None:
    group = uuid4()
    with publishing_to(app, f"redis://127.0.0.1:{free_port()}/0"), transaction.atomic():
        outbox.announce("outcome", group, uuid4(), 1)
    assert outbox.pending("outcome") == [group]
