"""A service's data in another folder."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.db import connection

from config.backups import restoring


@contextmanager
def elsewhere(tmp_path: Path) -> Iterator[None]:
    """Have the service's connection lead to an empty database of its own."""
    with ExitStack() as undo:
        name = str(tmp_path / "elsewhere.sqlite3")
        if connection.vendor == "postgresql":
            name = "elsewhere"
            with connection.cursor() as cursor:
                cursor.execute('DROP DATABASE IF EXISTS "elsewhere"')
                cursor.execute('CREATE DATABASE "elsewhere"')
        undo.enter_context(restoring.pointing_at(Path(name)))
        yield
