"""State of the service's computer, for the desk: full disks, a damaged database, the last backup."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from config.backup_folder import backups_in, parse_name
from config.backups import database_repair
from config.health import full_folders, is_damaged

STARTED = timezone.now()
LATE = timedelta(minutes=10)
"""How old the last good backup may be while the database changes; one is made every two minutes."""


@dataclass(frozen=True, slots=True)
class LastBackup:
    """The newest good backup: where it is, when it was made (None if there is none), and whether that was too
    long ago.
    """

    folder: Path
    made_at: datetime | None
    is_late: bool

    @property
    def is_of_today(self) -> bool:
        """Whether its time says enough without the day."""
        return self.made_at is None or timezone.localdate(self.made_at) == timezone.localdate()


def needed_repair() -> database_repair.Repair | None:
    """The command that repairs a damaged database; None if it isn't damaged."""
    return database_repair.find_repair() if is_damaged() else None


def embedded_backup() -> LastBackup | None:
    """The last backup of the embedded mode; in full mode whoever runs the service makes them."""
    database = database_repair.database_file()
    if not settings.EMBEDDED or database is None:
        return None
    return last_backup(database, settings.BACKUP_DIR, timezone.now())


def last_backup(database: Path, folder: Path, now: datetime) -> LastBackup:
    """What the folder says; a backup is only called one there once it was checked.

    It is late if the database has changed since the newest was last found to hold everything. A service that
    has just started has its time first: a start itself touches the database.
    """
    changed = changed_at(database)
    newest = next(reversed(backups_in(folder)), None) if folder.is_dir() else None
    name = parse_name(newest) if newest else None
    if newest is None or name is None:
        return LastBackup(folder, None, changed is not None and now - max(changed, STARTED) > LATE)
    looked_at = datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    is_behind = changed is not None and changed > looked_at
    return LastBackup(folder, name.made_at, is_behind and now - max(looked_at, STARTED) > LATE)


def changed_at(database: Path) -> datetime | None:
    """When the database was last written to, its write-ahead log included; None if it isn't there."""
    times = []
    for path in (database, database.with_name(f"{database.name}-wal")):
        try:
            times.append(path.stat().st_mtime)
        except OSError:
            continue
    return datetime.fromtimestamp(max(times), UTC) if times else None


def service_state(request: HttpRequest) -> dict[str, Any]:
    """For templates: `service`, of which each part is looked up when a page asks for it."""
    return {"service": {"full_disks": full_folders, "repair": needed_repair, "backup": embedded_backup}}
