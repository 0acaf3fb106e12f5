"""SQLite's tables: migrated once before the run forks, then a copy for each worker."""

import os
import shutil
from pathlib import Path
from typing import Any

from django.db import connections

INIT = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"

GIVEN = "MIGRATED_DATABASE"
"""The variable by which a run within a run is given a migrated database: it applies what is missing."""

_made = Path(os.environ[GIVEN]) if GIVEN in os.environ else None


def make(folder: Path) -> None:
    """Migrate a database in this folder, for `have_own` to copy; nothing stays open."""
    global _made
    connection = connections["default"]
    name, settings = connection.settings_dict["NAME"], have_own(folder)
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    connection.close()
    _made = Path(settings["TEST"]["NAME"])
    settings["NAME"] = name


def is_there() -> bool:
    """Whether a migrated database was made."""
    return _made is not None


def have_own(folder: Path) -> dict[str, Any]:
    """Have tests use a file in this folder: a copy of the migrated database, if there is one. The settings
    of the connection.
    """
    settings: dict[str, Any] = connections["default"].settings_dict
    settings["TEST"]["NAME"] = str(folder / "test.sqlite3")
    settings["OPTIONS"]["init_command"] = INIT
    if _made is not None:
        shutil.copyfile(_made, folder / "test.sqlite3")
    return settings
