"""The web server of the full mode: told to stop it answers what it has begun; Prometheus finds figures."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support import ROOT, factories
from tests.support.services import worker
from tests.support.services.broker import free_port
from tests.support.services.processes import PATIENCE, stop, wait_until

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
Server = tuple[subprocess.Popen[bytes], int, int]
"""The process, its port, and that of its metrics."""


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Two processes as `gunicorn` starts them in the full mode, on the database of the tests; with options of
    gunicorn's as the parameter.
    """
    port, metrics = free_port(), free_port()
    environment = os.environ | {
        "DATABASE_URL": worker.test_database_url(),
        "METRICS_ADDRESS": f"127.0.0.1:{metrics}",
        "ALLOWED_HOSTS": "127.0.0.1",
        "WEB_PROCESSES": "2",
        "WEB_THREADS": "2",
        "SECURE_SSL_REDIRECT": "false",
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py"]
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, *getattr(request, "param", []), "--bind", f"127.0.0.1:{port}", "config.wsgi"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: is_alive(port), process, log)
        yield process, port, metrics
    finally:
        stop(process)


def is_alive(port: int, patience: float = 5) -> bool:
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health/live/", timeout=patience) as answer:
        return bool(answer.status == 200)
    return False


def begin(port: int) -> HTTPConnection:
    """A request of a program that is half sent, when somebody is at it: it can't be answered yet."""
    token = factories.make_token(factories.make_account())[1]
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.putrequest("POST", "/api/v1/events/")
    connection.putheader("Authorization", f"Bearer {token}")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", "2")
    connection.putheader("Expect", "100-continue")
    connection.endheaders()
    assert connection.sock.recv(len(CONTINUE), socket.MSG_WAITALL) == CONTINUE
    connection.send(b"{")
    return connection


def test_web_server_told_to_stop_answers_what_it_has_begun(server: Server) -> None:
    process, port, metrics = server
    with closing(begin(port)) as begun:
        figures = urlopen(f"http://127.0.0.1:{metrics}/metrics", timeout=PATIENCE).read().decode()
        process.send_signal(signal.SIGTERM)
        # Its socket stays open for what was begun: a new request is left without an answer.
        while is_alive(port, patience=1):
            pass
        begun.send(b"}")
        assert begun.getresponse().status == 422

    assert process.wait(PATIENCE) == 0
    assert 'tendone_requests_total{method="GET",route="alive",status="200"}' in figures
    assert "\ntendone_database_up 1.0" in figures


@pytest.mark.parametrize("server", [["--graceful-timeout", "1"]], indirect=True)
def test_twin_web_server_without_grace_leaves_a_begun_request(server: Server) -> None:
    process, port, _ = server
    with closing(begin(port)) as begun:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        with pytest.raises((OSError, HTTPException)):
            begun.getresponse()
