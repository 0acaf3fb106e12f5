"""What the ledger's tests share."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

from django.db import connection, models
from django.db.models import UniqueConstraint

from ledger.append import Appended, append
from ledger.entries import NewFact
from ledger.findings import FindingCode
from ledger.models import Fact, Stream
from ledger.verify import verify
from tests.support.ledger_tables import without_triggers

KIND = "game"


def entries(*numbers: int) -> list[NewFact]:
    """Facts that hold these numbers, without client ids."""
    return [NewFact("noted", {"n": number}) for number in numbers]


def stored(*numbers: int, stream: UUID | None = None, scope: UUID | None = None) -> Appended:
    """Append facts with these numbers to a stream (a new one unless named)."""
    return append(stream or uuid4(), KIND, scope, None, entries(*numbers))


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run `work(0)`, `work(1)`… in threads that start together; return results and exceptions in order."""
    results: list[Any] = [None] * count
    start = threading.Barrier(count)

    def run(place: int) -> None:
        try:
            connection.ensure_connection()
            start.wait(60)
            results[place] = work(place)
        except Exception as error:
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@contextmanager
def without_constraint(name: str) -> Iterator[None]:
    """Take a unique constraint off facts (and the triggers with it), and leave no facts behind."""
    constraint = next(item for item in Fact._meta.constraints if item.name == name)
    assert isinstance(constraint, UniqueConstraint)
    others = [item for item in Fact._meta.constraints if item is not constraint]
    with without_triggers():
        # SQLite remakes the table after the model as it is to be.
        with mock.patch.object(Fact._meta, "constraints", others), connection.schema_editor() as editor:
            editor.remove_constraint(Fact, constraint)
        try:
            yield
        finally:
            Fact.objects.all().delete()
            Stream.objects.all().delete()
            with connection.schema_editor() as editor:
                editor.add_constraint(Fact, constraint)


@contextmanager
def tampering() -> Iterator[None]:
    """Let the test alter facts, as the database's owner can."""
    with without_triggers():
        yield


def found(scope: UUID | None = None) -> list[tuple[FindingCode, UUID | None, int | None]]:
    """Return what verification finds, without the sentences' numbers."""
    return [(finding.wrong, finding.stream, finding.sequence) for finding in verify(scope)]


def fact_rows(stream: UUID, sequence: int) -> models.QuerySet[Fact]:
    """The row of one fact, to be altered."""
    return Fact.objects.filter(stream_id=stream, sequence=sequence)
