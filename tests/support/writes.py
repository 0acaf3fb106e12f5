"""What a block stores: whether anything, and as if it hadn't been."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


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


@contextmanager
def rolled_back() -> Iterator[None]:
    """Whatever is stored within it wasn't."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
