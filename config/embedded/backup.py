"""A backup of the database every two minutes while it is in use, in a second place."""

import logging
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from config.backups.chains import ChainMemory
from config.backups.container import BackupError
from config.backups.folder import rotate
from config.backups.goodness import BackupCheck
from config.backups.sqlite import back_up

INTERVAL = 120.0
"""Seconds between two looks at whether there is something to back up."""

logger = logging.getLogger(__name__)


class BackupThread(threading.Thread):
    """Backs the database up whenever it has changed since the last time, and once more when it stops."""

    def __init__(self, database: Path, folder: Path, interval: float = INTERVAL) -> None:
        super().__init__(name="backup", daemon=True)
        self._chains = ChainMemory()
        self._check = BackupCheck(database.parent)
        self._database = database
        self._folder = folder
        self._interval = interval
        self._stopping = threading.Event()
        self._backed_up: int | None = None

    def run(self) -> None:
        """Work until `stop`."""
        with closing(sqlite3.connect(self._database)) as watcher:
            while True:
                # Asked before: what is written while a backup is being made belongs to the next one.
                is_last = self._stopping.is_set()
                self._back_up_if_changed(watcher)
                if is_last:
                    return
                self._stopping.wait(self._interval)

    def stop(self) -> None:
        """Back up what has changed, end the thread and wait for it."""
        self._stopping.set()
        if self.is_alive():
            self.join()

    def _back_up_if_changed(self, watcher: sqlite3.Connection) -> None:
        """Log a missing stick, a full disk or a damaged database, and leave it to the next round."""
        now = datetime.now(UTC)
        try:
            [version] = watcher.execute("PRAGMA data_version").fetchone()
            if version == self._backed_up:
                return
            back_up(self._database, self._folder, now, chains=self._chains)
            self._backed_up = version
        except BackupError as error:
            logger.error("No backup was made in %s. %s", self._folder, error)
            return
        except (OSError, sqlite3.Error):
            logger.exception("No backup was made in %s.", self._folder)
            return
        try:
            rotate(self._folder, now, self._check.is_good)
        except OSError:
            logger.exception("Older backups in %s could not be removed.", self._folder)
