"""Reading facts and heads; rows come as plain tuples."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from django.db.models import CharField, F, QuerySet
from django.db.models.functions import Cast

from ledger.entries import Head, StoredFact
from ledger.hashing import GENESIS
from ledger.models import Fact, Stream

COLUMNS = tuple(field if field != "stream" else "stream_id" for field in StoredFact._fields)
"""The columns of a fact, in the order of `StoredFact`."""


_STREAMS = 200
"""So many streams are read at once."""


def stored_facts(rows: QuerySet[Fact]) -> list[StoredFact]:
    """Return the facts of a query as they are stored."""
    return [StoredFact._make(row) for row in rows.values_list(*COLUMNS)]


def facts(stream_id: UUID, *, after: int = 0, until: int | None = None) -> list[StoredFact]:
    """Return a stream's facts in order, those with `after` < sequence <= `until`; one query.

    A stream that isn't here has none.
    """
    return stored_facts(_span(stream_id, after, until))


def texts(stream_id: UUID, *, after: int = 0, until: int | None = None) -> list[tuple[str, str]]:
    """Return type and text alone of a stream's facts in order, for replaying; one query, the fastest."""
    return list(_span(stream_id, after, until).values_list("type", "text"))


def texts_of(stream_ids: Iterable[UUID]) -> Iterator[tuple[UUID, list[str]]]:
    """Yield the texts of these streams' facts in order, one stream after the other, by id; one query for so
    many streams at a time. Streams without facts are left out.
    """
    wanted = sorted(stream_ids)
    for start in range(0, len(wanted), _STREAMS):
        rows = Fact.objects.filter(stream__in=wanted[start : start + _STREAMS])
        # An id as a text: to make a UUID of it for every single fact takes longer than reading the fact.
        ordered = rows.order_by("stream", "sequence").values_list(Cast("stream", CharField()), "text")
        for stream, of_stream in groupby(ordered, key=itemgetter(0)):
            yield UUID(stream), [text for _stream, text in of_stream]


def facts_at(places: Mapping[UUID, int]) -> Iterator[StoredFact]:
    """Yield the facts that have these sequences in their streams; one query for so many streams at a time.

    What isn't stored is left out.
    """
    wanted = sorted(places)
    for start in range(0, len(wanted), _STREAMS):
        portion = wanted[start : start + _STREAMS]
        numbers = {places[stream] for stream in portion}
        for fact in stored_facts(Fact.objects.filter(stream__in=portion, sequence__in=numbers)):
            if places[fact.stream] == fact.sequence:
                yield fact


def head(stream_id: UUID) -> Head:
    """Return a stream's head; one that isn't here has the head of an empty stream's sequence 0."""
    return heads_of([stream_id])[stream_id]


def heads(scope: UUID, *, kind: str | None = None) -> list[Head]:
    """Return the heads of a scope's streams (of one kind) by stream id; one query, so all of one moment."""
    rows = Stream.objects.filter(scope=scope)
    if kind is not None:
        rows = rows.filter(kind=kind)
    return [Head._make(row) for row in rows.order_by("id").values_list("id", "head_sequence", "head_hash")]


def heads_of(stream_ids: Iterable[UUID]) -> dict[UUID, Head]:
    """Return the heads of these streams by stream id; one query. One that isn't here has an empty one."""
    found = {stream_id: Head(stream_id, 0, GENESIS) for stream_id in stream_ids}
    rows = Stream.objects.filter(pk__in=found).values_list("id", "head_sequence", "head_hash")
    return found | {row[0]: Head._make(row) for row in rows}


def of_kind(stream_ids: Iterable[UUID], kind: str) -> set[UUID]:
    """Return those of these streams that are of a kind; one query."""
    return set(Stream.objects.filter(pk__in=list(stream_ids), kind=kind).values_list("id", flat=True))


def last_recorded(stream_ids: Iterable[UUID]) -> dict[UUID, datetime]:
    """Return when the last fact of each of these streams was recorded, by stream id; one query.

    Streams without facts are left out.
    """
    rows = Fact.objects.filter(stream__in=list(stream_ids), sequence=F("stream__head_sequence"))
    return dict(rows.values_list("stream_id", "recorded_at"))


def recorded_at(stream_id: UUID, sequences: Collection[int]) -> dict[int, datetime]:
    """Return when a stream's facts of these sequences were recorded, by sequence; one query."""
    rows = Fact.objects.filter(stream_id=stream_id, sequence__in=sequences)
    return dict(rows.values_list("sequence", "recorded_at"))


def sequence_at(stream_id: UUID, moment: datetime) -> int:
    """How far a stream had come at a moment: the sequence of its last fact by then, 0 for none; one query."""
    rows = Fact.objects.filter(stream_id=stream_id, recorded_at__lte=moment).order_by("-sequence")
    return rows.values_list("sequence", flat=True).first() or 0


def lines_of(stream_id: UUID, client_ids: Iterable[UUID]) -> dict[UUID, int]:
    """Return the sequences of a stream's facts that were sent with these ids, by id; one query. What isn't
    stored is left out.
    """
    rows = Fact.objects.filter(stream_id=stream_id, client_id__in=list(client_ids))
    return {key: line for key, line in rows.values_list("client_id", "sequence") if key is not None}


def stored_ids(client_ids: Collection[UUID]) -> set[UUID]:
    """Those of these clients' ids under which a fact is stored, in whatever stream; one query."""
    found = Fact.objects.filter(client_id__in=client_ids).values_list("client_id", flat=True)
    return {key for key in found if key is not None}


def _span(stream_id: UUID, after: int, until: int | None) -> QuerySet[Fact]:
    rows = Fact.objects.filter(stream_id=stream_id)
    if after:
        rows = rows.filter(sequence__gt=after)
    if until is not None:
        rows = rows.filter(sequence__lte=until)
    return rows.order_by("sequence")
