"""SQLite: the database as one file, copied from one snapshot while it is in use.

SQLite's online backup reads one snapshot; with the write-ahead log, readers keep no writer waiting.
"""

import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from config.backups.container import (
    BLOCK,
    BackupError,
    Manifest,
    blocks_of,
    describe_ledger,
    written,
)
from config.backups.folder import SCRATCH, next_backup

NAME = "database.sqlite3"


def back_up(database: Path, folder: Path, now: datetime | None = None) -> Path:
    """Copy a database that may be in use into `folder`; returns the backup's path.

    Raises OSError or sqlite3.Error if the folder can't be written or the database can't be read.
    """
    now = now or datetime.now(UTC)
    with next_backup(folder, now) as target, TemporaryDirectory(prefix=SCRATCH, dir=folder) as scratch:
        copied = Path(scratch) / NAME
        with (
            closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copied)) as copy,
        ):
            source.backup(copy)
            # One file, without a log beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
            manifest = described(copy, now)
        with written(target, manifest) as writing, copied.open("rb") as file:
            writing.add(NAME, iter(lambda: file.read(BLOCK), b""))
    return target


def described(copy: sqlite3.Connection, now: datetime) -> Manifest:
    """What is in a database."""
    manifest = Manifest("sqlite", now.isoformat())
    names = [
        name
        for (name,) in copy.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
    ]
    for name in names:
        [manifest.tables[name]] = copy.execute(f'SELECT count(*) FROM "{name}"').fetchone()  # noqa: S608  # of the database itself
    if "ledger_stream" in names:
        describe_ledger(copy.execute, manifest)
    return manifest


@contextmanager
def unpacked(archive: zipfile.ZipFile, beside: Path, manifest: Manifest) -> Iterator[Path]:
    """The database of a backup as a file, for its owner alone, once it is found to be whole."""
    beside.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="restoring-", dir=beside) as scratch:
        path = Path(scratch) / NAME
        path.touch(mode=0o600)
        with path.open("wb") as file:
            file.writelines(blocks_of(archive, NAME))
        with closing(sqlite3.connect(path)) as copy:
            if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise BackupError("The database in this backup is damaged.")
            found = described(copy, datetime.now(UTC))
        if (found.tables, found.heads) != (manifest.tables, manifest.heads):
            raise BackupError("The database in this backup isn't what its manifest says.")
        yield path


def put_in_place(restored: Path, target: Path, patience: float = 5.0) -> None:
    """Make `target` what `restored` is, in one transaction; raises BackupError if somebody else writes there
    for longer than `patience`, in seconds.
    """
    target.touch(mode=0o600)
    end = monotonic() + patience

    def give_up(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and monotonic() > end:
            raise BackupError(f"{target} is in use: stop the service first.")

    with (
        closing(sqlite3.connect(restored)) as source,
        closing(sqlite3.connect(target, timeout=0)) as database,
    ):
        source.backup(database, progress=give_up)
