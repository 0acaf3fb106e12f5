"""A service's data in another folder."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from django.db import connection

from config.backups import postgresql, restoring
from config.backups.container import Manifest

Statement = tuple[Any, Any, bool]

_made: dict[str, list[Statement]] = {}
"""What migrations had PostgreSQL do to make the tables of a backup, by the migrations."""


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
            undo.enter_context(migrations_worked_out_once())
        undo.enter_context(restoring.pointing_at(Path(name)))
        yield


@contextmanager
def migrations_worked_out_once() -> Iterator[None]:
    """Have a restore that a process has seen make its tables by the statements that made them then.

    Django thinks for three seconds about what PostgreSQL does in a quarter of one.
    """
    migrate_to = postgresql.migrate_to

    def make_tables(manifest: Manifest) -> None:
        name = json.dumps(manifest.migrations, sort_keys=True)
        if name in _made:
            _execute_again(_made[name])
            return
        statements: list[Statement] = []

        def note(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
            if not str(sql).lstrip().upper().startswith("SELECT"):
                statements.append((sql, params, many))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            migrate_to(manifest)
        _made[name] = statements

    with mock.patch.object(postgresql, "migrate_to", make_tables):
        yield


def _execute_again(statements: list[Statement]) -> None:
    with connection.cursor() as cursor:
        for sql, params, many in statements:
            (cursor.executemany if many else cursor.execute)(sql, params)
