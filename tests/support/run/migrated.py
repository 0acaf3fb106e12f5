"""SQLite's tables in a file of the process's own, as in use: each thread has a connection of its own."""

import os
import shutil
from pathlib import Path
from typing import Any

from django.db import connections

INIT = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"

GIVEN = "MIGRATED_DATABASE"
"""The variable by which a run within a run is given a migrated database: it applies what is missing."""


def is_given() -> bool:
    """Whether there is a migrated database to begin with."""
    return GIVEN in os.environ


def have_own(folder: Path) -> None:
    """Have tests use a file in this folder: a copy of the migrated database, if one is given."""
    settings: dict[str, Any] = connections["default"].settings_dict
    settings["TEST"]["NAME"] = str(folder / "test.sqlite3")
    settings["OPTIONS"]["init_command"] = INIT
    if is_given():
        shutil.copyfile(os.environ[GIVEN], folder / "test.sqlite3")
