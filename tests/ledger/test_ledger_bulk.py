"""Appending in bulk gives what appending one by one gives."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from ledger import bulk
from ledger.append import append
from ledger.bulk import Batch, bulk_append
from ledger.deletion import delete_scope
from ledger.entries import NewFact
from ledger.errors import ClientIdReusedError, ConflictError, OtherStreamError
from ledger.models import Fact, Stream
from ledger.read import facts, head
from tests.ledger.support import KIND, entries, found, stored

pytestmark = pytest.mark.django_db

AT = datetime(2026, 6, 13, 14, 0, 0, 123456, tzinfo=UTC)


def test_the_same_facts_as_one_by_one() -> None:
    scope, streams = uuid4(), [uuid4() for _ in range(5)]
    assert (
        bulk_append((Batch(stream, KIND, scope, entries(1, 2, 3)) for stream in streams), recorded_at=AT)
        == 15
    )
    bulked = facts(streams[0])
    delete_scope(scope)
    assert append(streams[0], KIND, None, 0, entries(1, 2, 3), recorded_at=AT).facts == tuple(bulked)


def test_what_was_appended_in_bulk_is_continued() -> None:
    scope, streams = uuid4(), [uuid4() for _ in range(5)]
    bulk_append(Batch(stream, KIND, scope, entries(1, 2, 3)) for stream in streams)
    bulked = facts(streams[0])
    assert head(streams[0])[1:] == (3, bulked[-1].hash)
    assert append(streams[0], KIND, scope, 3, entries(4)).version == 4
    assert found() == []


def test_streams_that_are_here_are_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "MAX_STREAMS", 2)
    here = [stored(1, 2).facts[0].stream for _ in range(3)]
    batches = [Batch(stream, KIND, None, entries(3, 4), 2) for stream in here]
    batches += [Batch(uuid4(), KIND, None, entries(1))]
    # The same stream once more, wherever its end is.
    batches += [Batch(here[2], KIND, None, entries(5), None)]
    assert bulk_append(batches) == 8
    assert [head(stream).sequence for stream in here] == [4, 4, 5]
    assert found() == []


def test_a_stream_that_comes_twice_in_a_row_is_continued() -> None:
    stream = uuid4()
    batches = [Batch(stream, KIND, None, entries(1)), Batch(stream, KIND, None, entries(2), 1)]
    assert bulk_append(batches) == 2
    assert [fact.body for fact in facts(stream)] == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize("version", [0, 1, 3])
def test_all_or_nothing(version: int) -> None:
    here = stored(1, 2).facts[0].stream
    before = set(Fact.objects.values_list("pk", flat=True))
    with pytest.raises(ConflictError) as conflict, transaction.atomic():
        bulk_append([Batch(uuid4(), KIND, None, entries(1)), Batch(here, KIND, None, entries(3), version)])
    assert conflict.value.current_version == 2
    assert set(Fact.objects.values_list("pk", flat=True)) == before
    assert Stream.objects.count() == 1


def test_a_clients_id_that_is_known_and_a_stream_of_another_kind_are_refused() -> None:
    known = uuid4()
    here = append(uuid4(), KIND, None, 0, [NewFact("played", 1, known)]).facts[0].stream
    with pytest.raises(ClientIdReusedError), transaction.atomic():
        bulk_append([Batch(uuid4(), KIND, None, [NewFact("played", 1, known)])])
    with pytest.raises(OtherStreamError), transaction.atomic():
        bulk_append([Batch(here, "match", None, entries(1), 1)])


def test_queries_grow_with_portions_and_not_with_facts(django_assert_max_num_queries: Any) -> None:
    streams: list[UUID] = [uuid4() for _ in range(20)]
    with django_assert_max_num_queries(10):
        bulk_append(Batch(stream, KIND, None, entries(*range(10))) for stream in streams)
