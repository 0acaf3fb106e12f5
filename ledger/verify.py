"""Verification: everything in the ledger that doesn't fit together, named. Reads row by row and changes
nothing.
"""

from collections.abc import Iterator
from itertools import groupby
from uuid import UUID

from django.db import DatabaseError, DataError, IntegrityError, connection
from django.db.models import Exists, OuterRef

from ledger.entries import ChainCheck, StoredFact, encoding_of
from ledger.findings import Finding, FindingCode
from ledger.hashing import CURRENT
from ledger.models import Fact, Stream, Tombstone
from ledger.needed_code_version import encoding_of_new_facts, needed
from ledger.read import COLUMNS
from ledger.receipts import check_receipts, root_and_heads
from ledger.triggers import triggers_in_place


def verify(scope: UUID | None = None) -> Iterator[Finding]:
    """Yield every inconsistency between facts, heads and receipts of a scope, or of everything."""
    if not triggers_in_place(connection):
        yield Finding(FindingCode.UNGUARDED)
    yield from _or_unreadable(check_streams(scope))
    if scope is None:
        yield from _or_unreadable(_orphans())
        yield from _or_unreadable(check_tombstones())
        yield from _or_unreadable(check_compatibility())
    yield from _or_unreadable(check_receipts(scope))


def is_unreadable(error: Exception) -> bool:
    """Whether an error is about a value that isn't what its column holds, and not about the database itself.

    SQLite keeps any value in any column; of text that isn't UTF-8 it says so by an OperationalError.
    """
    is_of_database = isinstance(error, DatabaseError) and not isinstance(error, (DataError, IntegrityError))
    return not is_of_database or "decode" in str(error)


def _or_unreadable(found: Iterator[Finding]) -> Iterator[Finding]:
    """What is found; if a row can't even be read, that, so that whatever comes after is looked at, too."""
    try:
        yield from found
    except Exception as error:
        # What was altered where it is stored can be anything.
        if not is_unreadable(error):
            raise
        yield Finding(FindingCode.UNREADABLE)


def check_compatibility() -> Iterator[Finding]:
    """Yield a finding if the database says that older code may read it, and it has facts that this can't."""
    if encoding_of_new_facts(needed()) is CURRENT:
        return
    rows = Fact.objects.order_by("-recorded_at").values_list(*COLUMNS)
    for row in rows.iterator(chunk_size=2000):
        if encoding_of(StoredFact._make(row)) is CURRENT:
            yield Finding(FindingCode.COMPATIBILITY)
            return


def check_streams(scope: UUID | None = None) -> Iterator[Finding]:
    """Yield what is wrong with the chains of facts and their heads.

    One statement reads heads and facts, so what is appended meanwhile gives no false finding.
    """
    rows = Stream.objects.all() if scope is None else Stream.objects.filter(scope=scope)
    columns = [f"facts__{column}" for column in COLUMNS]
    joined = rows.order_by("id", "facts__sequence", "facts__id").values_list(
        "id", "head_sequence", "head_hash", *columns
    )
    for (stream, sequence, hash), group in groupby(joined.iterator(chunk_size=2000), lambda row: row[:3]):
        check = ChainCheck(stream)
        for row in group:
            # A stream without facts comes as one row without a fact.
            if row[3] is not None:
                yield from check.step(StoredFact._make(row[3:]))
        yield from check.head(sequence, hash)


def _orphans() -> Iterator[Finding]:
    streams = Stream.objects.filter(pk=OuterRef("stream_id"))
    rows = Fact.objects.filter(~Exists(streams)).order_by("stream_id", "sequence")
    for stream, sequence in rows.values_list("stream_id", "sequence").iterator(chunk_size=2000):
        yield Finding(FindingCode.NO_STREAM, stream, sequence)


def check_tombstones() -> Iterator[Finding]:
    """Yield what is wrong with what is kept of deleted scopes, and streams that are in one."""
    for stone in Tombstone.objects.order_by("scope"):
        if not _fits(stone):
            yield Finding(FindingCode.TOMBSTONE)
    deleted = Stream.objects.filter(scope__in=Tombstone.objects.values("scope")).order_by("pk")
    for stream in deleted.values_list("pk", flat=True):
        yield Finding(FindingCode.NOT_DELETED, stream)


def _fits(stone: Tombstone) -> bool:
    previous, number, heads = stone.receipt_previous_root, stone.receipt_number, stone.receipt_heads
    root, sealed = root_and_heads(previous, stone.scope, number, heads, stone.receipt_made_at)
    counted = (len(sealed), sum(head.sequence for head in sealed))
    said = (stone.receipt_root, stone.deleted_at, (stone.streams, stone.facts))
    return said == (root, stone.receipt_made_at, counted)
