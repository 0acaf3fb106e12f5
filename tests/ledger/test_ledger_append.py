"""Appending: versions, clients' ids, batches that grow, and what it costs."""

from datetime import UTC, datetime
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.db import connection, transaction

from ledger import append as append_module
from ledger.append import append, open_stream
from ledger.entries import Head, NewFact, follow_up_id
from ledger.errors import ClientIdReusedError, ConflictError, OtherStreamError
from ledger.hashing import GENESIS, NotCanonicalError, fact_hash, fact_id, microseconds
from ledger.models import Fact, Stream
from ledger.read import facts, head, heads, heads_of, texts, texts_of
from tests.support.ledger import KIND, entries, found, stored

pytestmark = pytest.mark.django_db

A, B, C, D = (uuid4() for _ in range(4))


def sent(*ids: Any) -> list[NewFact]:
    return [NewFact("played", {"card": str(id)}, client_id=id) for id in ids]


def test_facts_are_stored_as_they_were_appended() -> None:
    stream, scope = uuid4(), uuid4()
    at = datetime(2026, 6, 13, 14, 0, 0, 123456, tzinfo=UTC)
    answer = append(
        stream,
        KIND,
        scope,
        0,
        [NewFact("opened", {"b": 1, "a": "è"}), NewFact("closed", None)],
        recorded_at=at,
    )
    first, second = answer.facts

    assert (first.stream, first.sequence, first.type, first.text) == (stream, 1, "opened", '{"a":"è","b":1}')
    assert (first.previous_hash, first.recorded_at, first.body) == (GENESIS, at, {"a": "è", "b": 1})
    assert first.hash == fact_hash(GENESIS, stream, 1, "opened", '{"a":"è","b":1}', microseconds(at))
    assert first.id == fact_id(first.hash)
    assert (second.sequence, second.text, second.previous_hash) == (2, "null", first.hash)
    assert (answer.added, answer.version, answer.head_hash) == (answer.facts, 2, second.hash)
    assert facts(stream) == [first, second]
    assert texts(stream) == [("opened", '{"a":"è","b":1}'), ("closed", "null")]
    assert head(stream) == Head(stream, 2, second.hash)
    assert found() == []


def test_facts_are_read_after_and_until_a_sequence() -> None:
    answer = stored(1, 2, 3, 4)
    stream = answer.facts[0].stream

    assert facts(stream, after=1, until=3) == list(answer.facts[1:3])
    assert facts(stream, after=4) == []
    assert texts(stream, after=3) == [("noted", '{"n":4}')]
    assert facts(uuid4()) == []


def test_texts_of_many_streams_are_read_at_once() -> None:
    one, other = sorted(stored(*said).facts[0].stream for said in ((1, 2), (3,)))
    assert list(texts_of([other, uuid4(), one])) == [
        (stream, [text for _type, text in texts(stream)]) for stream in (one, other)
    ]


def test_heads_of_a_scope_and_of_streams() -> None:
    scope, absent = uuid4(), uuid4()
    one, two = stored(1, scope=scope), stored(1, 2, scope=scope)
    stored(1, scope=uuid4())
    other = append(uuid4(), "match", scope, 0, entries(1))
    by_stream = {
        a.facts[0].stream: Head(a.facts[0].stream, a.version, a.head_hash) for a in (one, two, other)
    }

    assert heads(scope) == sorted(by_stream.values())
    assert heads(scope, kind="match") == [by_stream[other.facts[0].stream]]
    assert heads_of([*by_stream, absent]) == {**by_stream, absent: Head(absent, 0, GENESIS)}


def test_conflict_tells_the_current_version() -> None:
    stream = uuid4()
    append(stream, KIND, None, 0, entries(1))
    append(stream, KIND, None, 1, entries(2))

    with pytest.raises(ConflictError) as conflict:
        append(stream, KIND, None, 1, entries(3))

    assert conflict.value.current_version == 2
    assert texts(stream) == [("noted", '{"n":1}'), ("noted", '{"n":2}')]


def test_conflict_on_a_missing_stream_tells_version_zero() -> None:
    stream = uuid4()
    with pytest.raises(ConflictError) as conflict, transaction.atomic():
        append(stream, KIND, None, 3, entries(1))
    assert conflict.value.current_version == 0
    assert not Stream.objects.filter(pk=stream).exists()


def test_append_without_a_version_goes_to_the_end() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    assert append(stream, KIND, None, None, entries(2)).version == 2


