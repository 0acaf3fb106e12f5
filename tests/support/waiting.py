"""Waiting for a condition, and asking PostgreSQL who waits for a lock."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

from tests.support.services.processes import PATIENCE

Found = TypeVar("Found")


def wait_for(look: Callable[[], Found]) -> Found:
    """What is found, as soon as it is true or anything; TimeoutError if it never is."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > end:
            raise TimeoutError(f"It wasn't so after {PATIENCE:.0f} s.")
        time.sleep(0.02)
    return found


def count_waiting() -> int:
    """How many connections to this database wait for a lock."""
    with connection.cursor() as cursor:
        # Within a transaction it would show what it showed first.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])
