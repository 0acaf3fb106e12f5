"""`manage.py backup`: the whole database in one file, while the service runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from config import housekeeping
from config.backup_folder import rotate
from config.backups import container, database_repair, making
from config.backups.goodness import BackupCheck


class Command(BaseCommand):
    """Back the database up."""

    help = "Copy the whole database into one file while the service runs; it holds names and secrets."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder, and whether older backups in it are thinned out."""
        parser.add_argument("folder", nargs="?", type=Path, help="where to (BACKUP_ROOT, else var/backup)")
        parser.add_argument(
            "--rotate",
            action="store_true",
            help="remove older backups there: kept are all of an hour, one an hour of a day, one a day of 30",
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Say where it is, and what is in it."""
        folder = options["folder"] or settings.BACKUP_DIR
        now = datetime.now(UTC)
        try:
            made = making.back_up(folder, now)
            if options["rotate"]:
                rotate(folder, now, BackupCheck(settings.VAR_DIR).is_good, housekeeping.removable)
            with container.opened(made) as (_, manifest):
                rows = sum(manifest.tables.values())
        except container.DamagedDatabaseError as error:
            raise CommandError(f"No backup was made. {error} {database_repair.instructions()}") from error
        except container.BackupError as error:
            raise CommandError(f"No backup was made. {error}") from error
        except making.FAILURES as error:
            raise CommandError(f"No backup was made: {type(error).__name__}: {error}") from error
        self.stdout.write(f"{made}: {made.stat().st_size} bytes, {rows} rows, {manifest.facts} facts.")
