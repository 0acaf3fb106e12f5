"""The connection to SQLite, which notices when the file of the database was moved, replaced or deleted.

Before and after each transaction it looks whether the file is still where it was opened.
On systems other than Windows an open file can be moved and deleted. SQLite would go on writing to it, and
what was acknowledged would be in a file that nobody opens again. Here the commit raises DatabaseMovedError:
whoever sent something is told to keep it and to send it again.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.backends.sqlite3 import base

from config.backup_folder import backups_in
from ledger.outages import DatabaseMovedError

DATABASE = "tendone.sqlite3"
"""The name of the database in the folder of data."""


FileIdentity = tuple[int, int]
"""A file as the system knows it, by device and number; another one in the same place has another identity."""


class DatabaseLostError(OperationalError):
    """There is no database where one was."""


def is_missing(database: Path) -> bool:
    """Whether there is no database, or an empty file in its place."""
    return not database.exists() or database.stat().st_size == 0


def check_not_lost(database: Path) -> None:
    """DatabaseLostError if there is no database in its place, and there are backups of one: opening it would
    make an empty one.
    """
    if (
        database == Path(settings.VAR_DIR) / DATABASE
        and is_missing(database)
        and backups_in(settings.BACKUP_DIR)
    ):
        raise DatabaseLostError(f"The database {database} is missing, and there are backups of one.")


def identity_of(path: Path) -> FileIdentity | None:
    """The identity of the file in this place; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


_served: dict[Path, FileIdentity | None] = {}


def serve_only(path: Path) -> None:
    """From now on this process and those that it forks open no other file in this place."""
    _served[path] = identity_of(path)


def check_served(path: Path) -> None:
    """DatabaseMovedError if there is another file in this place than the one that is served, or none."""
    if path in _served:
        check_same(path, _served[path])


def check_same(path: Path | None, opened: FileIdentity | None) -> None:
    """DatabaseMovedError if the file in this place isn't the one that was opened; None is a database in
    memory.
    """
    if path is not None and identity_of(path) != opened:
        raise DatabaseMovedError(f"The database {path} was moved, replaced or deleted while it was open.")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that knows which file it opened."""

    _path: Path | None = None
    _opened: FileIdentity | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file; DatabaseMovedError, and no new file, if it isn't the one that is served."""
        path = None if self.is_in_memory_db() else Path(conn_params["database"])
        if path is not None:
            check_served(path)
            check_not_lost(path)
        connection = super().get_new_connection(conn_params)
        self._path, self._opened = path, identity_of(path) if path else None
        return connection

    def _start_transaction_under_autocommit(self) -> None:
        check_same(self._path, self._opened)
        super()._start_transaction_under_autocommit()  # type: ignore[misc]  # which the stubs leave out

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # likewise
        check_same(self._path, self._opened)
