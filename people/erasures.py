"""The record of erasures: a file beside the backups, by which `restore` repeats what was erased since.

Each line is a JSON object with its SHA-256, and holds opaque ids alone. Lines are only added. `intended`
comes before a transaction is committed, and `erased` after it. A service that is killed in between, or whose
connection is lost, leaves an intention. It is settled, as `erased` or `void`, by what the database then
holds. `cleared` says which backup is the first without the rows, and `cancelled` that they were brought back.
"""

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.utils import timezone

from people.models import ServiceClock

FILE = "erasures.jsonl"
LISTS = ("persons", "referees", "notes")
"""The lists of ids in a record, in the order of `Erasure`."""
DAYS = 7
"""On so many days of running backups still hold what was erased, and it can be brought back."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Erasure:
    """What was erased at one event, by the ids of the rows."""

    id: UUID
    event: UUID
    at: datetime
    day: int
    """How many days the service had run by then."""
    persons: list[UUID] = field(default_factory=list)
    referees: list[UUID] = field(default_factory=list)
    notes: list[UUID] = field(default_factory=list)
    """Persons who stay, without their notes."""
    is_everybody: bool = False
    cleared: int | None = None
    """The number of the first backup without what was erased; None until there is one."""

    def __str__(self) -> str:
        counts = {name: len(getattr(self, f"{name}s")) for name in ("person", "referee", "note")}
        listed = ", ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in counts.items() if count)
        return f"{self.id} of {self.at:%Y-%m-%d %H:%M} UTC, event {self.event}: {listed}"

    @property
    def total(self) -> int:
        """How many rows were erased or emptied."""
        return len(self.persons) + len(self.referees) + len(self.notes)

    def is_open(self, days_run: int) -> bool:
        """Whether it can still be cancelled, and backups that hold the rows stay."""
        return days_run - self.day < DAYS


@dataclass(frozen=True, slots=True)
class ErasureRecord:
    """What a file records; the oldest first."""

    erasures: list[Erasure]
    """Those that were committed and not cancelled."""
    intended: list[Erasure]
    """Those of which it isn't known whether they were committed."""
    damaged: int
    """How many lines can't be read."""
    is_there: bool = True
    """Whether there is a file at all."""


def count_days_run() -> int:
    """On how many days the service has run so far; one query."""
    return ServiceClock.objects.values_list("days_run", flat=True).first() or 0


@contextmanager
def recorded(event_id: UUID) -> Iterator[Erasure]:
    """An erasure to be filled in, and recorded once the transaction within is committed.

    To be entered outside of the transaction, in which `intend` is called as the last thing. An error after
    that leaves the intention open: the commit may have gone through although its answer was lost. A folder
    that can't be written stops nobody from erasing: it is logged.
    """
    erasure = Erasure(uuid4(), event_id, timezone.now(), count_days_run())
    yield erasure
    settle(erasure, is_done=True)


def intend(erasure: Erasure) -> None:
    """Record that an erasure is about to be committed."""
    _add_whole("intended", erasure)


def settle(erasure: Erasure, *, is_done: bool) -> None:
    """Record whether an erasure was committed."""
    if is_done:
        _add_whole("erased", erasure)
    else:
        add(settings.BACKUP_DIR, "void", erasure.id)


def _add_whole(action: str, erasure: Erasure) -> None:
    if not erasure.total:
        return
    add(
        settings.BACKUP_DIR,
        action,
        erasure.id,
        event=str(erasure.event),
        at=erasure.at.isoformat(),
        day=erasure.day,
        is_everybody=erasure.is_everybody,
        **{name: [str(each) for each in getattr(erasure, name)] for name in LISTS},
    )


def add(folder: Path, action: str, erasure_id: UUID, **values: Any) -> None:
    """Add a line to a folder's record; that it can't be written is logged."""
    body = {"do": action, "id": str(erasure_id), **values}
    line = json.dumps({"body": body, "sha256": _digest(body)}, sort_keys=True)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            # One write for a line; one that was cut before stays a line of its own.
            os.write(descriptor, f"\n{line}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        logger.exception("The erasure %s isn't recorded in %s: restore won't repeat it.", erasure_id, folder)


def read(*folders: Path) -> ErasureRecord:
    """The record of a folder; an empty one where there is none. Raises OSError if it can't be read.

    Records of several folders are read as one: a copy of before may lack what came later.
    """
    steps: dict[UUID, dict[str, dict[str, Any]]] = {}
    damaged = 0
    for line in dict.fromkeys(line for folder in folders for line in _lines_of(folder)):
        try:
            stored = json.loads(line)
            body = stored["body"]
            if stored["sha256"] != _digest(body):
                raise ValueError("altered")
            steps.setdefault(UUID(body["id"]), {})[body["do"]] = body
        except (ValueError, KeyError, TypeError):
            damaged += 1
    is_there = any((folder / FILE).exists() for folder in folders)
    record = ErasureRecord([], [], damaged, is_there)
    for erasure_id, done in steps.items():
        if "void" in done or "cancelled" in done:
            continue
        if "erased" in done:
            erasure = _erasure(erasure_id, done["erased"])
            erasure.cleared = done["cleared"]["number"] if "cleared" in done else None
            record.erasures.append(erasure)
        elif "intended" in done:
            record.intended.append(_erasure(erasure_id, done["intended"]))
    return record


def _lines_of(folder: Path) -> list[str]:
    try:
        text = (folder / FILE).read_text(errors="replace")
    except FileNotFoundError:
        return []
    return [line for line in text.split("\n") if line]


def _erasure(erasure_id: UUID, body: dict[str, Any]) -> Erasure:
    at = datetime.fromisoformat(body["at"])
    persons, referees, notes = ([UUID(each) for each in body[name]] for name in LISTS)
    event, is_everybody = UUID(body["event"]), body["is_everybody"]
    return Erasure(erasure_id, event, at, body["day"], persons, referees, notes, is_everybody)


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
