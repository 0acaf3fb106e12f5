"""Appending many facts to many streams, for imports and archives of other programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from ledger.append import insert_facts
from ledger.chain import Chain
from ledger.compatibility import encoding_of_new_facts, needed
from ledger.entries import NewFact
from ledger.errors import ConflictError, OtherStreamError, ScopeDeletedError
from ledger.hashing import GENESIS
from ledger.models import Stream, Tombstone

# What is worked out and inserted at once: bounds memory and the length of a statement.
MAX_STREAMS = 500
MAX_FACTS = 5000


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries for one stream; `expected_version` as for `append`."""

    stream: UUID
    kind: str
    scope: UUID | None
    entries: Sequence[NewFact]
    expected_version: int | None = 0


def bulk_append(batches: Iterable[Batch], *, recorded_at: datetime | None = None) -> int:
    """Append all batches in one transaction and return the number of facts; all or nothing.

    Batches may come from a generator. Client ids are stored but repetitions are not recognised. Raises
    ConflictError, ClientIdReusedError, OtherStreamError, ScopeDeletedError and NotCanonicalError.
    """
    count = 0
    with transaction.atomic():
        for portion in _portions(batches):
            count += _append_portion(portion, recorded_at or timezone.now())
    return count


def _portions(batches: Iterable[Batch]) -> Iterator[dict[UUID, Batch]]:
    portion: dict[UUID, Batch] = {}
    size = 0
    for batch in batches:
        if batch.stream in portion or len(portion) == MAX_STREAMS or size >= MAX_FACTS:
            yield portion
            portion, size = {}, 0
        portion[batch.stream] = batch
        size += len(batch.entries)
    if portion:
        yield portion


def _append_portion(portion: dict[UUID, Batch], now: datetime) -> int:
    rows = Stream.objects.select_for_update(no_key=True).filter(pk__in=portion).order_by("pk")
    here = {row.pk: row for row in rows}
    # Once the streams are locked: whoever changes it has waited for us, or we for them.
    encoding = encoding_of_new_facts(needed())
    new: list[Stream] = []
    chains = []
    for stream_id, batch in portion.items():
        row = here.get(stream_id)
        if row is None:
            row = Stream(id=stream_id, kind=batch.kind, scope=batch.scope, head_sequence=0, head_hash=GENESIS)
            new.append(row)
        elif (row.kind, row.scope) != (batch.kind, batch.scope):
            raise OtherStreamError(stream_id, row.kind, row.scope)
        if batch.expected_version not in (None, row.head_sequence):
            raise ConflictError(stream_id, row.head_sequence)
        chain = Chain(stream_id, row.head_sequence, row.head_hash, now, encoding)
        for entry in batch.entries:
            chain.add(entry)
        row.head_sequence, row.head_hash = chain.sequence, chain.hash
        chains.append(chain)
    _create(new)
    facts = [fact for chain in chains for fact in chain.facts]
    insert_facts(facts)
    Stream.objects.bulk_update(here.values(), ["head_sequence", "head_hash"], batch_size=200)
    return len(facts)


def _create(streams: list[Stream]) -> None:
    try:
        Stream.objects.bulk_create(streams)
    except IntegrityError as error:
        raise ConflictError(streams[0].pk, None) from error
    scopes = {stream.scope for stream in streams if stream.scope is not None}
    deleted = Tombstone.objects.filter(scope__in=scopes).first()
    if deleted is not None:
        raise ScopeDeletedError(deleted.scope)
