"""Facts of devices: which phone was let in as which referee, and when it was shut out.

Each phone that was let in has a stream with its pairing's id. Every body also has `by`, the actor's id or
null, and `by_kind`.

| type | body |
|---|---|
| `device_admitted` | `referee`: an id; `how`: `desk` or `pin`; `replaces`: the former pairing, or null |
| `device_revoked` | `referee` |

No fact has a name or a check word. A phone that an earlier version let in has no facts.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from ledger import append
from ledger.canonical import JSON
from ledger.entries import NewFact, StoredFact
from ledger.models import Fact, Stream
from ledger.read import stored_facts
from people.actors import Actor
from people.models import Event, Pairing

STREAM_KIND = "device"
ADMITTED = "device_admitted"
REVOKED = "device_revoked"


def record_admission(pairing: Pairing, actor: Actor) -> None:
    """Record that a phone was let in, by its row as it is now; in the caller's transaction."""
    replaces = str(pairing.replaces_id) if pairing.replaces_id else None
    _record(pairing, actor, ADMITTED, {"how": pairing.admitted_by, "replaces": replaces})


def record_revocation(pairing: Pairing, actor: Actor) -> None:
    """Record that a phone which was in was shut out; in the caller's transaction."""
    _record(pairing, actor, REVOKED, {})


def _record(pairing: Pairing, actor: Actor, type: str, body: dict[str, JSON]) -> None:
    of = {"referee": str(pairing.referee_id)}
    by = {"by": str(actor.id) if actor.id else None, "by_kind": actor.kind.value}
    fact = NewFact(type, {**of, **body, **by})
    append.append(pairing.pk, STREAM_KIND, pairing.event_id, None, [fact])


class AlteredColumn(NamedTuple):
    """A column of a phone's row that isn't as its facts say, and both values; its check word."""

    pairing: UUID
    word: str
    column: str
    stored: str
    expected: str


def altered_columns(event: Event) -> Iterator[AlteredColumn]:
    """Phones whose rows name another referee than their facts, or deny an admission or revocation.

    Two queries.
    """
    # Facts before rows: a phone that is let in or shut out in between is further than its facts, not behind.
    recorded = Fact.objects.filter(stream__kind=STREAM_KIND, stream__scope=event.pk)
    facts = stored_facts(recorded.order_by("stream", "sequence"))
    rows = {row.pk: row for row in Pairing.objects.filter(event=event)}
    for stream, of_stream in groupby(facts, attrgetter("stream")):
        if stream in rows:
            yield from _altered_columns(rows[stream], list(of_stream))


def _altered_columns(row: Pairing, facts: Iterable[StoredFact]) -> Iterator[AlteredColumn]:
    altered: dict[str, tuple[str, str]] = {}
    for fact in facts:
        body = fact.body
        if body.get("referee") != str(row.referee_id):
            altered["referee"] = (str(row.referee_id), str(body.get("referee")))
        if fact.type == ADMITTED and row.admitted_by != body.get("how"):
            altered["admitted_by"] = (row.admitted_by, str(body.get("how")))
        if fact.type == ADMITTED and row.admitted_at is None:
            altered["admitted_at"] = ("", fact.recorded_at.isoformat())
        if fact.type == REVOKED and row.revoked_at is None:
            altered["revoked_at"] = ("", fact.recorded_at.isoformat())
    for column, (stored, expected) in altered.items():
        yield AlteredColumn(row.pk, row.check_word, column, stored, expected)


def without_facts(event: Event) -> list[Pairing]:
    """The phones that were let in and of which no fact says so: an earlier version let them in."""
    rows = list(Pairing.objects.filter(event=event).exclude(admitted_at=None).order_by("asked_at", "pk"))
    recorded = set(Stream.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
    return [row for row in rows if row.pk not in recorded]
