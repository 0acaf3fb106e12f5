"""The connection: before and after each transaction it looks whether the file is still where it was opened.

On systems other than Windows an open file can be moved and deleted. SQLite would go on writing to it, and
what was acknowledged would be in a file that nobody opens again. Here the commit raises DatabaseMovedError:
whoever sent something is told to keep it and to send it again.
"""

from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

from config.sqlite.files import FileIdentity, check_not_lost, check_same, check_served, identity_of


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
        self._check_file()
        super()._start_transaction_under_autocommit()  # type: ignore[misc]  # which the stubs leave out

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # likewise
        self._check_file()

    def _check_file(self) -> None:
        if self._path is not None:
            check_same(self._path, self._opened)
