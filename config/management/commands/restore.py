"""`manage.py restore`: a backup put back, all or nothing."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from config.backups.container import BackupError
from config.backups.restoring import restore, where


class Command(BaseCommand):
    """Put a backup back."""

    help = "Put a backup into an empty database, and verify it; stop web, workers and beat first."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and whether what is there may go."""
        parser.add_argument("file", type=Path, help="a backup, or its name in the folder of backups")
        parser.add_argument(
            "--replace", action="store_true", help="in place of what is there, once that is backed up"
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was put back."""
        try:
            restored = restore(options["file"], replace=options["replace"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        manifest = restored.manifest
        if options["replace"]:
            self.stdout.write(f"{where()} is replaced.")
        if restored.set_aside:
            self.stdout.write(
                f"The damaged database is kept as {restored.set_aside}, with what begins with that name. "
                "It holds names: delete it once nobody needs it."
            )
        if restored.replaced:
            self.stdout.write(f"What was there before is in {restored.replaced}.")
        for erasure in restored.repeated.erasures:
            self.stdout.write(f"Erased again, as it was since this backup: {erasure}.")
        for erasure in restored.repeated.intended:
            self.stderr.write(
                f"The service was killed at the end of this erasure, and it wasn't repeated: {erasure}. "
                "Look through the people of that event."
            )
        if not restored.repeated.is_there:
            self.stderr.write(
                "No record of erasures lies beside the backup: somebody who was erased since may be named "
                "again."
            )
        if restored.repeated.damaged:
            self.stderr.write(
                f"{restored.repeated.damaged} lines of the record of erasures can't be read: somebody who "
                "was erased since may be named again. Look through the people of each event."
            )
        self.stdout.write(
            f"Restored as of {manifest.made_at}: {sum(manifest.tables.values())} rows, "
            f"{manifest.facts} facts. Everything is as it was recorded."
        )
