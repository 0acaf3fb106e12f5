"""System checks: facts are guarded, and writers on SQLite queue."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from ledger.triggers import TABLE, triggers_in_place


@register(Tags.database)
def facts_are_guarded(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Warn where the table of facts has lost its triggers.

    A warning, because `migrate` runs this check before it puts them back; readiness refuses instead.
    """
    return [
        Warning(
            f"The database {alias!r} would let facts be changed: its triggers are missing or altered.",
            hint="Run `manage.py migrate`, which puts them back, then `manage.py verify`.",
            id="ledger.W001",
        )
        for alias in databases or []
        if TABLE in connections[alias].introspection.table_names()
        and not triggers_in_place(connections[alias])
    ]


@register()
def sqlite_writers_queue(**_: Any) -> list[CheckMessage]:
    """Refuse SQLite without BEGIN IMMEDIATE: it has no row locks, so a stream is locked by locking the
    database.
    """
    return [
        Error(
            f"The SQLite database {alias!r} begins its transactions without taking the write lock.",
            hint=f'Set DATABASES["{alias}"]["OPTIONS"]["transaction_mode"] to "IMMEDIATE".',
            id="ledger.E001",
        )
        for alias, database in settings.DATABASES.items()
        if database["ENGINE"].endswith("sqlite3")
        and database.get("OPTIONS", {}).get("transaction_mode") != "IMMEDIATE"
    ]
