"""Rarer searches for garbage while very many rows are in memory at once.

Python searches all that is alive for circles after every few hundred new objects. Where everything is built
again nearly all of them stay in use, so the searches find nothing and take a fifth of the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_OBJECTS, _YOUNG, _MIDDLE = 50_000, 20, 20
"""After how many new objects the youngest are searched, and how many such searches lead to a wider one."""

_lock = Lock()
_usual: list[tuple[int, int, int]] = []
"""How it was before, once for everybody who asked for rarer searches and isn't done."""


@contextmanager
def rarer_searches() -> Iterator[None]:
    """Let searches be rare in the whole process, until the last who asked for it is done."""
    with _lock:
        _usual.append(_usual[0] if _usual else gc.get_threshold())
        gc.set_threshold(_OBJECTS, _YOUNG, _MIDDLE)
    try:
        yield
    finally:
        with _lock:
            before = _usual.pop()
            if not _usual:
                gc.set_threshold(*before)
