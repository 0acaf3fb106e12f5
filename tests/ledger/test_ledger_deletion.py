"""Deleting a scope whole: all of it, nothing else, and a tombstone is left."""

import threading
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.db import connection, transaction

from ledger import deletion
from ledger.append import append
from ledger.deletion import delete_scope
from ledger.errors import ScopeDeletedError
from ledger.hashing import microseconds, receipt_root
from ledger.models import Fact, OutboxMessage, Receipt, Stream, Tombstone
from ledger.outbox import announce, pending
from ledger.read import facts, heads
from ledger.receipts import heads_text, make_receipt
from ledger.stream_import import import_stream
from ledger.triggers import triggers_in_place
from ledger.writer_lock import keep_writers_waiting
from tests.support.ledger import KIND, at_once, entries, found, stored

pytestmark = pytest.mark.django_db(transaction=True)


def test_delete_scope_removes_all_of_it_and_nothing_else() -> None:
    scope, other, group = uuid4(), uuid4(), uuid4()
    gone = [stored(1, 2, scope=scope).facts[0].stream for _ in range(3)]
    kept = stored(1, 2, scope=other)
    make_receipt(scope)
    make_receipt(other)
    announce("standings", group, gone[0], 1)
    announce("standings", other, kept.facts[0].stream, 1)

    sealed = heads_text(heads(scope))
    tombstone = delete_scope(scope)

    assert (tombstone.streams, tombstone.facts, tombstone.receipt_number) == (3, 6, 2)
    assert tombstone.receipt_heads == sealed
    assert tombstone.receipt_root == receipt_root(
        tombstone.receipt_previous_root, scope, 2, sealed, microseconds(tombstone.receipt_made_at)
    )
    assert [facts(stream) for stream in gone] == [[], [], []]
    assert facts(kept.facts[0].stream) == list(kept.facts)
    assert list(Stream.objects.values_list("scope", flat=True)) == [other]
    assert list(Receipt.objects.values_list("scope", flat=True)) == [other]
    assert pending("standings") == [other]
    assert triggers_in_place(connection)
    assert found() == []


def test_deleted_scope_refuses_facts_imports_and_deletion() -> None:
    scope = uuid4()
    answer = stored(1, scope=scope)
    stream = answer.facts[0].stream
    delete_scope(scope)
    with pytest.raises(ScopeDeletedError):
        append(stream, KIND, scope, None, entries(1))
    with pytest.raises(ScopeDeletedError):
        append(uuid4(), KIND, scope, 0, entries(1))
    with pytest.raises(ScopeDeletedError):
        import_stream(KIND, scope, answer.facts)
    with pytest.raises(ScopeDeletedError):
        delete_scope(scope)

    assert Stream.objects.count() == Fact.objects.count() == 0


def test_delete_scope_without_facts_leaves_a_tombstone() -> None:
    tombstone = delete_scope(uuid4())
    assert (tombstone.streams, tombstone.facts, tombstone.receipt_heads) == (0, 0, "[]")


def test_delete_scope_that_fails_half_way_changes_nothing() -> None:
    scope = uuid4()
    stream = stored(1, 2, scope=scope).facts[0].stream
    with (
        mock.patch.object(Tombstone.objects, "create", side_effect=ZeroDivisionError),
        pytest.raises(ZeroDivisionError),
    ):
        delete_scope(scope)

    assert len(facts(stream)) == 2
    assert not Receipt.objects.exists()
    assert triggers_in_place(connection)
    assert found() == []


def test_delete_scope_works_in_a_transaction_that_has_just_written() -> None:
    scope, group = uuid4(), uuid4()
    with transaction.atomic():
        stream = stored(1, 2, scope=scope).facts[0].stream
        announce("standings", group, stream, 2)
        delete_scope(scope)
        stored(1)

    assert Fact.objects.count() == 1
    assert not OutboxMessage.objects.exists()
    assert triggers_in_place(connection)


@pytest.mark.postgresql
def test_delete_scope_makes_a_writer_wait_and_refuses_it() -> None:
    """PostgreSQL only: on SQLite no other transaction runs meanwhile."""
    scope = uuid4()
    stored(1, scope=scope)
    locked, going_on, stopped = threading.Event(), threading.Event(), threading.Event()
    keep_waiting = keep_writers_waiting

    def announce_lock() -> None:
        keep_waiting()
        locked.set()
        assert going_on.wait(60)

    def work(place: int) -> Any:
        if place == 0:
            with mock.patch.object(deletion, "keep_writers_waiting", announce_lock):
                try:
                    return delete_scope(scope)
                finally:
                    stopped.set()
        if place == 1:
            assert locked.wait(60)
            return append(uuid4(), KIND, scope, 0, entries(1))
        assert locked.wait(60)
        while not waiting_for_a_lock() and not stopped.wait(0.01):
            pass
        # Readers don't wait.
        count = Fact.objects.count()
        going_on.set()
        return count

    tombstone, refusal, count = at_once(3, work)

    assert isinstance(tombstone, Tombstone)
    assert isinstance(refusal, ScopeDeletedError)
    assert count == 1
    assert not Stream.objects.exists()
    assert found() == []


def waiting_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT EXISTS (
                SELECT 1 FROM pg_locks WHERE relation = 'ledger_stream'::regclass AND NOT granted)"""
        )
        (waiting,) = cursor.fetchone()
    return bool(waiting)


def test_delete_scope_leaves_writers_of_other_scopes_alone() -> None:
    scope, other = uuid4(), uuid4()
    stored(1, scope=scope)
    streams = [uuid4() for _ in range(4)]

    def work(place: int) -> Any:
        if place == 0:
            return delete_scope(scope).facts
        return [append(streams[place % 4], KIND, other, None, entries(place)).version > 0 for _ in range(5)]

    results = at_once(9, work)

    assert results == [1, *[[True] * 5] * 8]
    assert triggers_in_place(connection)
    assert found() == []
