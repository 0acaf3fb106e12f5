"""Emptying all tables after tests with real transactions, and altering facts, which the triggers refuse."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

from ledger.triggers import TABLE, install_triggers, lifted_triggers, remove_triggers, triggers_in_place

MIGRATED = frozenset(("django_content_type", "auth_permission", "ledger_compatibility"))
"""Tables that migrating fills, and no test changes."""


@contextmanager
def flushable_facts() -> Iterator[None]:
    """Have tests with `transaction=True` empty the tables by `empty_tables` when they end."""

    def empty(test: TransactionTestCase) -> None:
        empty_tables()

    with mock.patch.object(TransactionTestCase, "_fixture_teardown", empty):
        yield


def empty_tables() -> None:
    """Delete all rows, facts too, and leave the triggers in place.

    Django's `flush` truncates each table and makes content types and permissions anew, which takes ten times
    as long as deleting the few rows that a test leaves.
    """
    with transaction.atomic():
        if not triggers_in_place(connection):
            install_triggers(connection)
        tables = set(
            connection.introspection.django_table_names(only_existing=True, include_views=False)
        ).difference(MIGRATED)
        if TABLE not in tables:
            _delete(connection, tables)
            return
        with lifted_triggers(connection):
            _delete(connection, tables)


def _delete(connection: BaseDatabaseWrapper, tables: set[str]) -> None:
    statements = [f"DELETE FROM {connection.ops.quote_name(each)}" for each in sorted(tables)]  # no input
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Everything goes: nobody has to look for what refers to a row.
            cursor.execute(f"SET LOCAL session_replication_role = replica; {'; '.join(statements)}")
        else:
            for statement in statements:
                cursor.execute(statement)


@contextmanager
def without_triggers() -> Iterator[None]:
    """Leave facts unguarded for a while: to alter them as somebody could who owns the database."""
    remove_triggers(connection)
    try:
        yield
    finally:
        with transaction.atomic():
            install_triggers(connection)
