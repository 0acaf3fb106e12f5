"""Verification: everything in the ledger that doesn't fit together, named. Reads row by row and changes
nothing.
"""

from collections.abc import Iterator
from itertools import groupby
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef

from ledger.chain import ChainCheck
from ledger.entries import StoredFact
from ledger.findings import Finding, Wrong
from ledger.models import Fact, Stream
from ledger.read import COLUMNS
from ledger.receipts import check_receipts
from ledger.triggers import triggers_in_place


def verify(scope: UUID | None = None) -> Iterator[Finding]:
    """Yield every inconsistency between facts, heads and receipts of a scope, or of everything."""
    if not triggers_in_place(connection):
        yield Finding(Wrong.UNGUARDED)
    yield from check_streams(scope)
    if scope is None:
        yield from _orphans()
    yield from check_receipts(scope)


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
        yield Finding(Wrong.NO_STREAM, stream, sequence)
