"""Tasks on a thread: what is published is called, what is due is called, and an error ends nothing."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from celery import Celery
from kombu.transport import memory

from config.embedded.tasks import TaskThread

SOON = 120.0
"""Seconds after which a call that never comes is given up."""


@pytest.fixture
def app() -> Celery:
    """An application of the test's own, without messages of other tests and without anything due by itself.

    All in-memory brokers of a process share their queues.
    """
    memory.Channel.queues.clear()
    app = Celery("embedded", broker="memory://embedded", set_as_current=False)
    app.conf.update(broker_transport_options={"polling_interval": 0.01}, beat_schedule={})
    return app


@pytest.fixture
def start(app: Celery) -> Iterator[Callable[[], TaskThread]]:
    """Start the thread; it is stopped when the test ends."""
    with ExitStack() as threads:

        def start() -> TaskThread:
            thread = TaskThread(app)
            threads.callback(thread.stop)
            thread.start()
            return thread

        yield start


def test_task_is_called_with_its_arguments(app: Celery, start: Callable[[], TaskThread]) -> None:
    called = threading.Event()
    seen: list[tuple[str, int]] = []

    @app.task(name="note")
    def note(word: str, number: int = 0) -> None:
        seen.append((word, number))
        called.set()

    start()
    note.delay("asso", number=7)

    assert called.wait(SOON)
    assert seen == [("asso", 7)]


def test_tasks_published_before_the_start_are_called_in_order(
    app: Celery, start: Callable[[], TaskThread]
) -> None:
    called = threading.Event()
    seen: list[int] = []

    @app.task(name="count")
    def count(number: int) -> None:
        seen.append(number)
        if len(seen) == 20:
            called.set()

    for number in range(20):
        count.delay(number)
    start()

    assert called.wait(SOON)
    assert seen == list(range(20))


def test_task_error_is_logged_and_the_next_task_is_called(
    app: Celery, start: Callable[[], TaskThread], caplog: pytest.LogCaptureFixture
) -> None:
    called = threading.Event()

    @app.task(name="fail")
    def fail() -> None:
        raise ValueError("by design")

    @app.task(name="work")
    def work() -> None:
        called.set()

    start()
    fail.delay()
    work.delay()

    assert called.wait(SOON)
    assert [record.getMessage() for record in caplog.records] == [
        "The task fail failed; what is due stays due."
    ]


def test_task_thread_keeps_the_schedule_of_beat(app: Celery, start: Callable[[], TaskThread]) -> None:
    called = threading.Event()
    seen: list[None] = []

    @app.task(name="sweep")
    def sweep() -> None:
        seen.append(None)
        if len(seen) == 2:
            called.set()

    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": 0.01}}
    start()

    assert called.wait(SOON)


def test_task_thread_stops_when_asked(start: Callable[[], TaskThread]) -> None:
    thread = start()
    thread.stop()
    assert not thread.is_alive()
