"""SQLite: the database as one file, copied from one snapshot while it is in use.

SQLite's online backup reads one snapshot; with the write-ahead log, readers keep no writer waiting.
"""

import hashlib
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from config.backup_folder import DAMAGED, SCRATCH, backups_in, next_backup, parse_name
from config.backups.chains import ChainMemory
from config.backups.container import (
    BLOCK,
    BackupError,
    DamagedDatabaseError,
    Manifest,
    blocks_of,
    describe_ledger,
    opened,
    written,
)
from config.backups.database_damage import connect_to_read, find_damage_of, is_corruption

NAME = "database.sqlite3"


def back_up(
    database: Path, folder: Path, now: datetime | None = None, *, chains: ChainMemory | None = None
) -> Path:
    """Copy a database that may be in use into `folder`, and check the copy; returns the backup's path.

    It is that of the newest backup if nothing has changed since; its file is then as new as this look.
    `chains` remembers which hash chains held when it was called before; without it all are checked. Raises
    DamagedDatabaseError if it is damaged: its copy is set aside then, and doesn't count. Raises OSError or
    sqlite3.Error if the folder can't be written or the database can't be read.
    """
    now = now or datetime.now(UTC)
    with next_backup(folder, now) as target, TemporaryDirectory(prefix=SCRATCH, dir=folder) as scratch:
        copied = Path(scratch) / NAME
        try:
            with closing(connect_to_read(database)) as source, closing(sqlite3.connect(copied)) as copy:
                source.backup(copy)
                # One file, without a log beside it.
                copy.execute("PRAGMA journal_mode=DELETE")
                fault = find_fault(copy, chains or ChainMemory())
                manifest = described(copy, now) if fault is None else Manifest("sqlite", now.isoformat())
        except sqlite3.DatabaseError as error:
            if is_corruption(error):
                raise DamagedDatabaseError(f"The database {database} is damaged: {error}.") from error
            raise
        if fault is None and not manifest.tables:
            raise BackupError(f"The database {database} has no tables: there is nothing to back up yet.")
        if fault is not None:
            for earlier in folder.glob(f"*{DAMAGED}"):
                if parse_name(earlier, DAMAGED):
                    earlier.unlink(missing_ok=True)
            target = target.with_suffix(DAMAGED)
        elif same := newest_if_same(folder, copied):
            same.touch()
            return same
        with written(target, manifest) as writing, copied.open("rb") as file:
            writing.add(NAME, iter(lambda: file.read(BLOCK), b""))
    if fault is not None:
        raise DamagedDatabaseError(
            f"The database {database} is damaged: {fault}. Its copy {target.name} doesn't count as a backup."
        )
    return target


def find_fault(copy: sqlite3.Connection, chains: ChainMemory) -> str | None:
    """What is wrong with a copy: its pages, or the hash chains of the ledger in it; None for a sound one."""
    return find_damage_of(lambda query: copy.execute(query).fetchall()) or chains.find_fault(copy)


def newest_if_same(folder: Path, copied: Path) -> Path | None:
    """The newest backup in a folder, if it is whole and holds the same bytes as a file."""
    for newest in backups_in(folder)[-1:]:
        with suppress(BackupError), opened(newest) as (_, manifest), copied.open("rb") as file:
            if manifest.files.get(NAME, {}).get("sha256") == hashlib.file_digest(file, "sha256").hexdigest():
                return newest
    return None


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
            try:
                if fault := find_fault(copy, ChainMemory()):
                    raise BackupError(f"The database in this backup is damaged ({fault}).")
                found = described(copy, datetime.now(UTC))
            except sqlite3.DatabaseError as error:
                raise BackupError(f"The database in this backup is damaged ({error}).") from error
        if (found.tables, found.heads) != (manifest.tables, manifest.heads):
            raise BackupError("The database in this backup isn't what its manifest says.")
        yield path


def set_aside(database: Path) -> Path | None:
    """Give a damaged database another name, with its logs; returns the first of these files, None if there is
    none.

    A log that stayed would be taken for that of the next database of this name.
    """
    number = 1
    while any(database.parent.glob(f"{database.name}.damaged-{number}*")):
        number += 1
    kept = [
        file.rename(database.with_name(f"{database.name}.damaged-{number}{ending}"))
        for ending in ("", "-wal", "-shm", "-journal")
        if (file := database.with_name(database.name + ending)).exists()
    ]
    return kept[0] if kept else None


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
