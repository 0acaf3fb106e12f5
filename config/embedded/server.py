"""The embedded web server: gunicorn with one worker process, whose threads serve pages and run tasks and
backups.

gunicorn's thread worker waits for a phone's bytes and for its TLS handshake outside the loop that accepts
connections, so one phone with weak wifi delays nobody else. Its other process only starts the worker again
should it ever fall.
"""

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from gunicorn.app.base import BaseApplication

from config.celery import app as celery_app
from config.embedded.backup import BackupThread
from config.embedded.certificate import Certificate
from config.embedded.tasks import TaskThread

THREADS = 32


@dataclass(frozen=True)
class Place:
    """Where to serve: addresses as host and port, the certificate for HTTPS, the folder for backups."""

    hosts: tuple[str, ...]
    port: int
    certificate: Certificate | None
    backups: Path


class EmbeddedServer(BaseApplication):
    """The service in one worker process; `run` returns never, and Ctrl-C ends it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._threads: list[TaskThread | BackupThread] = []
        super().__init__()

    def load_config(self) -> None:
        """Hand gunicorn its settings."""
        options: dict[str, Any] = {
            "bind": [f"{host}:{self._place.port}" for host in self._place.hosts],
            "workers": 1,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": 30,
            "graceful_timeout": 3,
            "logconfig_dict": settings.LOGGING,
            "control_socket_disable": True,
            "post_worker_init": self._start_threads,
            "worker_exit": self._stop_threads,
        }
        if self._place.certificate:
            options["certfile"] = str(self._place.certificate.certificate)
            options["keyfile"] = str(self._place.certificate.key)
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The WSGI application, made in the worker process."""
        return get_wsgi_application()

    def _start_threads(self, worker: Any) -> None:
        for listener in worker.sockets:
            notice_lost_phones(listener.sock)
        database = Path(settings.DATABASES["default"]["NAME"])
        self._threads = [TaskThread(celery_app), BackupThread(database, self._place.backups)]
        for thread in self._threads:
            thread.start()

    def _stop_threads(self, arbiter: Any, worker: Any) -> None:
        for thread in self._threads:
            thread.stop()


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
