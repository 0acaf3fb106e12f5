"""Two phones at once, fifty requests at once: each safeguard, and its twin that goes wrong without it."""

import threading
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction

from ledger.append import Appended, append, insert_facts
from ledger.entries import Chain, NewFact
from ledger.errors import ClientIdReusedError, ConflictError
from ledger.findings import FindingCode
from ledger.models import Fact, Stream
from ledger.read import facts, head, texts
from tests.support.ledger import KIND, at_once, entries, found, stored, without_constraint

pytestmark = pytest.mark.django_db(transaction=True)

SAME = UUID("5a3e8f5e-54a5-4a5e-8a5e-5a3e8f5e54a5")


def careless_append(stream: UUID, entry: NewFact, everybody_has_looked: threading.Barrier) -> None:
    """Append as somebody would who looks first, then writes, and locks nothing in between."""
    if entry.client_id is not None and Fact.objects.filter(client_id=entry.client_id).exists():
        return
    end = head(stream)
    everybody_has_looked.wait(60)
    chain = Chain(
        stream, end.sequence, end.hash, Stream.objects.get(pk=stream).facts.get(sequence=1).recorded_at
    )
    chain.add(entry)
    with transaction.atomic():
        insert_facts(chain.facts)
        Stream.objects.filter(pk=stream).update(head_sequence=chain.sequence, head_hash=chain.hash)


def append_number(stream: UUID, version: int, number: int) -> Appended:
    return append(stream, KIND, None, version, entries(number))


def test_append_by_two_writers_succeeds_once_and_conflicts_once() -> None:
    for _ in range(5):
        stream = stored(0).facts[0].stream
        results = at_once(2, partial(append_number, stream, 1))
        (conflict,) = (result for result in results if isinstance(result, ConflictError))
        (success,) = (result for result in results if not isinstance(result, Exception))
        assert conflict.current_version == 2
        assert facts(stream, after=1) == list(success.facts)
    assert found() == []


def test_twin_append_without_lock_and_constraint_succeeds_twice() -> None:
    with without_constraint("ledger_fact_stream_sequence"):
        stream = stored(0).facts[0].stream
        looked = threading.Barrier(2)
        assert at_once(2, lambda place: careless_append(stream, entries(place + 1)[0], looked)) == [
            None,
            None,
        ]
        assert [fact.sequence for fact in facts(stream)] == [1, 2, 2]
        assert (FindingCode.REPEATED, stream, 2) in found()


def test_append_without_the_lock_is_stopped_by_the_constraint() -> None:
    stream = stored(0).facts[0].stream
    looked = threading.Barrier(2)
    results = at_once(2, lambda place: careless_append(stream, entries(place + 1)[0], looked))

    assert [type(result) for result in results if result is not None] == [ConflictError]
    assert len(facts(stream)) == 2


def test_stream_created_by_two_writers_at_once_exists_once() -> None:
    for _ in range(5):
        stream = uuid4()
        results = at_once(2, partial(append_number, stream, 0))
        assert sorted(type(result).__name__ for result in results) == ["Appended", "ConflictError"]
        assert head(stream).sequence == 1
    assert found() == []


def test_append_by_many_writers_without_a_version_all_succeed() -> None:
    stream = uuid4()
    results = at_once(12, lambda place: append(stream, KIND, None, None, entries(place)).version)

    assert sorted(results) == list(range(1, 13))
    assert sorted(texts(stream)) == sorted(("noted", f'{{"n":{place}}}') for place in range(12))
    assert found() == []


def test_append_of_the_same_entry_by_fifty_at_once_is_one_fact() -> None:
    stream = uuid4()
    request = [NewFact("played", {"card": "R7"}, SAME)]
    results = at_once(50, lambda place: append(stream, KIND, None, 0, request).facts)

    assert results == [tuple(facts(stream))] * 50
    assert len(facts(stream)) == 1


def test_twin_entry_is_stored_often_without_lock_and_unique_client_id() -> None:
    request = NewFact("played", {"card": "R7"}, SAME)
    with without_constraint("ledger_fact_client_id"):
        streams = [stored(0).facts[0].stream for _ in range(10)]
        looked = threading.Barrier(10)
        at_once(10, lambda place: careless_append(streams[place], request, looked))
        assert Fact.objects.filter(client_id=SAME).count() == 10


def in_a_new_stream(request: list[NewFact], _: int) -> Appended:
    return append(uuid4(), KIND, None, 0, request)


def test_client_id_in_two_streams_at_once_is_stored_in_one() -> None:
    for _ in range(5):
        request = [NewFact("played", 1, uuid4())]
        results = at_once(2, partial(in_a_new_stream, request))
        assert sorted(type(result).__name__ for result in results) == ["Appended", "ClientIdReusedError"]
        (refusal,) = (result for result in results if isinstance(result, ClientIdReusedError))
        assert refusal.client_id == request[0].client_id
    assert Stream.objects.count() == 5


@pytest.mark.postgresql
def test_streams_do_not_wait_for_each_other() -> None:
    """PostgreSQL only: SQLite has one writer at a time, and the others wait."""
    one, other = stored(0).facts[0].stream, stored(0).facts[0].stream
    with transaction.atomic():
        append(one, KIND, None, 1, entries(1))
        # Would wait for ever, if the first transaction were in its way.
        (answer,) = at_once(1, lambda _: append(other, KIND, None, 1, entries(1)))
    assert answer.version == 2


def test_append_rolled_back_among_many_writers_leaves_no_gap() -> None:
    stream = uuid4()

    def work(place: int) -> int:
        with transaction.atomic():
            version = append(stream, KIND, None, None, entries(place)).version
            if place % 2:
                raise IntegrityError("something above fails")
            return version

    results = at_once(10, work)

    assert sorted(result for result in results if isinstance(result, int)) == [1, 2, 3, 4, 5]
    assert found() == []
