"""Check of a backup: it is whole, and the database in it is sound, so that it could be put back."""

import sqlite3
from pathlib import Path

from config.backup_folder import backups_in
from config.backups import sqlite as files
from config.backups.container import BackupError, opened


class BackupCheck:
    """Checks backups, and remembers by their content which databases were sound.

    A backup is read every time, since a stick may lose what it held. SQLite's pages and the hash chains in it
    are looked at once.
    """

    def __init__(self, scratch: Path) -> None:
        """`scratch` is the folder for what is unpacked."""
        self._scratch = scratch
        self._sound: set[str] = set()

    def is_good(self, path: Path) -> bool:
        """Whether a backup is whole and sound."""
        try:
            with opened(path) as (archive, manifest):
                if manifest.database == "sqlite":
                    digest = manifest.files[files.NAME]["sha256"]
                    if digest not in self._sound:
                        with files.unpacked(archive, self._scratch, manifest):
                            self._sound.add(digest)
        except (BackupError, KeyError, OSError, sqlite3.Error):
            return False
        return True

    def newest_good(self, folder: Path) -> Path | None:
        """The newest backup in a folder that could be put back, or None."""
        return next((path for path in reversed(backups_in(folder)) if self.is_good(path)), None)
