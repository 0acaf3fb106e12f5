"""Time and author of an event, behind its token: `@14:05:07~`.

It is written in full, `@2026-09-19T14:05:07+02:00~"Ugo"`, where it changes. Later a time of the same day and
zone is only its clock. `~` alone is the same person.
"""

import re

from games.engine.events import Event
from games.engine.notation.values import print_text

_TIME = re.compile(r"([0-9-]{10}[Tt])([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?)([Zz]|[+-][0-9:]{5})", re.ASCII)


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
