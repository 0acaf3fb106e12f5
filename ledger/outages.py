"""Outages: why nothing can be stored just now, and that the same request works later."""

import logging
import sqlite3
from enum import StrEnum
from errno import EDQUOT, ENOSPC

from django.db import InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

RETRY_AFTER = 5
"""Seconds after which a client may try again."""
_CLASSES = ("08", "40", "53", "57P")
"""PostgreSQL's classes of states: no connection, rolled back for others, no resources, shut down."""
_NO_LOCK = "55P03"
_DISK_FULL = "53100"
_SQLITE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Outage(StrEnum):
    """Why nothing can be stored just now. Programs rely on these words: they don't change."""

    AWAY = "unavailable"
    DISK_FULL = "disk-full"
    DATABASE_MOVED = "database-moved"


def log_outage(outage: Outage, error: BaseException | None) -> None:
    """One line for the operator: what it is, and which database it is about."""
    sentence = {
        Outage.AWAY: "The database %s is away: %s",
        Outage.DISK_FULL: "The disk of the database %s is full: %s",
        Outage.DATABASE_MOVED: "The database %s isn't where it was opened: %s",
    }[outage]
    logger.error(sentence, connection.settings_dict["NAME"], error)


class DatabaseMovedError(OperationalError):
    """The file of the database isn't where it was opened."""


def outage_of(error: BaseException | None) -> Outage | None:
    """The outage that an error comes from; None for a statement or a program that is wrong."""
    if isinstance(error, DatabaseMovedError):
        return Outage.DATABASE_MOVED
    if isinstance(error, OSError) and error.errno in (ENOSPC, EDQUOT):
        return Outage.DISK_FULL
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0)
        if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return Outage.DATABASE_MOVED
        code &= 0xFF
        if code == sqlite3.SQLITE_FULL:
            return Outage.DISK_FULL
        return Outage.AWAY if code in _SQLITE else None
    state = getattr(cause, "sqlstate", None)
    if state == _DISK_FULL:
        return Outage.DISK_FULL
    # A connection that couldn't be made, or broke, has no state.
    is_away = state is None or state.startswith(_CLASSES) or state == _NO_LOCK
    return Outage.AWAY if is_away else None
