"""Whether a failure means that the database is away for a moment: the same request works a little later."""

import sqlite3

from django.db import InterfaceError, OperationalError

RETRY_AFTER = 5
"""Seconds after which somebody who was told so may ask again."""
_CLASSES = ("08", "40", "53", "57P")
"""PostgreSQL's classes of states: no connection, locks lost to another, no resources, going or coming."""
_NO_LOCK = "55P03"
_SQLITE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_away(error: BaseException | None) -> bool:
    """True for a failed connection and for what ends by itself; False for a statement that is wrong."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE
    state = getattr(cause, "sqlstate", None)
    # A connection that couldn't be made, or broke, has no state.
    return state is None or state.startswith(_CLASSES) or state == _NO_LOCK
