"""Making a backup of the service's database, whichever it is."""

import sqlite3
from datetime import datetime
from pathlib import Path

import psycopg
from django.db import DatabaseError, connection

from config.backups import postgresql, sqlite

FAILURES = (OSError, DatabaseError, sqlite3.Error, psycopg.Error)
"""What is raised where a folder can't be written or the database can't be read, beside BackupError."""


def back_up(folder: Path, now: datetime | None = None) -> Path:
    """Copy the database into `folder` while it is in use; returns the backup's path.

    Raises BackupError, and what `FAILURES` lists.
    """
    if connection.vendor == "postgresql":
        return postgresql.back_up(folder, now)
    return sqlite.back_up(Path(connection.settings_dict["NAME"]), folder, now)
