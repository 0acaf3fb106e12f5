"""Damage of a SQLite database: what is damaged, in words.

`PRAGMA quick_check` finds pages that were overwritten, cut off or lost. What was changed in a row without
harming a page is found by the hashes of the ledger (`config.backups.chains`).
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_CHECK_ALL = "PRAGMA quick_check(1)"

Execute = Callable[[str], Sequence[Any]]
"""Runs a statement and gives its rows; raises sqlite3.Error."""


def is_corruption(error: BaseException | None) -> bool:
    """Whether SQLite failed since the file is damaged, and not since it is locked, full or away."""
    # Django's errors have SQLite's as their cause.
    found = error if isinstance(error, sqlite3.Error) else getattr(error, "__cause__", None)
    return (getattr(found, "sqlite_errorcode", 0) & 0xFF) in CORRUPT


def find_damage(database: Path) -> str | None:
    """What is damaged in a database's file, or None; an empty file is an empty database.

    Takes some milliseconds for each megabyte, and keeps no writer waiting. Raises sqlite3.Error if the file
    can't be opened or is locked.
    """
    try:
        with closing(connect_to_read(database)) as connection:
            return find_damage_of(lambda query: connection.execute(query).fetchall()) and (
                _missing_end(database) or _damaged_tables(connection)
            )
    except sqlite3.Error as error:
        if not is_corruption(error):
            raise
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_NOTADB:
            return _missing_end(database) or "its first page is no longer that of a database"
        return _missing_end(database) or str(error)


def find_damage_of(execute: Execute) -> str | None:
    """The first thing that SQLite's quick check says against an open database, or None."""
    try:
        rows = execute(_CHECK_ALL)
    except sqlite3.Error as error:
        if not is_corruption(error):
            raise
        return str(error)
    # Without the heading of what SQLite says, "*** in database main ***".
    return None if rows[0][0] == "ok" else str(rows[0][0]).splitlines()[-1]


def connect_to_read(database: Path) -> sqlite3.Connection:
    """A connection that changes nothing in the file, also if it has a write-ahead log."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)


def _missing_end(database: Path) -> str | None:
    """That the file is shorter than its own first page says."""
    with database.open("rb") as file:
        header = file.read(100)
    pages, page = int.from_bytes(header[28:32]), int.from_bytes(header[16:18])
    # SQLite writes 1 for the size that two bytes can't hold.
    expected, found = pages * (65536 if page == 1 else page), database.stat().st_size
    if header.startswith(b"SQLite format 3\0") and found < expected:
        return f"its end is missing, {found:,} of {expected:,} bytes are there"
    return None


def _damaged_tables(connection: sqlite3.Connection) -> str:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    damaged = [name for (name,) in names if not _is_sound(connection, name)]
    if not damaged:
        return "its list of free pages is wrong"
    return f"{'the table' if len(damaged) == 1 else 'the tables'} {', '.join(damaged)}"


def _is_sound(connection: sqlite3.Connection, table: str) -> bool:
    try:
        rows = connection.execute(f'PRAGMA quick_check("{table}")').fetchall()
    except sqlite3.Error:
        return False
    return bool(rows == [("ok",)])
