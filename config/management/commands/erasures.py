"""`manage.py erasures`: what was erased lately, and a mistaken one cancelled."""

from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from config.backups.container import BackupError
from config.backups.erased import cancel
from people import erasures
from people.privacy import settle_intentions


class Command(BaseCommand):
    """List erasures, or cancel one."""

    help = "List what was erased, by opaque ids; within seven days of running cancel a mistaken erasure."

    def add_arguments(self, parser: CommandParser) -> None:
        """Nothing to list; `cancel`, an id and a reason to bring back."""
        commands = parser.add_subparsers(dest="command")
        cancelling = commands.add_parser("cancel", help="bring back what was erased, from a backup")
        cancelling.add_argument("id", type=UUID, help="the id of the erasure, as the list has it")
        cancelling.add_argument(
            "--reason", required=True, help="why; the event's history keeps it, so name nobody"
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Print the list, or what was brought back."""
        folder = Path(settings.BACKUP_DIR)
        try:
            settle_intentions(erasures.read(folder))
            record = erasures.read(folder)
        except OSError as error:
            raise CommandError(f"{folder / erasures.FILE} can't be read ({error.strerror}).") from error
        if record.damaged:
            self.stderr.write(f"{record.damaged} lines of the record can't be read.")
        if options["command"] == "cancel":
            self._cancel(record, options["id"], options["reason"].strip())
            return
        days_run = erasures.count_days_run()
        for erasure in record.erasures:
            state = "can be cancelled" if erasure.is_open(days_run) else "final"
            self.stdout.write(f"{erasure}; {state}")

    def _cancel(self, record: erasures.ErasureRecord, erasure_id: UUID, reason: str) -> None:
        if not reason:
            raise CommandError("--reason is empty: say why, without naming anybody.")
        found = next((each for each in record.erasures if each.id == erasure_id), None)
        if found is None:
            raise CommandError(f"There is no erasure {erasure_id}: manage.py erasures lists them.")
        try:
            backup, lacking = cancel(found, reason)
        except BackupError as error:
            raise CommandError(f"Nothing was brought back. {error}") from error
        missing = f", but for {lacking} rows that no backup holds" if lacking else ""
        self.stdout.write(
            f"Brought back from {backup.name}: {found}{missing}. "
            "What is still due goes again after a day's notice."
        )
