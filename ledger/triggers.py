"""Triggers by which the database itself refuses to change facts, unconditionally.

The migration creates them and `post_migrate` puts them back, because SQLite loses a table's triggers whenever
a later migration remakes it. They are lifted in one place only: `ledger.deletion.delete_scope`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import AppConfig
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "ledger_fact"

# SQLite's REPLACE deletes rows without firing their delete trigger, so an insertion over a fact is refused
# too.
_SQLITE = {
    "ledger_fact_no_update": """
        CREATE TRIGGER ledger_fact_no_update BEFORE UPDATE ON ledger_fact
        BEGIN SELECT RAISE(ABORT, 'Facts are never changed.'); END""",
    "ledger_fact_no_delete": """
        CREATE TRIGGER ledger_fact_no_delete BEFORE DELETE ON ledger_fact
        BEGIN SELECT RAISE(ABORT, 'Facts are never deleted.'); END""",
    "ledger_fact_no_replace": """
        CREATE TRIGGER ledger_fact_no_replace BEFORE INSERT ON ledger_fact
        WHEN EXISTS (SELECT 1 FROM ledger_fact WHERE id = NEW.id)
            OR EXISTS (SELECT 1 FROM ledger_fact WHERE stream_id = NEW.stream_id AND sequence = NEW.sequence)
        BEGIN SELECT RAISE(ABORT, 'Facts are never replaced.'); END""",
    "ledger_fact_no_replace_by_client_id": """
        CREATE TRIGGER ledger_fact_no_replace_by_client_id BEFORE INSERT ON ledger_fact
        WHEN EXISTS (SELECT 1 FROM ledger_fact WHERE client_id = NEW.client_id)
        BEGIN SELECT RAISE(ABORT, 'Facts are never replaced: their client_id is here.'); END""",
}

_POSTGRESQL_NAME = "ledger_fact_append_only"
_POSTGRESQL_BODY = """
BEGIN
    RAISE EXCEPTION 'Facts are never changed nor deleted.' USING ERRCODE = 'restrict_violation';
END
"""
_POSTGRESQL = (
    f"""CREATE OR REPLACE FUNCTION {_POSTGRESQL_NAME}() RETURNS trigger
        LANGUAGE plpgsql AS $${_POSTGRESQL_BODY}$$""",
    f"""CREATE OR REPLACE TRIGGER {_POSTGRESQL_NAME} BEFORE UPDATE OR DELETE OR TRUNCATE ON {TABLE}
        FOR EACH STATEMENT EXECUTE FUNCTION {_POSTGRESQL_NAME}()""",
    # ALWAYS: also for a session that sets session_replication_role to replica.
    f"ALTER TABLE {TABLE} ENABLE ALWAYS TRIGGER {_POSTGRESQL_NAME}",
)
# pg_trigger.tgtype: before (2) each statement (not 1) of delete (8), update (16) and truncate (32).
_POSTGRESQL_TYPE = 2 | 8 | 16 | 32


def triggers_in_place(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether the database behind `connection` refuses to change facts: each trigger there, enabled, as
    written.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                """SELECT t.tgenabled::text, t.tgtype::int, t.tgqual IS NULL, t.tgattr::text, p.prosrc
                   FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                   WHERE t.tgrelid = to_regclass(%s) AND t.tgname = %s AND NOT t.tgisinternal""",
                [TABLE, _POSTGRESQL_NAME],
            )
            return list(cursor.fetchall()) == [("A", _POSTGRESQL_TYPE, True, "", _POSTGRESQL_BODY)]
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE]
        )
        found = {name: _words(sql) for name, sql in cursor.fetchall()}
        return all(found.get(name) == _words(sql) for name, sql in _SQLITE.items())


def install_triggers(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers, or create them anew where they are there in another form or disabled."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for statement in _POSTGRESQL:
                cursor.execute(statement)
        else:
            for name, statement in _SQLITE.items():
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                cursor.execute(statement)


def remove_triggers(connection: BaseDatabaseWrapper) -> None:
    """Remove the triggers; for undoing the migration, and for `lifted_triggers`."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER IF EXISTS {_POSTGRESQL_NAME} ON {TABLE}")
        else:
            for name in _SQLITE:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


@contextmanager
def lifted_triggers(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Lift the triggers within a transaction, and put them back before it ends.

    Nobody else sees or uses the gap: other writers of facts wait for the transaction. On SQLite they wait for
    its write lock, on PostgreSQL for the lock that disabling a trigger takes on the table. If the transaction
    fails, nothing has changed.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("Triggers are lifted within a transaction only.")
    if connection.vendor == "postgresql":
        # A table with foreign keys still to be checked can't be altered.
        connection.check_constraints()
        # Disabled and not removed: that keeps writers waiting, but no reader.
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {TABLE} DISABLE TRIGGER {_POSTGRESQL_NAME}")
    else:
        remove_triggers(connection)
    # No `finally`: after an error the transaction is rolled back, and the lifting with it.
    yield
    if connection.vendor == "postgresql":
        connection.check_constraints()
    install_triggers(connection)


def put_back(sender: AppConfig, using: str, **_: Any) -> None:
    """Handle `post_migrate`: install the triggers where the table is there without them."""
    connection = connections[using]
    if not router.allow_migrate(using, sender.label, model_name="fact"):
        return
    if TABLE in connection.introspection.table_names() and not triggers_in_place(connection):
        install_triggers(connection)


def _words(sql: str) -> str:
    return re.sub(r"\s+", " ", sql).strip()
