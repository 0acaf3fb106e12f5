"""Time and author of an event, behind its token: `@14:05:07~`.

Written in full, `@2026-09-19T14:05:07+02:00~"Ugo"`, where it changes: later a time of the same day and zone
is only its clock, and `~` alone is the same person. So a stamp is read with those before it.
"""

import re
from typing import Any

from games.engine.events import Event
from games.engine.notation.cursor import Cursor
from games.engine.notation.values import print_text, read_text
from games.engine.words import mark

_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?"
_TIME = re.compile(rf"([0-9-]{{10}}[Tt])({_CLOCK})([Zz]|[+-][0-9:]{{5}})", re.ASCII)
_WRITTEN = re.compile(rf"{_TIME.pattern}|{_CLOCK}", re.ASCII)


class Stamps:
    """What the stamps up to here have said: the day and the zone of the last time, and who recorded last."""

    __slots__ = ("by", "day", "zone")

    def __init__(self) -> None:
        self.day: str | None = None
        self.zone = ""
        self.by: str | None = None

    def print(self, event: Event) -> str:
        """What stands behind an event's token; nothing where neither `at` nor `by` is known."""
        time = "" if event.at is None else f"@{self.print_time(event.at)}"
        person = "" if event.by is None else f"~{self.print_person(event.by)}"
        return time + person

    def print_time(self, time: str) -> str:
        """A time, as short as it can be."""
        found = _TIME.fullmatch(time)
        if found is None:
            return time
        day, clock, zone = found.groups()
        same = (day, zone) == (self.day, self.zone)
        self.day, self.zone = day, zone
        return clock if same else time

    def print_person(self, person: str) -> str:
        """Who recorded it; nothing for the same as before."""
        same = person == self.by
        self.by = person
        return "" if same else print_text(person)

    def read(self, cursor: Cursor) -> dict[str, Any]:
        """The `at` and `by` of what stands before the cursor, as far as they follow."""
        found: dict[str, Any] = {}
        if cursor.take("@"):
            found["at"] = self.read_time(cursor)
        if cursor.take("~"):
            found["by"] = self.read_person(cursor)
        return found

    def read_time(self, cursor: Cursor) -> str:
        """A time in full, or the clock alone on the day before; there needn't be such a day."""
        start = cursor.place
        written = cursor.match(_WRITTEN)
        if written is None:
            cursor.expected(mark("a time such as 2026-09-19T14:05:07+02:00 or, on the same day, 14:05:07"))
        parts = _TIME.fullmatch(written)
        if parts is not None:
            self.day, self.zone = parts[1], parts[3]
            return written
        if self.day is None:
            cursor.wrong(mark("the first time is written in full, such as 2026-09-19T14:05:07+02:00"), start)
        return self.day + written + self.zone

    def read_person(self, cursor: Cursor) -> str:
        """Who recorded it, in quotes, or the same as before."""
        if cursor.sees('"'):
            self.by = read_text(cursor)
        elif self.by is None:
            cursor.expected(mark("who recorded it, in quotes; ~ alone repeats who was named before"))
        return self.by
