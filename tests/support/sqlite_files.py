"""SQLite files of a test's own: change them, and damage them as failing disks do."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

PAGE = 4096
"""Bytes of a page, unless somebody chooses otherwise."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that commits each statement, unless a transaction is begun, and waits for no disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def make_database(path: Path, rows: int = 50) -> None:
    """Make a database with a table `fact` of so many long rows, about a page for each four."""
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE fact (number INTEGER PRIMARY KEY, text TEXT)")
        connection.executemany("INSERT INTO fact (text) VALUES (?)", [("x" * 1000,) for _ in range(rows)])


def with_another_row(database: Path) -> Path:
    """A database after a row was added to its table `fact`."""
    with closing(connect(database)) as connection:
        connection.execute("INSERT INTO fact (number) SELECT max(number) + 1 FROM fact")
    return database


def overwrite_page(path: Path, page: int) -> None:
    """Write other bytes over a page; the first one is 1."""
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(os.urandom(PAGE))


def cut(path: Path, share: float) -> None:
    """Leave so much of a file, from its beginning."""
    os.truncate(path, int(path.stat().st_size * share))


def all_of_them(now: datetime, paths: Sequence[Path], is_good: Callable[[Path], bool]) -> list[Path]:
    """Every superfluous backup may be removed."""
    return list(paths)
