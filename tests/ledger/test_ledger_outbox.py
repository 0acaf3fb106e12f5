"""The outbox: what is due stays due until somebody has worked; the message only wakes."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

from ledger.append import append
from ledger.entries import NewFact
from ledger.models import OutboxMessage
from ledger.outbox import Wake, announce, pending, settle, subscribe, take
from ledger.read import facts
from tests.support.ledger import KIND, entries
from tests.support.writes import rolled_back

pytestmark = pytest.mark.django_db(transaction=True)

TOPIC = "standings"
A, B = UUID(int=1), UUID(int=2)


@pytest.fixture
def woken() -> Iterator[list[UUID]]:
    groups: list[UUID] = []
    unsubscribe = subscribe(TOPIC, groups.append)
    yield groups
    unsubscribe()


def due(*groups: UUID, topic: str = TOPIC) -> None:
    with transaction.atomic():
        for group in groups:
            announce(topic, group, uuid4(), 1)


def test_outbox_wakes_each_group_once_after_the_commit(woken: list[UUID]) -> None:
    with transaction.atomic():
        due(A, B, A)
        due(A)
        assert woken == []
    assert woken == [A, B]
    due(A)
    assert woken == [A, B, A]
    assert len(take(TOPIC, A)) == 4


def test_outbox_wakes_nobody_after_a_rollback(woken: list[UUID]) -> None:
    with rolled_back():
        due(A)
    assert (woken, pending(TOPIC)) == ([], [])
    with transaction.atomic():
        with rolled_back():
            due(A, B)
        due(B)
    assert (woken, pending(TOPIC)) == ([B], [B])
    due(A)
    assert woken == [B, A]


def test_outbox_subscriber_may_announce_again(woken: list[UUID]) -> None:
    def once_more(group: UUID) -> None:
        if len(woken) < 3:
            due(group)

    unsubscribe = subscribe(TOPIC, once_more)
    due(A)
    unsubscribe()

    assert woken == [A, A, A]


def test_outbox_message_of_another_topic_wakes_nobody(woken: list[UUID]) -> None:
    due(A, topic="pages")
    assert (woken, pending("pages"), pending(TOPIC)) == ([], [A], [])


def test_outbox_logs_a_wake_that_fails_and_keeps_the_row(woken: list[UUID], caplog: Any) -> None:
    def broken(group: UUID) -> None:
        raise ConnectionError("no broker")

    with ExitStack() as subscriptions:
        wakes: list[Wake] = [broken, woken.append]
        for wake in wakes:
            subscriptions.callback(subscribe(TOPIC, wake))
        with caplog.at_level(logging.ERROR, "ledger.outbox"):
            due(A)

    assert [record.getMessage() for record in caplog.records] == [
        f"Nobody was woken for {TOPIC} of {A}; the row stays due."
    ]
    assert woken == [A, A]
    assert pending(TOPIC) == [A]


def test_outbox_logs_once_that_the_broker_is_away_and_once_that_it_is_back(
    woken: list[UUID], caplog: pytest.LogCaptureFixture
) -> None:
    is_away = True

    def call(group: UUID) -> None:
        if is_away:
            raise BrokerError("Connection refused")

    unsubscribe = subscribe(TOPIC, call)
    with caplog.at_level(logging.INFO, "ledger.outbox"):
        for group in (A, B, A):
            due(group)
        is_away = False
        due(A)
        due(B)
    unsubscribe()

    assert [(record.getMessage(), record.exc_info) for record in caplog.records] == [
        (f"The broker is away (Connection refused): what is due to {TOPIC} stays due.", None),
        (f"The broker is back for what is due to {TOPIC}.", None),
    ]
    assert pending(TOPIC) == [A, B]


def test_outbox_message_announced_after_take_stays_due() -> None:
    due(A)
    due(B)
    due(A)
    assert pending(TOPIC) == [A, B]
    ids = take(TOPIC, A)
    due(A)
    settle(ids)
    assert pending(TOPIC) == [B, A]
    assert len(take(TOPIC, A)) == 1
    settle(take(TOPIC, A) + take(TOPIC, B))
    settle([])
    assert pending(TOPIC) == []


def test_outbox_settles_many_rows() -> None:
    OutboxMessage.objects.bulk_create(
        OutboxMessage(topic=TOPIC, group=A, stream=B, sequence=number) for number in range(1, 1202)
    )
    ids = take(TOPIC, A)
    assert len(ids) == 1201
    settle(ids[:-1])
    assert take(TOPIC, A) == ids[-1:]


def test_outbox_message_is_stored_with_its_fact_in_five_queries(django_assert_num_queries: Any) -> None:
    stream = append(uuid4(), KIND, None, 0, entries(1)).facts[0].stream
    with transaction.atomic(), django_assert_num_queries(5):
        answer = append(stream, KIND, None, 1, [NewFact("noted", {}, uuid4())])
        announce(TOPIC, A, stream, answer.version)
    with rolled_back():
        announce(TOPIC, B, stream, append(stream, KIND, None, 2, entries(3)).version)
    assert (len(facts(stream)), pending(TOPIC)) == (2, [A])
