"""Repair of a damaged or missing database of the embedded mode: the command, and sentences that name it."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from config.backup_folder import backups_in
from config.backups.database_damage import find_damage
from config.backups.goodness import BackupCheck
from config.environment import BASE_DIR
from config.watched_sqlite.base import is_missing


def database_file() -> Path | None:
    """The file of the database; None where it is PostgreSQL's."""
    return Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None


def newest_good_backup() -> Path | None:
    """The newest backup that could be put back, or None."""
    return BackupCheck(Path(settings.VAR_DIR)).newest_good(settings.BACKUP_DIR)


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
            f"The database {database} is missing, and there are backups of one. "
            f"To begin with an empty one, move {settings.BACKUP_DIR} elsewhere. {instructions()}"
        )
    if damage := find_damage(database):
        return f"The database {database} is damaged: {damage}. {instructions()}"
    return None


@dataclass(frozen=True, slots=True)
class Repair:
    """How a damaged or missing database is repaired: by this command, while the service is stopped."""

    command: str
    has_backup: bool
    """Whether there is a good backup in the folder; otherwise the command names none."""


def find_repair() -> Repair:
    """The command that puts the newest good backup in place of the database."""
    good = newest_good_backup()
    return Repair(restore_command(good or "FILE", Path(settings.VAR_DIR)), good is not None)


def restore_command(backup: Path | str, var: Path | None = None) -> str:
    """The command that puts a backup in the place of the database; with the folder of data `var`, where that
    isn't the usual one.
    """
    named = var is not None and var != BASE_DIR / "var"
    setting = f"TENDONE_VAR={shlex.quote(str(var))} " if named else ""
    return f"{setting}.venv/bin/python manage.py restore --replace {shlex.quote(str(backup))}"


def instructions() -> str:
    """The command in sentences for an operator, in English, with a line of its own."""
    found = find_repair()
    where = "" if found.has_backup else f"There is no good backup in {settings.BACKUP_DIR}: look elsewhere. "
    return f"{where}Type, while the service is stopped:\n    {found.command}"
