"""Worlds that many tests begin with: made once, then put back as they were, row by row.

A drawn tournament takes decisions and hundreds of queries to make, its rows one statement a table. They come
back with the same ids, and with times at most `FRESH` seconds old.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from django.db import connection

from tests.support.ledger_tables import MIGRATED

FRESH = 60.0
"""Seconds after which a world is made anew, so that nothing in it has run out."""

World = TypeVar("World")
Rows = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class _Kept:
    """A world as it was made, and the rows that came with it."""

    made_at: float
    world: Any
    rows: Rows


_kept: dict[Callable[[], Any], _Kept] = {}


def remembered(make: Callable[[], World]) -> World:
    """The world that `make` makes, in a test that runs in a transaction; elsewhere it is made.

    What is made may not depend on rows that are there, nor change them.
    """
    if not connection.in_atomic_block:
        return make()
    kept = _kept.get(make)
    if kept is not None and monotonic() - kept.made_at < FRESH:
        _put_back(kept.rows)
    else:
        before = all_rows()
        world, after = make(), all_rows()
        added = {table: [row for row in rows if row not in before[table]] for table, rows in after.items()}
        kept = _kept[make] = _Kept(monotonic(), world, {table: rows for table, rows in added.items() if rows})
    made: World = deepcopy(kept.world)
    return made


def all_rows() -> Rows:
    """Every row of every table that tests write to, by table and columns as SQL names them: a table that is
    made anew, as SQLite does to change one, may have its columns in another order.
    """
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    quoted = connection.ops.quote_name
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(set(tables).difference(MIGRATED)):
            cursor.execute(f"SELECT * FROM {quoted(table)}")
            columns = ", ".join(quoted(column[0]) for column in cursor.description)
            found[f"{quoted(table)} ({columns})"] = cursor.fetchall()
    return found


def _put_back(rows: Rows) -> None:
    with connection.cursor() as cursor:
        for table, added in rows.items():
            marks = ", ".join(["%s"] * len(added[0]))
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", added)
