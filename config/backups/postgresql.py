"""PostgreSQL: every table by COPY from one snapshot, without any tool but the service itself.

The schema isn't in the backup: its migrations are, and they are applied again.
"""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import psycopg
from django.apps import apps
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql

from config.backup_folder import next_backup
from config.backups.container import (
    BackupError,
    Manifest,
    blocks_of,
    describe_ledger,
    written,
)

# Applied again rather than copied.
NOT_COPIED = {"django_migrations"}
# Tables that no model has any more, and that a later release removes: code of before still uses them.
OF_BEFORE = {"people_pinattempt", "people_sliptry"}
RESTORING = 7_365_001
"""The advisory lock that a restore holds alone, and backups together."""


def back_up(folder: Path, now: datetime | None = None) -> Path:
    """Copy the database into `folder` while it is in use, keeping nobody waiting; returns the backup's path.

    Raises OSError or psycopg.Error, and BackupError while another one is being put back. Its tables are new
    then, and the moment that is copied knows no row of them.
    """
    now = now or datetime.now(UTC)
    manifest = Manifest("postgresql", now.isoformat())
    with next_backup(folder, now) as target, snapshot() as cursor, written(target, manifest) as writing:
        for table in tables():
            columns = columns_of(cursor, table)
            manifest.columns[table] = columns
            query = sql.SQL("COPY (SELECT {} FROM {} ORDER BY {}) TO STDOUT").format(
                sql.SQL(", ").join(map(sql.Identifier, columns)),
                sql.Identifier(table),
                sql.Identifier(keys().get(table, columns[0])),
            )
            with cursor.copy(query) as copy:
                writing.add(file_of(table), copy)
            manifest.tables[table] = cursor.rowcount
        if not manifest.tables:
            raise BackupError("The database has no tables: there is nothing to back up yet.")
        describe_ledger(lambda query: cursor.execute(query).fetchall(), manifest)
    return target


@contextmanager
def snapshot() -> Iterator[psycopg.Cursor[Any]]:
    """A cursor of a connection of its own, which sees one moment and changes nothing."""
    raw = cast("psycopg.Connection[Any]", connection.get_new_connection(connection.get_connection_params()))
    with raw:
        raw.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        raw.read_only = True
        with psycopg.Cursor(raw) as cursor:
            # The lock is taken before the snapshot, and released with the connection.
            raw.autocommit = True
            found = cursor.execute("SELECT pg_try_advisory_lock_shared(%s)", [RESTORING]).fetchone()
            if found != (True,):
                raise BackupError("A backup is being put back: no other one is made meanwhile.")
            raw.autocommit = False
            yield cursor


def tables() -> list[str]:
    """The service's tables, in one order."""
    return sorted(set(connection.introspection.django_table_names(only_existing=True)) - NOT_COPIED)


def keys() -> dict[str, str]:
    """The column of each table's primary key, by which rows are written in one order."""
    return {
        model._meta.db_table: str(model._meta.pk.column)
        for model in apps.get_models(include_auto_created=True)
        if model._meta.pk
    }


def columns_of(cursor: psycopg.Cursor[Any], table: str) -> list[str]:
    """The columns of a table that are stored and not generated."""
    found = cursor.execute(
        """SELECT column_name FROM information_schema.columns
           WHERE table_schema = current_schema() AND table_name = %s AND is_generated = 'NEVER'
           ORDER BY ordinal_position""",
        [table],
    )
    return [name for (name,) in found.fetchall()]


def file_of(table: str) -> str:
    """Where a table's rows are."""
    return f"tables/{table}.copy"


def put_back(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Make the database what the backup holds, with the tables as they were then.

    Runs in the caller's transaction. Raises BackupError if it isn't the same afterwards.
    """
    drop_tables(manifest)
    migrate_to(manifest)
    with connection.cursor() as cursor:
        # Migrations have some checked at once; here rows come before those that they refer to.
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        for table in manifest.tables:
            load(cursor, archive, manifest, table)
    # Later migrations add rows: of content types, for one.
    reset_sequences()
    connection.check_constraints()
    found = Manifest("postgresql", "")
    with connection.cursor() as cursor:

        def rows(query: str) -> list[Any]:
            cursor.execute(query)
            return list(cursor.fetchall())

        describe_ledger(rows, found)
    if (found.heads, found.receipts) != (manifest.heads, manifest.receipts):
        raise BackupError("What was put back isn't what the manifest says; nothing was changed.")


def drop_tables(manifest: Manifest) -> None:
    """Remove the service's tables, those of another version too."""
    ours = connection.introspection.django_table_names(only_existing=True)
    names = {*ours, *manifest.tables, *NOT_COPIED, *OF_BEFORE}
    with connection.cursor() as cursor:
        # Whoever still has one open is named instead of waited for.
        cursor.execute("SET LOCAL lock_timeout = '5s'")
        query = sql.SQL("DROP TABLE IF EXISTS {} CASCADE")
        cursor.execute(query.format(sql.SQL(", ").join(map(sql.Identifier, sorted(names)))))


def migrate_to(manifest: Manifest) -> None:
    """Make the tables as they were when the backup was made."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    applied = {(app, name) for app, names in manifest.migrations.items() for name in names}
    # The last ones of each app bring those before them along.
    executor.migrate(
        [
            node
            for node in sorted(applied & graph.nodes.keys())
            if not any(child in applied and child[0] == node[0] for child in graph.node_map[node].children)
        ]
    )


def load(cursor: Any, archive: zipfile.ZipFile, manifest: Manifest, table: str) -> None:
    """Put a table's rows in place of what its migrations put there."""
    columns = manifest.columns[table]
    name = sql.Identifier(table)
    cursor.execute(sql.SQL("SELECT EXISTS (SELECT FROM {})").format(name))
    if cursor.fetchone()[0]:
        cursor.execute(sql.SQL("DELETE FROM {}").format(name))
    query = sql.SQL("COPY {} ({}) FROM STDIN").format(name, sql.SQL(", ").join(map(sql.Identifier, columns)))
    with cursor.copy(query) as copy:
        for block in blocks_of(archive, file_of(table)):
            copy.write(block)
    if cursor.rowcount != manifest.tables[table]:
        raise BackupError(f"The table {table} got {cursor.rowcount} rows, not {manifest.tables[table]}.")


def reset_sequences() -> None:
    """Have new rows numbered after those that were put back, in the tables that are there."""
    there = set(connection.introspection.table_names())
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.db_table in there]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


@contextmanager
def alone() -> Iterator[None]:
    """Have no backup be made meanwhile. Raises BackupError if one is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [RESTORING])
        if not cursor.fetchone()[0]:
            raise BackupError("A backup of this database is being made: try again once it is done.")
    try:
        yield
    finally:
        # It goes with a connection that was lost.
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [RESTORING])


def all_or_nothing() -> Any:
    """One transaction around all of it, unless a migration can't be in one."""
    nodes = MigrationExecutor(connection).loader.graph.nodes.values()
    return transaction.atomic() if all(node.atomic for node in nodes) else nullcontext()
