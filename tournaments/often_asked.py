"""Queries that every open page asks every second or two: put together once in the life of a process.

Django takes some five times as long to put such a query together as the database takes to answer it.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import DateTimeField, QuerySet, UUIDField
from django.utils import timezone

# In place of what is asked for; nothing else in a query is the same.
_SUBJECT = UUID("6c1f3c52-6f0e-4d9b-a5a7-2f8f6c1d9e03")
_NOW = datetime(1906, 5, 6, 7, 8, 9, 101112, UTC)


class OftenAsked:
    """A query about one subject at this moment, whose other parts are always the same.

    `put_together` makes it for a subject's id and a moment. Values are as the database has them.
    """

    def __init__(self, put_together: Callable[[UUID, datetime], QuerySet[Any, tuple[Any, ...]]]) -> None:
        self._put_together = put_together
        self._made: tuple[str, tuple[Any, ...]] | None = None

    def row(self, subject: UUID) -> tuple[Any, ...]:
        """The first row, empty if there is none; one query."""
        if self._made is None:
            self._made = self._put_together(_SUBJECT, _NOW).query.sql_with_params()
        sql, params = self._made
        given = {_stored(_SUBJECT): _stored(subject), _stored(_NOW): _stored(timezone.now())}
        with connection.cursor() as cursor:
            cursor.execute(sql, [given.get(each, each) for each in params])
            return tuple(cursor.fetchone() or ())


def _stored(value: UUID | datetime) -> Any:
    """A value as the database takes it."""
    field = UUIDField() if isinstance(value, UUID) else DateTimeField()
    return field.get_db_prep_value(value, connection)
