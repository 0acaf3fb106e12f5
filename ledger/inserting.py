"""Inserting very many rows, into PostgreSQL by COPY.

That costs it and us far less than statements in which every value is written down.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connections, router
from django.db.models import AutoField, Field, Model

_BATCH = 500
"""So many rows go into one statement where there is no COPY."""
_WORTH_COPYING = 50
"""Fewer rows than these are as well served by a statement, which takes fewer round trips."""


def insert_many(rows: Sequence[Model]) -> None:
    """Insert new rows, all of one model, with a value in every column but an id that the database gives.

    The rows don't learn such an id. Raises what `bulk_create` would, `IntegrityError` above all.
    """
    if not rows:
        return
    model = type(rows[0])
    connection = connections[router.db_for_write(model)]
    if connection.vendor != "postgresql" or len(rows) < _WORTH_COPYING:
        model._default_manager.bulk_create(rows, batch_size=_BATCH)
        return
    fields: list[Field[Any, Any]] = [
        each for each in model._meta.concrete_fields if not isinstance(each, AutoField)
    ]
    quoted = connection.ops.quote_name
    columns = ", ".join(quoted(str(each.column)) for each in fields)
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(f"COPY {quoted(model._meta.db_table)} ({columns}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row([each.get_db_prep_save(each.pre_save(row, True), connection) for each in fields])
