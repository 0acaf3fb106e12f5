"""Backups of the embedded mode: every two minutes while the database changes, and one when it stops."""

import logging
import sqlite3
import threading
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from config.backup_folder import Removable, rotate
from config.backups import database_repair
from config.backups.chains import ChainMemory
from config.backups.container import BackupError, DamagedDatabaseError
from config.backups.goodness import BackupCheck
from config.backups.sqlite import back_up
from config.watched_sqlite.base import check_served
from ledger.outages import DatabaseMovedError, Outage, outage_of

INTERVAL = 120.0
"""Seconds between two looks at whether there is something to back up."""

logger = logging.getLogger(__name__)


class Backups:
    """Backups of one database in one folder: made, checked, and the superfluous ones removed."""

    def __init__(self, database: Path, folder: Path, removable: Removable) -> None:
        """`removable` says which backups may be removed because of a reading of the clock."""
        self.database = database
        self._folder = folder
        self._removable = removable
        self._chains = ChainMemory()
        self._check = BackupCheck(database.parent)

    def make(self) -> Path | None:
        """The backup that holds the database as it is now, a new one if it has changed.

        None if none could be made; a missing stick, a full disk or a damaged database is logged.
        """
        now = datetime.now(UTC)
        try:
            check_served(self.database)
            made = back_up(self.database, self._folder, now, chains=self._chains)
        except DamagedDatabaseError as error:
            logger.error(
                "No backup was made in %s. %s %s", self._folder, error, database_repair.instructions()
            )
            return None
        except (BackupError, DatabaseMovedError) as error:
            logger.error("No backup was made in %s. %s", self._folder, error)
            return None
        except Exception as error:
            # Whatever it is, the next turn tries again.
            if is_disk_full(error):
                logger.error(
                    "No backup was made in %s: the disk is full. What was entered since the last one is in "
                    "%s alone. Make room; the next backup is made by itself, or at the next start and stop.",
                    self._folder,
                    self.database,
                )
            else:
                logger.exception("No backup was made in %s.", self._folder)
            return None
        try:
            rotate(self._folder, now, self._check.is_good, self._removable)
        except Exception:
            logger.exception("Older backups in %s could not be removed.", self._folder)
        return made


class BackupThread(threading.Thread):
    """Backs the database up whenever it has changed since the last time."""

    def __init__(self, backups: Backups, interval: float = INTERVAL) -> None:
        super().__init__(name="backup", daemon=True)
        self._backups = backups
        self._interval = interval
        self._stopping = threading.Event()
        self._backed_up: int | None = None

    def run(self) -> None:
        """Work until `stop`; whatever fails is logged, and tried again at the next turn."""
        with ExitStack() as stack:
            watcher = None
            while not self._stopping.is_set():
                try:
                    watcher = watcher or stack.enter_context(closing(sqlite3.connect(self._backups.database)))
                    self._back_up_if_changed(watcher)
                except Exception:
                    logger.exception("Backups: a turn failed.")
                self._stopping.wait(self._interval)

    def stop(self, patience: float | None = None) -> None:
        """Ask the thread to end after the backup it is at, and wait for it so many seconds."""
        self._stopping.set()
        if self.is_alive():
            self.join(patience)

    def _back_up_if_changed(self, watcher: sqlite3.Connection) -> None:
        try:
            # Asked before: what is written while a backup is being made belongs to the next one.
            [version] = watcher.execute("PRAGMA data_version").fetchone()
        except sqlite3.Error:
            version = None
        if (version is None or version != self._backed_up) and self._backups.make():
            self._backed_up = version


def is_disk_full(error: Exception) -> bool:
    """Whether a backup failed for want of room."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code == sqlite3.SQLITE_FULL or outage_of(error) == Outage.DISK_FULL


def merge_log(database: Path) -> None:
    """Write what is in the write-ahead log into the database's file, so that it is one file again.

    A worker that was killed leaves the log behind.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
