"""`manage.py migrate`, as Django has it, but that it stops nobody: it waits for a lock only briefly."""

import time
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from psycopg.errors import LockNotAvailable

LOCK_TIMEOUT = "3s"
"""How long a migration waits for a table. Who wants to read it has to queue behind it meanwhile."""
ATTEMPTS = 10
PAUSE = 5.0
"""Seconds between two attempts, in which everybody else goes on."""


class Command(migrate.Command):
    """Bring the tables up to date while the service runs."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Try, and try again where somebody held a table; what was done before stays done."""
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        for attempt in range(1, ATTEMPTS + 1):
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
            try:
                super().handle(*args, **options)
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable) or connection.in_atomic_block:
                    raise
                self.stderr.write(f"A table is in use (attempt {attempt} of {ATTEMPTS}).")
                time.sleep(PAUSE)
            else:
                return
            finally:
                if not connection.in_atomic_block:
                    connection.close()
        raise CommandError("A table was in use all the time: see who holds it in pg_stat_activity.")