def test_append_twice_is_one_fact_and_the_same_answer() -> None:
    stream = uuid4()
    first = append(stream, KIND, None, 0, sent(A))
    second = append(stream, KIND, None, 0, sent(A))

    assert second.facts == first.facts
    assert (second.added, second.version, second.head_hash) == ((), 1, first.head_hash)
    assert facts(stream) == list(first.facts)


def test_batch_that_grew_is_stored_once() -> None:
    stream = uuid4()
    first = append(stream, KIND, None, 0, sent(A, B))
    second = append(stream, KIND, None, 0, sent(A, B, C, D))
    assert second.facts[:2] == first.facts
    assert second.added == second.facts[2:]
    assert [fact.sequence for fact in second.facts] == [1, 2, 3, 4]
    # A phone that has heard of B, but not of D, sends the rest from the version that it knows.
    third = append(stream, KIND, None, 2, sent(C, D))
    assert (third.facts, third.added) == (second.added, ())


def test_batch_with_entries_before_its_version_is_stored_once() -> None:
    stream = uuid4()
    append(stream, KIND, None, 0, sent(A, B))
    assert append(stream, KIND, None, 2, sent(A, B, C)).version == 3


def test_batch_repeated_after_others_wrote_adds_nothing_new() -> None:
    stream = uuid4()
    first = append(stream, KIND, None, 0, sent(A))
    append(stream, KIND, None, 1, entries(1))
    assert append(stream, KIND, None, 0, sent(A)).facts == first.facts
    with pytest.raises(ConflictError) as conflict:
        append(stream, KIND, None, 0, sent(A, B))
    assert conflict.value.current_version == 2
    assert len(facts(stream)) == 2


def test_batch_with_a_new_entry_before_a_stored_one_is_a_conflict() -> None:
    stream = uuid4()
    append(stream, KIND, None, 0, sent(A))
    for batch in (sent(B, A), [*entries(1), *sent(A)]):
        with pytest.raises(ConflictError):
            append(stream, KIND, None, 1, batch)
    assert len(facts(stream)) == 1


def test_batch_with_an_entry_twice_stores_one_fact() -> None:
    answer = append(uuid4(), KIND, None, 0, sent(A, A, B))
    assert [fact.sequence for fact in answer.facts] == [1, 1, 2]
    with pytest.raises(ClientIdReusedError) as refusal:
        append(uuid4(), KIND, None, 0, [NewFact("played", 1, C), NewFact("played", 2, C)])
    assert refusal.value.client_id == C


@pytest.mark.parametrize(
    "other", [NewFact("played", {"card": "other"}, A), NewFact("drawn", {"card": str(A)}, A)]
)
def test_client_id_with_another_body_is_refused(other: NewFact) -> None:
    stream = uuid4()
    append(stream, KIND, None, 0, sent(A))

    with pytest.raises(ClientIdReusedError) as refusal:
        append(stream, KIND, None, 1, [other])

    assert refusal.value.client_id == A
    assert len(facts(stream)) == 1


def test_client_id_is_compared_by_the_body_that_was_sent() -> None:
    stream = uuid4()
    first = append(stream, KIND, None, 0, [NewFact("opened", {"seat": 7}, A, {"seat": "Anna"})])
    again = append(stream, KIND, None, 0, [NewFact("opened", {"seat": 8}, A, {"seat": "Anna"})])
    assert again.facts == first.facts
    with pytest.raises(ClientIdReusedError):
        append(stream, KIND, None, 0, [NewFact("opened", {"seat": 7}, A, {"seat": "Bruno"})])


def test_entry_of_three_facts_is_recognised_when_sent_again() -> None:
    stream = uuid4()
    sent_body = {"correct": 4}
    correction = [
        NewFact("voided", 4, A, sent_body),
        NewFact("played", 5, follow_up_id(A, 1), sent_body),
        NewFact("played", 6, follow_up_id(A, 2), sent_body),
    ]

    first = append(stream, KIND, None, 0, correction)
    again = append(stream, KIND, None, 0, correction)

    assert (again.facts, again.added) == (first.facts, ())


def test_client_id_of_a_refused_append_can_be_used_again() -> None:
    stream = uuid4()
    append(stream, KIND, None, 0, entries(1))
    with pytest.raises(ConflictError):
        append(stream, KIND, None, 0, sent(A))
    with pytest.raises(NotCanonicalError), transaction.atomic():
        append(stream, KIND, None, 1, [*sent(A), NewFact("played", 0.5)])  # type: ignore[arg-type]  # the error

    assert append(stream, KIND, None, 1, [NewFact("played", "another", A)]).version == 2


