"""A place in an event's feed as programs keep it: the number of the last change read, and a check of which
change that was.

By the check a cursor is recognised if its feed was since put back from a backup.
"""

import re
from dataclasses import dataclass
from uuid import UUID

_FORM = re.compile(r"(0|[1-9][0-9]{0,17})(?:-([0-9a-f]{8}))?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class FeedCursor:
    """After the change `number`, whose id begins with `check`; 0 with no check is the beginning."""

    number: int = 0
    check: str = ""

    def __str__(self) -> str:
        return f"{self.number}-{self.check}" if self.number else "0"


def cursor_at(number: int, change: UUID) -> FeedCursor:
    """The cursor of who has read as far as this change."""
    return FeedCursor(number, change.hex[:8])


def parse(text: str) -> FeedCursor:
    """A cursor that was told before; ValueError for what never was."""
    found = _FORM.match(text)
    if found is None or (found[1] == "0") != (found[2] is None):
        raise ValueError(text)
    return FeedCursor(int(found[1]), found[2] or "")
