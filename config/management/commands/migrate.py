"""`manage.py migrate`: Django's, made for a running service.

It waits for a lock only briefly, so that nobody else has to wait, and rebuilds projections where new tables
need it.
"""

import time
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connection, connections
from psycopg.errors import LockNotAvailable

from ledger import needed_code_version
from ledger.models import Stream
from tournaments.projections.rebuild import rebuild_outdated

LOCK_TIMEOUT = "3s"
"""How long a migration waits for a table. Who wants to read it has to queue behind it meanwhile."""
ATTEMPTS = 10
PAUSE = 5.0
"""Seconds between two attempts, in which everybody else goes on."""


class Command(migrate.Command):
    """Bring the tables up to date while the service runs."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, and bring the rows in step with the tables."""
        if wrong := needed_code_version.refusal_here():
            raise CommandError(wrong)
        is_new = Stream._meta.db_table not in connection.introspection.table_names()
        self.migrate(*args, **options)
        if options.get("app_label") or options.get("plan") or options.get("check_unapplied"):
            return
        if is_new:
            # No older code has ever served it.
            needed_code_version.rise()
        try:
            rebuild_outdated()
        except Exception as error:
            # Facts that were tampered with can be anything, and it goes on with the rows as they stand.
            self.stderr.write(
                f"Projections couldn't be built again ({type(error).__name__}): see `manage.py verify`."
            )

    def migrate(self, *args: Any, **options: Any) -> None:
        """Try, and try again where somebody held a table; what was done before stays done."""
        chosen = connections[options["database"]]
        if chosen.vendor != "postgresql":
            super().handle(*args, **options)
            return
        for attempt in range(1, ATTEMPTS + 1):
            with chosen.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
            try:
                super().handle(*args, **options)
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable) or chosen.in_atomic_block:
                    raise
                self.stderr.write(f"A table is in use (attempt {attempt} of {ATTEMPTS}).")
                time.sleep(PAUSE)
            else:
                return
            finally:
                if not chosen.in_atomic_block:
                    chosen.close()
        raise CommandError("A table was in use all the time: see who holds it in pg_stat_activity.")
