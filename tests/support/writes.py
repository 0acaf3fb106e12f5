"""Whether anything was stored: what the database was told to write while a block ran."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def nothing_written() -> Iterator[list[str]]:
    """A list that fills with the statements that insert, update or delete; empty where nothing was stored."""
    written: list[str] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().split(" ", 1)[0].upper() in ("INSERT", "UPDATE", "DELETE"):
            written.append(sql[:120])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield written