def test_stream_keeps_its_kind_and_scope() -> None:
    scope = uuid4()
    stream = stored(1, scope=scope).facts[0].stream
    for kind, other in ((KIND, uuid4()), (KIND, None), ("match", scope)):
        with pytest.raises(OtherStreamError):
            append(stream, kind, other, None, entries(2))


@pytest.mark.parametrize("type", ["", "Played", "card played", "x" * 65, "carta\n", "è"])
def test_fact_type_is_a_lower_case_word(type: str) -> None:
    with pytest.raises(ValueError, match="A fact's type is a lower-case word"):
        NewFact(type, {})


@pytest.mark.parametrize("length", [1, 200])
def test_append_costs_four_queries_however_long_the_stream(
    length: int, django_assert_num_queries: Any
) -> None:
    stream = stored(*range(length)).facts[0].stream
    with django_assert_num_queries(4):
        append(stream, KIND, None, length, sent(A))
    # Sent again: the stream and the ids.
    with django_assert_num_queries(2):
        append(stream, KIND, None, length, sent(A))


def test_append_to_an_open_stream_costs_no_more_queries(django_assert_num_queries: Any) -> None:
    stream = append(uuid4(), KIND, None, 0, sent(A)).facts[0].stream
    with django_assert_num_queries(4):
        opened = open_stream(stream, KIND, None)
        assert opened.version == 1
        assert list(opened.recognise(sent(A, B))) == [A]
        answer = opened.append(0, sent(A, B))
    assert (len(answer.added), opened.version, opened.head_hash) == (1, 2, answer.head_hash)
    assert opened.append(2, entries(1)).version == 3


def test_facts_texts_and_head_cost_one_query_each(django_assert_num_queries: Any) -> None:
    stream = stored(*range(30)).facts[0].stream
    for read in (facts, texts, head):
        with django_assert_num_queries(1):
            read(stream)


@pytest.mark.django_db(transaction=True)
def test_stream_is_opened_in_a_transaction_only() -> None:
    with pytest.raises(RuntimeError):
        open_stream(uuid4(), KIND, None)


@pytest.mark.django_db(transaction=True)
def test_append_refused_leaves_no_stream_and_no_fact() -> None:
    stream = append(uuid4(), KIND, None, 0, sent(A)).facts[0].stream
    other = uuid4()
    with pytest.raises(ClientIdReusedError):
        append(other, KIND, None, 0, [*entries(1), *sent(A)])
    with pytest.raises(NotCanonicalError):
        append(other, KIND, None, 0, [*entries(1), NewFact("noted", {"n": 0.5})])  # type: ignore[dict-item]  # the error

    assert list(Stream.objects.values_list("pk", flat=True)) == [stream]
    assert Fact.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_constraint_refuses_a_writer_whose_lock_failed() -> None:
    stream = stored(1).facts[0].stream
    stale = Stream.objects.get(pk=stream)
    stored(2, 3, stream=stream)
    reads = [stale]
    locked = append_module._locked
    with (
        mock.patch.object(append_module, "_locked", lambda id: reads.pop() if reads else locked(id)),
        pytest.raises(ConflictError) as conflict,
    ):
        append(stream, KIND, None, 1, entries(9))
    assert conflict.value.current_version == 3
    # In a transaction of the caller's nothing more can be read.
    with (
        mock.patch.object(append_module, "_locked", return_value=stale),
        pytest.raises(ConflictError) as conflict,
        transaction.atomic(),
    ):
        append(stream, KIND, None, 1, entries(9))
    assert conflict.value.current_version is None
    assert len(facts(stream)) == 3
    assert found() == []


@pytest.mark.django_db(transaction=True)
def test_head_is_moved_only_from_where_it_was_read() -> None:
    stream = stored(1).facts[0].stream

    def overtaken() -> None:
        with transaction.atomic():
            opened = open_stream(stream, KIND, None)
            Stream.objects.filter(pk=stream).update(head_sequence=5)
            opened.append(None, entries(2))

    with pytest.raises(ConflictError):
        overtaken()

    assert head(stream).sequence == 1
    assert len(facts(stream)) == 1
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
def test_late_conflict_that_is_swallowed_stores_nothing() -> None:
    stream = stored(1).facts[0].stream
    with transaction.atomic():
        opened = open_stream(stream, KIND, None)
        Stream.objects.filter(pk=stream).update(head_sequence=5)
        with pytest.raises(ConflictError):
            opened.append(None, entries(2))
    assert (head(stream).sequence, len(facts(stream))) == (1, 1)
