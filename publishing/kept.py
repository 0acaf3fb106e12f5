"""Pages kept in memory by their tags: made once when something changed, sent many times.

A tag stands for everything a page says, so what is kept under it never has to be made invalid; it is only
pushed out by newer pages. Each process keeps its own, and needs none to answer rightly.
"""

import gzip
import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Self


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


class KeptPages:
    """The pages that were asked for last, at most so many; for all threads of a process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._lock = Lock()

    def get(self, tag: str) -> Page | None:
        """The page of this tag, if it is here."""
        with self._lock:
            page = self._pages.get(tag)
            if page is not None:
                self._pages.move_to_end(tag)
            return page

    def keep(self, tag: str, page: Page) -> None:
        """Keep a page; the one that nobody asked for longest goes."""
        with self._lock:
            self._pages[tag] = page
            self._pages.move_to_end(tag)
            if len(self._pages) > self._most:
                self._pages.popitem(last=False)
