"""`manage.py verify`, as `tournaments` has it; a damaged or older database is named before it is read."""

from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError

from config.backups import database_repair
from config.backups.database_damage import is_corruption
from config.health import missing_migrations
from tournaments.management.commands import verify


class Command(verify.Command):
    """Verify what is stored."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what is damaged, and which command repairs it; else verify."""
        if problem := database_repair.find_problem():
            raise CommandError(problem)
        if missing := missing_migrations():
            raise CommandError(
                f"The database lacks {len(missing)} migrations ({missing[0]}): run `manage.py migrate` "
                "first, or verify with the version that it comes from."
            )
        try:
            super().handle(*args, **options)
        except DatabaseError as error:
            if is_corruption(error):
                # Only an index, or damaged since.
                raise CommandError(
                    f"The database is damaged ({error}). {database_repair.instructions()}"
                ) from error
            raise
