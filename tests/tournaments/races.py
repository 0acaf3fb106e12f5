"""Commands that race for the same tournament."""

import threading
from collections.abc import Callable
from typing import Any

from django.db import connection

from tests.support.waiting import count_waiting, wait_for


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run all at the same time, each with a connection of its own; what each returned or raised."""
    start = threading.Barrier(len(works))
    answers: list[Any] = [None] * len(works)

    def run(place: int, work: Callable[[], Any]) -> None:
        start.wait()
        try:
            answers[place] = work()
        except Exception as error:
            answers[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def wait_for_who_waits(over: threading.Event | None = None) -> None:
    """Until another connection waits for a lock, or what it does is over without that."""
    wait_for(lambda: (over and over.is_set()) or count_waiting())
