"""Repair of a damaged or missing database of the embedded mode: sentences that name the command."""

from pathlib import Path

from django.conf import settings
from django.db import connection

from config.backups.damage import find_damage, restore_command
from config.backups.folder import backups_in
from config.backups.goodness import BackupCheck


def database_file() -> Path | None:
    """The file of the database; None where it is PostgreSQL's."""
    return Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None


def newest_good_backup() -> Path | None:
    """The newest backup that could be put back, or None."""
    return BackupCheck(Path(settings.VAR_DIR)).newest_good(settings.BACKUP_DIR)


def is_missing(database: Path) -> bool:
    """Whether there is no database, or an empty file in its place."""
    return not database.exists() or database.stat().st_size == 0


def find_problem() -> str | None:
    """Sentences about a database that is damaged, or missing beside its backups; None if it is neither.

    Raises sqlite3.Error if the file can't be opened or is locked.
    """
    database = database_file()
    if database is None:
        return None
    if is_missing(database):
        if not backups_in(settings.BACKUP_DIR):
            return None
        return (
            f"The database {database} is missing, and there are backups of one. {advice()} "
            f"To begin with an empty one, move {settings.BACKUP_DIR} elsewhere."
        )
    if damage := find_damage(database):
        return f"The database {database} is damaged: {damage}. {advice()}"
    return None


def advice() -> str:
    """The command that repairs the database."""
    good = newest_good_backup()
    if good is None:
        return (
            f"There is no good backup in {settings.BACKUP_DIR}: look on your sticks and other disks. "
            f"Stop the service and type: {restore_command('FILE')}"
        )
    return f"Stop the service and type: {restore_command(good)}"
