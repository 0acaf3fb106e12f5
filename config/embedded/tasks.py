"""Tasks without a worker process: threads that take the messages of Celery's in-memory broker.

The code that publishes a task and the task itself are those of the full mode; only who calls the function
differs. A Celery worker on a thread would do as well. But it keeps its wish to stop in a variable of the
whole process, and takes the process's log over. Nobody hears of it when it dies. This loop is short, stops
within `PATIENCE` and goes on after any error. It needs no retries nor results. What is due is in the
database, and the sweep of the beat schedule, which this thread keeps too, finds it again.
"""

import logging
import threading
import time
from collections.abc import Collection
from typing import Any

from celery import Celery
from django.db import close_old_connections, connections
from kombu.message import Message
from structlog.contextvars import bind_contextvars, clear_contextvars

from config.celery import request_of, task_line
from config.queues import COMPUTING, QUEUES, STANDINGS, queue_of

PATIENCE = 0.5
"""Seconds after which the thread looks whether it should stop or something is due."""

logger = logging.getLogger(__name__)


ALL = tuple(queue.name for queue in QUEUES)
APART = (STANDINGS, COMPUTING)
THREADS = (*((name,) for name in APART), tuple(name for name in ALL if name not in APART))
"""The queues of each thread of the service: standings wait for nothing else, and pages for nothing that
computes for long. SQLite takes one writer at a time, so more threads would only wait for each other.
"""


class TaskThread(threading.Thread):
    """Calls the published tasks of some queues one after the other, and those of the beat schedule that are
    theirs when their time comes.
    """

    def __init__(self, app: Celery, names: Collection[str] = ALL) -> None:
        super().__init__(name="tasks", daemon=True)
        # Two threads that import tasks at once would see half of them.
        app.autodiscover_tasks(force=True)
        self._app = app
        self._names = names
        self._stopping = threading.Event()
        self._schedule = {
            name: entry for name, entry in app.conf.beat_schedule.items() if queue_of(entry["task"]) in names
        }
        self._next_run = dict.fromkeys(self._schedule, 0.0)

    def run(self) -> None:
        """Work until `stop`."""
        try:
            with (
                self._app.connection_for_read() as connection,
                self._app.amqp.TaskConsumer(
                    connection.channel(),
                    queues=[queue for queue in QUEUES if queue.name in self._names],
                    on_message=self._take,
                ),
            ):
                while not self._stopping.is_set():
                    self._call_what_is_due()
                    try:
                        connection.drain_events(timeout=PATIENCE)
                    except TimeoutError:
                        continue
        finally:
            connections.close_all()

    def stop(self, patience: float | None = None) -> None:
        """Ask the thread to end after the task it is at, and wait for it so many seconds."""
        self._stopping.set()
        if self.is_alive():
            self.join(patience)

    def _take(self, message: Message) -> None:
        message.ack()
        args, kwargs, _ = message.payload
        clear_contextvars()
        bind_contextvars(**request_of(message.headers.get("request_id")))
        self._call(message.headers["task"], args, kwargs)
        clear_contextvars()

    def _call_what_is_due(self) -> None:
        for name, entry in self._schedule.items():
            now = time.monotonic()
            if now >= self._next_run[name]:
                self._next_run[name] = now + float(entry["schedule"])
                self._call(entry["task"], entry.get("args", ()), entry.get("kwargs", {}))

    def _call(self, name: str, args: Any, kwargs: Any) -> None:
        """Call a task; whatever it raises is logged, and the thread goes on."""
        close_old_connections()
        begun, state = time.monotonic(), "success"
        try:
            self._app.tasks[name](*args, **kwargs)
        except Exception:
            state = "failure"
            logger.exception("The task %s failed; what is due stays due.", name)
        finally:
            close_old_connections()
        task_line(name, state, time.monotonic() - begun)
