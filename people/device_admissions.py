"""Facts of devices: which phone was let in as which referee, and when it was shut out.

Each phone that was let in has a stream with its pairing's id. Every body also has `by`, the actor's id or
null, and `by_kind`.

- `device_admitted`: `referee` is an id, `how` is `desk` or `pin`, `replaces` is the former pairing or null.
`secret` is what `secret_digest` says.
- `device_revoked`: `referee`.

No fact has a name or a check word. A phone that an earlier version let in has no facts, or one without
`secret`. Where a fact has one, the row's `admitted_at` is the time of the fact.
"""

import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from ledger import append
from ledger.entries import NewFact, StoredFact
from ledger.hashing import JSON
from ledger.models import Fact, Stream
from ledger.read import stored_facts
from people.actors import Actor
from people.models import Account, Event, Pairing

STREAM_KIND = "device"
ADMITTED = "device_admitted"
REVOKED = "device_revoked"


def record_admission(pairing: Pairing, actor: Actor) -> None:
    """Record that a phone was let in, by its row as it is now; in the caller's transaction."""
    replaces = str(pairing.replaces_id) if pairing.replaces_id else None
    body = {"how": pairing.admitted_by, "replaces": replaces, "secret": secret_digest(pairing)}
    _record(pairing, actor, ADMITTED, body, pairing.admitted_at)


def record_revocation(pairing: Pairing, actor: Actor) -> None:
    """Record that a phone which was in was shut out; in the caller's transaction."""
    _record(pairing, actor, REVOKED, {}, None)


def secret_digest(pairing: Pairing) -> str:
    """What facts say of a phone's secret: SHA-256 (64 hex digits) over its hash and the pairing's id.

    It names the phone that was let in, and lets nobody in: not even the hash can be worked out from it.
    """
    return hashlib.sha256(f"tendone.device {pairing.pk} {pairing.secret_hash}".encode()).hexdigest()


def archived_secret(pairing: Pairing) -> str:
    """What a phone of an archive has in the place of a secret's hash: no secret has this one."""
    return f"archive-{pairing.pk.hex}"


def _record(pairing: Pairing, actor: Actor, type: str, body: Mapping[str, JSON], at: datetime | None) -> None:
    of = {"referee": str(pairing.referee_id)}
    by = {"by": str(actor.id) if actor.id else None, "by_kind": actor.kind.value}
    fact = NewFact(type, {**of, **body, **by})
    append.append(pairing.pk, STREAM_KIND, pairing.event_id, None, [fact], recorded_at=at)


class AlteredColumn(NamedTuple):
    """A column of a phone's row that isn't as its facts say, and both values; its check word."""

    pairing: UUID
    word: str
    column: str
    stored: str
    expected: str


def altered_columns(event: Event) -> Iterator[AlteredColumn]:
    """Phones whose rows say something else than their facts.

    That may be another referee, secret or account, another time or way of admission, another former phone, or
    whether they were shut out.

    Two queries, and one for each phone whose row lacks the account that let it in.
    """
    # Facts before rows: a phone that is let in or shut out in between is further than its facts, not behind.
    recorded = Fact.objects.filter(stream__kind=STREAM_KIND, stream__scope=event.pk)
    facts = stored_facts(recorded.order_by("stream", "sequence"))
    rows = {row.pk: row for row in Pairing.objects.filter(event=event)}
    for stream, of_stream in groupby(facts, attrgetter("stream")):
        if stream in rows:
            row = rows[stream]
            altered: dict[str, tuple[str, str]] = {}
            for fact in (listed := list(of_stream)):
                altered |= _altered_by(row, fact, rows)
            if _is_revoked_without_fact(row, listed):
                altered["revoked_at"] = (_text(row.revoked_at), "")
            for column, (stored, expected) in altered.items():
                yield AlteredColumn(row.pk, row.check_word, column, stored, expected)


def _altered_by(row: Pairing, fact: StoredFact, rows: Container[UUID]) -> dict[str, tuple[str, str]]:
    """The columns that aren't as one fact says, with both values."""
    body, at = fact.body, _text(fact.recorded_at)
    expected = {"referee": (str(row.referee_id), str(body.get("referee")))}
    if fact.type == REVOKED and row.revoked_at is None:
        expected["revoked_at"] = ("", at)
    if fact.type == ADMITTED:
        expected["admitted_by"] = (row.admitted_by, str(body.get("how")))
        if row.admitted_at is None or "secret" in body:
            expected["admitted_at"] = (_text(row.admitted_at), at)
        if "secret" in body and not _is_archived(row):
            expected["secret_hash"] = (secret_digest(row), str(body["secret"]))
        former, account = body.get("replaces"), body.get("by") if body.get("how") == "desk" else None
        # Whose row is gone is no more in the column.
        if row.replaces_id is not None or (former is not None and UUID(former) in rows):
            expected["replaces"] = (_text(row.replaces_id), _text(former))
        if row.admitted_by_account_id is not None or (account is not None and _is_missing(row, account)):
            expected["admitted_by_account"] = (_text(row.admitted_by_account_id), _text(account))
    return {column: both for column, both in expected.items() if both[0] != both[1]}


def _is_archived(row: Pairing) -> bool:
    """Whether it came in with an archive: shut out, without a secret, and without the account of there."""
    return row.secret_hash == archived_secret(row) and row.revoked_at is not None


def _is_missing(row: Pairing, account: str) -> bool:
    """Whether the account that let a phone in is here, though the row doesn't name it."""
    return not _is_archived(row) and Account.objects.filter(pk=account).exists()


def _is_revoked_without_fact(row: Pairing, facts: Sequence[StoredFact]) -> bool:
    types = {fact.type for fact in facts}
    if ADMITTED not in types or REVOKED in types or row.revoked_at is None or _is_archived(row):
        return False
    # It may have been shut out since its facts were read.
    return not Fact.objects.filter(stream=row.pk, type=REVOKED).exists()


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return "" if value is None else str(value)


def without_facts(event: Event) -> list[Pairing]:
    """The phones that were let in and of which no fact says so: an earlier version let them in."""
    rows = list(Pairing.objects.filter(event=event).exclude(admitted_at=None).order_by("asked_at", "pk"))
    recorded = set(Stream.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
    return [row for row in rows if row.pk not in recorded]
