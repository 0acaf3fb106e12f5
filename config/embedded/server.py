"""The embedded web server: gunicorn with one worker process, whose threads serve pages and run tasks and
backups.

gunicorn's thread worker waits for a phone's bytes and for its TLS handshake outside the loop that accepts
connections. So one phone with weak wifi delays nobody else. Its other process starts the worker again should
it ever fall. It makes the last backup once the worker has ended: nothing is written after that.
"""

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from config import housekeeping
from config.celery import app as celery_app
from config.embedded.backup import Backups, BackupThread, merge_log
from config.embedded.certificate import ServerCertificate
from config.embedded.tasks import THREADS as TASK_THREADS
from config.embedded.tasks import TaskThread
from config.http_connection_closing import announce_closing

THREADS = 32
REQUESTS_END = 3
"""Seconds that requests may take when the service stops."""
THREADS_END = 2.0
"""Seconds that a task and a backup may take then. What a task leaves is done after the next start."""
WORKER_ENDS = 15
"""Seconds after which a worker that hasn't ended is killed."""


@dataclass(frozen=True)
class ServerPlace:
    """Where to serve: addresses as host and port, the certificate for HTTPS, the folder for backups."""

    hosts: tuple[str, ...]
    port: int
    certificate: ServerCertificate | None
    backups: Path


class EmbeddedArbiter(Arbiter):
    """The process that starts the worker, and ends it."""

    def handle_int(self) -> None:
        """Stop on Ctrl-C as on SIGTERM: what was begun is answered."""
        raise StopIteration


class EmbeddedServer(BaseApplication):
    """The service in one worker process; `run` returns never, and Ctrl-C ends it."""

    def __init__(self, place: ServerPlace) -> None:
        self._place = place
        self._threads: list[TaskThread | BackupThread] = []
        super().__init__()

    def run(self) -> None:
        """Serve until Ctrl-C or SIGTERM; raises SystemExit, with 1 if no last backup could be made."""
        EmbeddedArbiter(self).run()

    def load_config(self) -> None:
        """Hand gunicorn its settings."""
        options: dict[str, Any] = {
            "bind": [f"{host}:{self._place.port}" for host in self._place.hosts],
            "workers": 1,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": 30,
            "graceful_timeout": WORKER_ENDS,
            "logconfig_dict": settings.LOGGING,
            "control_socket_disable": True,
            "post_fork": self._shorten_requests,
            "post_worker_init": self._start_threads,
            "worker_exit": self._end_worker,
            "on_exit": self._make_last_backup,
        }
        if self._place.certificate:
            options["certfile"] = str(self._place.certificate.certificate)
            options["keyfile"] = str(self._place.certificate.key)
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The WSGI application, made in the worker process."""
        return announce_closing(get_wsgi_application())

    def _shorten_requests(self, arbiter: Any, worker: Any) -> None:
        worker.cfg.set("graceful_timeout", REQUESTS_END)

    def _start_threads(self, worker: Any) -> None:
        # Ctrl-C reaches both processes; the other one tells this one when to end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for listener in worker.sockets:
            notice_lost_phones(listener.sock)
        self._threads = [
            *(TaskThread(celery_app, names) for names in TASK_THREADS),
            BackupThread(self._backups()),
        ]
        for thread in self._threads:
            thread.start()

    def _end_worker(self, arbiter: Any, worker: Any) -> None:
        if os.getpid() != worker.pid or not worker.booted:
            return
        for thread in self._threads:
            thread.stop(patience=0)
        for thread in self._threads:
            thread.stop(THREADS_END)
        if os.getppid() != arbiter.pid:
            # The other process was killed: nobody else makes one.
            self._backups().make()
        # A request or a task that takes longer isn't waited for: it has answered nobody yet.
        logging.shutdown()
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(0)

    def _make_last_backup(self, arbiter: Any) -> None:
        """Once the worker has ended: whatever it has acknowledged is in this one."""
        backups = self._backups()
        made = backups.make()
        merge_log(backups.database)
        if made is None:
            raise SystemExit(1)
        with suppress(OSError):
            # The terminal may be gone.
            sys.stdout.write(f"Stopped. The last backup is {made}\n")
            sys.stdout.flush()

    def _backups(self) -> Backups:
        return Backups(Path(settings.DATABASES["default"]["NAME"]), self._place.backups, removable)


def removable(now: datetime, paths: Sequence[Path], is_good: Callable[[Path], bool]) -> list[Path]:
    """As `housekeeping.removable`, for a thread that keeps no connection."""
    try:
        return housekeeping.removable(now, paths, is_good)
    finally:
        connections.close_all()


def notice_lost_phones(listener: socket.socket) -> None:
    """Have connections fail after half a minute of silence where there was to be an answer.

    A phone that walks out of the wifi in the middle of a request says no goodbye, and its thread would wait
    for ever. Accepted connections take these options over from the listening socket (macOS has fewer).
    """
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", 15),
        ("TCP_KEEPINTVL", 5),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", 30_000),
    ):
        if option := getattr(socket, name, None):
            listener.setsockopt(socket.IPPROTO_TCP, option, value)
