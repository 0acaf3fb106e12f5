"""Pages kept in memory by their tags: made once when something changed, sent many times.

A tag stands for everything a page says, so what is kept under it never has to be made invalid. It is only
pushed out by newer pages. Each process keeps its own, and needs none to answer rightly. The same goes for
what was loaded to make them: the page in the other language is made of it, too.
"""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar, Generic, Self, TypeVar

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Page:
    """The bytes of a page, plain and compressed."""

    plain: bytes
    compressed: bytes

    @cached_property
    def etag(self) -> str:
        """A tag by the page's bytes, the same however they are sent."""
        return f'W/"{hashlib.sha256(self.plain).hexdigest()[:32]}"'

    @classmethod
    def of(cls, html: str) -> Self:
        """A page as it is sent; the same text gives the same bytes."""
        plain = html.encode()
        return cls(plain, gzip.compress(plain, compresslevel=6, mtime=0))


_at_once: ContextVar[dict[object, Any] | None] = ContextVar("_at_once", default=None)


@contextmanager
def at_once() -> Iterator[None]:
    """While this lasts, what several pages need is loaded once: they are made of the same."""
    token = _at_once.set({})
    try:
        yield
    finally:
        _at_once.reset(token)


def is_at_once() -> bool:
    """Whether several pages are made of the same."""
    return _at_once.get() is not None


def shared(key: object, load: Callable[[], Thing]) -> Thing:
    """What `load` gives: loaded anew, or what was loaded before where pages are made `at_once`."""
    loaded = _at_once.get()
    if loaded is None:
        return load()
    if key not in loaded:
        loaded[key] = load()
    found: Thing = loaded[key]
    return found


class KeptPage(Generic[Thing]):
    """The things that were asked for last by their tags, at most so many; for all threads of a process."""

    _everywhere: ClassVar[list["KeptPage[Any]"]] = []

    def __init__(self, most: int) -> None:
        self._everywhere.append(self)
        self._most = most
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._lock = Lock()

    def clear(self) -> None:
        """Keep nothing of what is here."""
        with self._lock:
            self._things.clear()

    @classmethod
    def forget(cls) -> None:
        """Keep nothing anywhere. For tests: once their database is put back, a tag means something else."""
        for each in cls._everywhere:
            each.clear()

    def of(self, tag: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing of this tag, made if it isn't here; the one that nobody asked for longest goes."""
        with self._lock:
            thing = self._things.get(tag)
        if thing is None:
            thing = make()
        with self._lock:
            self._things[tag] = thing
            self._things.move_to_end(tag)
            if len(self._things) > self._most:
                self._things.popitem(last=False)
        return thing
