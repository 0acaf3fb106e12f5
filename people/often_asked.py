"""Queries that every open page asks every second or two: put together once in the life of a process.

Django takes some five times as long to put such a query together as the database takes to answer it.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import DateTimeField, Model, QuerySet, UUIDField
from django.db.models.query import get_related_populators
from django.utils import timezone

# In place of what is asked for; nothing else in a query is the same.
_SUBJECT = UUID("6c1f3c52-6f0e-4d9b-a5a7-2f8f6c1d9e03")
_TEXTS = tuple(f"{_SUBJECT} {number}" for number in range(2))
_NOW = datetime(1906, 5, 6, 7, 8, 9, 101112, UTC)

Row = TypeVar("Row", bound=Model)
# Django's own; its types are those of a later Django.
_related_populators: Any = get_related_populators


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
        return _first(*self._made, {_SUBJECT: subject})


class OftenLoaded(Generic[Row]):
    """A query for a row of a model by up to two texts, with the rows that it refers to and its annotations.

    `put_together` makes it for the texts and a moment; what it refers to is named by `select_related`.
    """

    def __init__(self, put_together: Callable[..., QuerySet[Row]], texts: int = 1) -> None:
        self._put_together = put_together
        self._texts = _TEXTS[:texts]
        self._made: _Prepared | None = None

    def first(self, *texts: str) -> Row | None:
        """The first row, None if there is none; one query."""
        if self._made is None:
            self._made = _Prepared(self._put_together(*self._texts, _NOW)[:1])
        made = self._made
        row = _first(made.sql, made.params, dict(zip(self._texts, texts, strict=True)))
        return made.instance(row) if row else None


class _Prepared:
    """A query, and all that makes instances of its rows as Django itself does."""

    def __init__(self, rows: QuerySet[Any]) -> None:
        self._compiler: Any = rows.query.get_compiler(connection=connection)
        self.sql, self.params = self._compiler.as_sql()
        select, about = self._compiler.select, self._compiler.klass_info
        places = about["select_fields"]
        self._converters = self._compiler.get_converters([each[0] for each in select])
        self._model, self._own = about["model"], slice(places[0], places[-1] + 1)
        self._names = [each[0].target.attname for each in select[self._own]]
        self._related = _related_populators(about, select, connection.alias)
        self._annotations = dict(self._compiler.annotation_col_map)

    def instance(self, row: tuple[Any, ...]) -> Any:
        """The instance that Django would make of a row."""
        [values] = self._compiler.apply_converters([row], self._converters)
        made = self._model.from_db(connection.alias, self._names, values[self._own])
        for related in self._related:
            related.populate(values, made)
        for name, place in self._annotations.items():
            setattr(made, name, values[place])
        return made


def _first(sql: str, params: tuple[Any, ...], asked: dict[Any, Any]) -> tuple[Any, ...]:
    given = {_stored(placeholder): _stored(value) for placeholder, value in asked.items()}
    given[_stored(_NOW)] = _stored(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(sql, [given.get(each, each) for each in params])
        return tuple(cursor.fetchone() or ())


def _stored(value: str | UUID | datetime) -> Any:
    """A value as the database takes it."""
    if isinstance(value, str):
        return value
    field = UUIDField() if isinstance(value, UUID) else DateTimeField()
    return field.get_db_prep_value(value, connection)
