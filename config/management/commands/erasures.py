"""`manage.py erasures`: what was erased lately, and a mistaken one cancelled."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from config.backups.container import BackupError
from config.backups.erased import cancel
from people import erasures
from people.person_erasure import settle_intentions


class Command(BaseCommand):
    """List erasures, or cancel one."""

    help = "List what was erased, by opaque ids; within seven days of running cancel a mistaken erasure."

    def add_arguments(self, parser: CommandParser) -> None:
        """Nothing to list; `cancel`, an id and a reason to bring back."""
        commands = parser.add_subparsers(dest="command")
        cancelling = commands.add_parser("cancel", help="bring back what was erased, from a backup")
        cancelling.add_argument("id", help="the id of the erasure, as the list has it, or its beginning")
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
        if not record.erasures:
            self.stdout.write(f"No erasure is recorded in {folder}.")
        for erasure in record.erasures:
            state = "can be cancelled" if erasure.is_open(days_run) else "final"
            self.stdout.write(f"{erasure}; {state}")

    def _cancel(self, record: erasures.ErasureRecord, beginning: str, reason: str) -> None:
        if not reason:
            raise CommandError("--reason is empty: say why, without naming anybody.")
        if not beginning:
            raise CommandError("The id is empty: manage.py erasures lists them.")
        matching = [each for each in record.erasures if str(each.id).startswith(beginning.lower())]
        if len(matching) != 1:
            count = f"There are {len(matching)} erasures" if matching else "There is no erasure"
            raise CommandError(f"{count} {beginning}: manage.py erasures lists them.")
        [found] = matching
        try:
            backup, lacking = cancel(found, reason)
        except BackupError as error:
            raise CommandError(f"Nothing was brought back. {error}") from error
        missing = f", but for {lacking} rows that no backup holds" if lacking else ""
        self.stdout.write(
            f"Brought back from {backup.name}: {found}{missing}. "
            "What is still due goes again after a day's notice."
        )
