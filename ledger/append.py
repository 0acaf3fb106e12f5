"""Appending facts: one stream at a time, under its lock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Subquery
from django.utils import timezone

from ledger.entries import Chain, NewFact, StoredFact
from ledger.errors import ClientIdReusedError, ConflictError, OtherStreamError, ScopeDeletedError
from ledger.inserting import insert_many
from ledger.models import Compatibility, Fact, Stream, Tombstone
from ledger.needed_code_version import encoding_of_new_facts
from ledger.read import COLUMNS, stored_facts
from ledger.signals import facts_added

# What the databases say of a place in a stream that is taken (on SQLite a trigger is asked first).
_PLACE_TAKEN = ("ledger_fact_stream_sequence", "ledger_fact_pkey", "ledger_fact.", "never replaced")


@dataclass(frozen=True, slots=True)
class Appended:
    """The answer to a batch: `facts` one for each entry in order, the same however often it is sent.

    `added` are those that are new this time; `version` and `head_hash` are the stream's end afterwards.
    """

    facts: tuple[StoredFact, ...]
    added: tuple[StoredFact, ...]
    version: int
    head_hash: str


def append(
    stream_id: UUID,
    kind: str,
    scope: UUID | None,
    expected_version: int | None,
    entries: Sequence[NewFact],
    *,
    recorded_at: datetime | None = None,
) -> Appended:
    """Append `entries` to a stream, which is created if it isn't there; all or nothing.

    `expected_version` is the sequence of the last fact that the writer knew (0: none; None: wherever the end
    is). Entries whose client id is known with the same body are answered with the facts they became. The
    version is then the one after them, so a batch can be sent again, also with more at its end.

    Runs in the caller's transaction, or in its own where there is none. Raises ConflictError,
    ClientIdReusedError, OtherStreamError, ScopeDeletedError (let them leave your transaction, so that it is
    rolled back) and NotCanonicalError.
    """
    if connection.in_atomic_block:
        return open_stream(stream_id, kind, scope).append(expected_version, entries, recorded_at=recorded_at)
    try:
        with transaction.atomic():
            stream = open_stream(stream_id, kind, scope)
            return stream.append(expected_version, entries, recorded_at=recorded_at)
    except (ConflictError, ClientIdReusedError) as refusal:
        if not isinstance(refusal.__cause__, IntegrityError):
            raise
    # The database itself found that somebody was faster; the second time we see what they stored.
    with transaction.atomic():
        return open_stream(stream_id, kind, scope).append(expected_version, entries, recorded_at=recorded_at)


def open_stream(stream_id: UUID, kind: str, scope: UUID | None) -> "OpenStream":
    """Lock a stream until the transaction ends, creating it if it isn't there.

    For callers that must look at what is stored before they know what to append. Who opens several streams in
    one transaction does so in the order of their ids. Raises OtherStreamError and ScopeDeletedError.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("A stream is opened within a transaction only.")
    row = _locked(stream_id)
    if row is None:
        # Of two who create it at once one waits here for the other, and then finds the row.
        Stream.objects.bulk_create([Stream(id=stream_id, kind=kind, scope=scope)], ignore_conflicts=True)
        # Only now: a deletion that was under way has kept the insertion waiting, and its tombstone can be
        # seen.
        if scope is not None and Tombstone.objects.filter(scope=scope).exists():
            raise ScopeDeletedError(scope)
        row = _locked(stream_id)
    if row is None or (row.kind, row.scope) != (kind, scope):
        raise OtherStreamError(stream_id, row.kind if row else "", row.scope if row else None)
    return OpenStream(row)


def _locked(stream_id: UUID) -> Stream | None:
    # SQLite has no row locks; there the transaction has locked the whole database (BEGIN IMMEDIATE).
    rows = Stream.objects.select_for_update(no_key=True, of=("self",)).filter(pk=stream_id)
    return rows.annotate(needs=Subquery(Compatibility.objects.values("needs")[:1])).first()


class OpenStream:
    """A stream that is locked by the current transaction."""

    def __init__(self, row: Stream) -> None:
        self.id = row.id
        self._kind = row.kind
        self.version = row.head_sequence
        self.head_hash = row.head_hash
        self._encoding = encoding_of_new_facts(getattr(row, "needs", None))
        self._known: dict[UUID, StoredFact | None] = {}

    def recognise(self, entries: Sequence[NewFact]) -> dict[UUID, StoredFact]:
        """Return the facts that these entries became when they were sent before, by client id; one query at
        most.

        Raises ClientIdReusedError for an id that is known with another body or in another stream.
        """
        asked = {entry.client_id for entry in entries if entry.client_id is not None}
        if unknown := asked - self._known.keys():
            self._known |= dict.fromkeys(unknown)
            stored = stored_facts(Fact.objects.filter(client_id__in=unknown))
            self._known |= {fact.client_id: fact for fact in stored if fact.client_id is not None}
        found = {}
        for entry in entries:
            fact = self._known[entry.client_id] if entry.client_id is not None else None
            if fact is None or entry.client_id is None:
                continue
            if fact.stream != self.id or fact.client_digest != entry.digest():
                raise ClientIdReusedError(entry.client_id)
            found[entry.client_id] = fact
        return found

    def append(
        self,
        expected_version: int | None,
        entries: Sequence[NewFact],
        *,
        recorded_at: datetime | None = None,
    ) -> Appended:
        """Append `entries`; see the function `append`."""
        known = self.recognise(entries)
        now = recorded_at or timezone.now()
        answers: list[StoredFact] = []
        added: dict[UUID, StoredFact] = {}
        chain = Chain(self.id, self.version, self.head_hash, now, self._encoding)
        reached = self.version if expected_version is None else expected_version
        for entry in entries:
            if entry.client_id in known:
                fact = known[entry.client_id]
                if chain.facts:
                    # The batch goes on from something else than what is stored.
                    raise ConflictError(self.id, self.version)
                if fact.sequence == reached + 1:
                    reached += 1
            elif entry.client_id in added:
                fact = added[entry.client_id]
                if fact.client_digest != entry.digest():
                    raise ClientIdReusedError(entry.client_id)
            else:
                if not chain.facts and reached != self.version:
                    raise ConflictError(self.id, self.version)
                fact = chain.add(entry)
                if entry.client_id is not None:
                    added[entry.client_id] = fact
            answers.append(fact)
        if chain.facts:
            self._store(chain)
        return Appended(tuple(answers), tuple(chain.facts), self.version, self.head_hash)

    def _store(self, chain: Chain) -> None:
        insert_facts(chain.facts)
        moved = Stream.objects.filter(pk=self.id, head_sequence=self.version).update(
            head_sequence=chain.sequence, head_hash=chain.hash
        )
        if not moved:
            transaction.set_rollback(True)
            raise ConflictError(self.id, None)
        if facts_added.has_listeners():
            kind, count = self._kind, len(chain.facts)
            transaction.on_commit(lambda: facts_added.send(OpenStream, kind=kind, count=count))
        self.version, self.head_hash = chain.sequence, chain.hash
        self._known |= {fact.client_id: fact for fact in chain.facts if fact.client_id is not None}


def insert_facts(facts: Sequence[StoredFact]) -> None:
    """Insert facts as they are; raises ConflictError or ClientIdReusedError where the database refuses."""
    try:
        insert_many([Fact(**dict(zip(COLUMNS, fact, strict=True))) for fact in facts])
    except IntegrityError as error:
        message = str(error)
        if "client_id" in message:
            raise ClientIdReusedError(None) from error
        if any(name in message for name in _PLACE_TAKEN):
            raise ConflictError(facts[0].stream, None) from error
        raise
