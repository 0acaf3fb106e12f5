"""Copies of the SQLite database while it is in use, every two minutes, in a second place.

SQLite's online backup reads one snapshot; with the write-ahead log, readers keep no writer waiting. A copy
is written under another name and moved into place when it is whole, so that whatever has a backup's name is
one.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

INTERVAL = 120.0
"""Seconds between two looks at whether there is something to back up."""

PREFIX, SUFFIX, STAMP = "tendone-", ".sqlite3", "%Y%m%dT%H%M%SZ"

KEEP_ALL = timedelta(hours=1)
KEEP_HOURLY = timedelta(days=1)
KEEP_DAILY = timedelta(days=30)

logger = logging.getLogger(__name__)


def back_up(database: Path, folder: Path, now: datetime | None = None) -> Path:
    """Copy a database that may be in use into `folder`; returns the copy's path.

    Raises OSError or sqlite3.Error if the folder can't be written or the database can't be read.
    """
    # Names of children are in there, as in the database itself.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / f"{PREFIX}{(now or datetime.now(UTC)).strftime(STAMP)}{SUFFIX}"
    unfinished = target.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(unfinished)) as copy,
    ):
        source.backup(copy)
        # One file that can be carried on a stick, without a log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    unfinished.replace(target)
    return target


def superfluous(backups: Iterable[Path], now: datetime) -> list[Path]:
    """Which backups to remove.

    Kept are all of the last hour, the last one of each hour of the last day, and the last one of each day of
    the last thirty; the newest of all is kept however old it is.
    """
    kept: set[tuple[str, str]] = set()
    removed = []
    for number, path in enumerate(sorted(backups, reverse=True)):
        made = datetime.strptime(path.name, f"{PREFIX}{STAMP}{SUFFIX}").replace(tzinfo=UTC)
        age = now - made
        if number == 0 or age <= KEEP_ALL:
            continue
        period = made.strftime("%Y%m%d%H") if age <= KEEP_HOURLY else made.strftime("%Y%m%d")
        slot = ("hour" if age <= KEEP_HOURLY else "day", period)
        if age > KEEP_DAILY or slot in kept:
            removed.append(path)
        kept.add(slot)
    return removed


def backups_in(folder: Path) -> list[Path]:
    """All backups in a folder, whole ones only; other files there are none of our business."""
    found = []
    for path in folder.glob(f"{PREFIX}*{SUFFIX}"):
        try:
            datetime.strptime(path.name, f"{PREFIX}{STAMP}{SUFFIX}").replace(tzinfo=UTC)
        except ValueError:
            continue
        found.append(path)
    return sorted(found)


class BackupThread(threading.Thread):
    """Backs the database up whenever it has changed since the last time, and once more when it stops."""

    def __init__(self, database: Path, folder: Path, interval: float = INTERVAL) -> None:
        super().__init__(name="backup", daemon=True)
        self._database = database
        self._folder = folder
        self._interval = interval
        self._stopping = threading.Event()
        self._backed_up: int | None = None

    def run(self) -> None:
        """Work until `stop`."""
        with closing(sqlite3.connect(self._database)) as watcher:
            while True:
                self._back_up_if_changed(watcher)
                if self._stopping.is_set():
                    return
                self._stopping.wait(self._interval)

    def stop(self) -> None:
        """Back up what has changed, end the thread and wait for it."""
        self._stopping.set()
        if self.is_alive():
            self.join()

    def _back_up_if_changed(self, watcher: sqlite3.Connection) -> None:
        """A missing stick or a full disk is said in the log, and the next round tries again."""
        try:
            [version] = watcher.execute("PRAGMA data_version").fetchone()
            if version == self._backed_up:
                return
            back_up(self._database, self._folder)
            for path in superfluous(backups_in(self._folder), datetime.now(UTC)):
                path.unlink(missing_ok=True)
            self._backed_up = version
        except (OSError, sqlite3.Error):
            logger.exception("No backup was made in %s.", self._folder)
