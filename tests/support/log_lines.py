"""The log as an operator of the full mode reads it, whatever pytest makes of the records."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config import logs


class Written:
    """The lines that were written so far."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self.handler = logging.StreamHandler(self._stream)
        self.handler.setFormatter(logs.formatter("INFO", as_json=True))

    @property
    def text(self) -> str:
        """All of it."""
        return self._stream.getvalue()

    def lines(self, logger: str = "") -> list[dict[str, Any]]:
        """Each line as an object, of one logger only if it is named."""
        found = [json.loads(line) for line in self.text.splitlines()]
        return [line for line in found if line["logger"].startswith(logger)]


@contextmanager
def written() -> Iterator[Written]:
    """Write what is logged from now on, in any thread: all our own, and of libraries from INFO on."""
    lines, root, ours = Written(), logging.getLogger(), logging.getLogger("tendone")
    before = [root.level, ours.level]
    root.addHandler(lines.handler)
    root.setLevel(logging.INFO)
    ours.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.removeHandler(lines.handler)
        root.setLevel(before[0])
        ours.setLevel(before[1])
