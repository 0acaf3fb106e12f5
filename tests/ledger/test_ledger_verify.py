"""Verification names each kind of tampering, at its place and once."""

from collections.abc import Callable
from datetime import timedelta
from itertools import combinations
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import timezone, translation

from ledger.append import append, insert_facts
from ledger.entries import Chain, NewFact, StoredFact
from ledger.findings import Finding, FindingCode
from ledger.hashing import GENESIS, Encoding, fact_hash, fact_id, microseconds
from ledger.models import Fact, Stream
from ledger.verify import check_streams, verify
from tests.support.ledger import (
    KIND,
    at_once,
    entries,
    fact_rows,
    found,
    stored,
    tampering,
    without_constraint,
)

pytestmark = pytest.mark.django_db(transaction=True)


def rehashed(stream: UUID, sequence: int, text: str) -> None:
    """Rewrite one fact so that its own hash and id fit."""
    fact = fact_rows(stream, sequence).get()
    hash = fact_hash(
        fact.previous_hash,
        stream,
        sequence,
        fact.type,
        text,
        microseconds(fact.recorded_at),
        fact.client_id,
        fact.client_digest,
    )
    fact_rows(stream, sequence).update(text=text, hash=hash, id=fact_id(hash))


def altered(**values: Any) -> Callable[[UUID], None]:
    def alter(stream: UUID) -> None:
        fact_rows(stream, 2).update(**values)

    return alter


def moved(stream: UUID) -> None:
    fact_rows(stream, 2).update(sequence=9)


def retimed(stream: UUID) -> None:
    fact_rows(stream, 2).update(
        recorded_at=fact_rows(stream, 2).get().recorded_at + timedelta(microseconds=1)
    )


def swapped(stream: UUID) -> None:
    for old, new in ((2, 99), (3, 2), (99, 3)):
        fact_rows(stream, old).update(sequence=new)


def headless(**values: Any) -> Callable[[UUID], None]:
    def alter(stream: UUID) -> None:
        Stream.objects.filter(pk=stream).update(**values)

    return alter


TAMPERINGS: dict[str, tuple[Callable[[UUID], Any], list[tuple[FindingCode, int]]]] = {
    "text": (altered(text="{}"), [(FindingCode.ALTERED, 2)]),
    "type": (altered(type="forged"), [(FindingCode.ALTERED, 2)]),
    "time": (retimed, [(FindingCode.ALTERED, 2)]),
    "hash": (altered(hash="f" * 64), [(FindingCode.ALTERED, 2), (FindingCode.PREVIOUS_HASH, 3)]),
    "previous hash": (
        altered(previous_hash="f" * 64),
        [(FindingCode.PREVIOUS_HASH, 2), (FindingCode.ALTERED, 2)],
    ),
    "a hash that is none": (
        altered(previous_hash="?"),
        [(FindingCode.PREVIOUS_HASH, 2), (FindingCode.ALTERED, 2)],
    ),
    "id": (altered(id=UUID(int=5)), [(FindingCode.ID, 2)]),
    "place": (
        moved,
        [
            (FindingCode.GAP, 2),
            (FindingCode.GAP, 5),
            (FindingCode.ALTERED, 9),
            (FindingCode.HEAD_SEQUENCE, 9),
        ],
    ),
    "order": (
        swapped,
        [
            (FindingCode.PREVIOUS_HASH, 2),
            (FindingCode.ALTERED, 2),
            (FindingCode.PREVIOUS_HASH, 3),
            (FindingCode.ALTERED, 3),
            (FindingCode.PREVIOUS_HASH, 4),
        ],
    ),
    "text and hash": (lambda stream: rehashed(stream, 2, "{}"), [(FindingCode.PREVIOUS_HASH, 3)]),
    "text and hash of the last": (lambda stream: rehashed(stream, 4, "{}"), [(FindingCode.HEAD_HASH, 4)]),
    "one deleted": (lambda stream: fact_rows(stream, 2).delete(), [(FindingCode.GAP, 2)]),
    "the last deleted": (lambda stream: fact_rows(stream, 4).delete(), [(FindingCode.HEAD_SEQUENCE, 3)]),
    "all deleted": (
        lambda stream: Fact.objects.filter(stream=stream).delete(),
        [(FindingCode.HEAD_SEQUENCE, 0)],
    ),
    "head's sequence": (headless(head_sequence=3), [(FindingCode.HEAD_SEQUENCE, 4)]),
    "head's hash": (headless(head_hash="f" * 64), [(FindingCode.HEAD_HASH, 4)]),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_verify_names_each_kind_of_tampering_at_its_place(name: str) -> None:
    tamper, expected = TAMPERINGS[name]
    scope = uuid4()
    stored(1, 2, scope=scope), stored(1, 2)
    stream = stored(1, 2, 3, 4, scope=scope).facts[0].stream

    with tampering():
        tamper(stream)

    assert found() == [(wrong, stream, sequence) for wrong, sequence in expected]
    assert found(scope) == found()
    assert found(uuid4()) == []


def written_by(*encodings: Encoding) -> UUID:
    """A stream of facts of these encodings, chained."""
    stream = Stream.objects.create(id=uuid4(), kind=KIND)
    made: list[StoredFact] = []
    for number, encoding in enumerate(encodings):
        previous = made[-1].hash if made else GENESIS
        link = Chain(stream.pk, number, previous, timezone.now(), encoding)
        made.append(link.add(NewFact("noted", {"n": number}, uuid4())))
    insert_facts(made)
    Stream.objects.filter(pk=stream.pk).update(head_sequence=len(made), head_hash=made[-1].hash)
    return stream.pk


def test_verify_accepts_a_stream_with_rising_encodings() -> None:
    written_by(*Encoding, max(Encoding))
    assert found() == []


@pytest.mark.parametrize(("later", "earlier"), list(combinations(sorted(Encoding, reverse=True), 2)))
def test_verify_finds_an_earlier_encoding_after_a_later_one(later: Encoding, earlier: Encoding) -> None:
    stream = written_by(earlier, later, earlier, later)
    assert found() == [(FindingCode.DOWNGRADED, stream, 3)]


def test_twin_downgraded_fact_is_altered_unseen_unless_encodings_compare() -> None:
    stream = written_by(Encoding.WITHOUT_CLIENT, Encoding.WITHOUT_NUMBER, Encoding.WITHOUT_CLIENT)
    with tampering():
        fact_rows(stream, 3).update(client_id=uuid4())
    assert found() == [(FindingCode.DOWNGRADED, stream, 3)]
    with mock.patch.object(Encoding, "__lt__", return_value=False):
        assert found() == []


def test_verify_finds_a_fact_moved_to_another_stream() -> None:
    one, other = (stored(1, 2).facts[0].stream for _ in range(2))
    with tampering():
        fact_rows(one, 2).update(stream=other, sequence=3)
    assert sorted(found()) == sorted(
        [
            (FindingCode.HEAD_SEQUENCE, one, 1),
            (FindingCode.PREVIOUS_HASH, other, 3),
            (FindingCode.ALTERED, other, 3),
            (FindingCode.HEAD_SEQUENCE, other, 3),
        ]
    )


def test_verify_finds_a_sequence_that_is_taken_twice() -> None:
    with without_constraint("ledger_fact_stream_sequence"):
        stream = stored(1, 2, 3).facts[0].stream
        fact_rows(stream, 3).update(sequence=2)
        assert [
            wrong for wrong, _, sequence in found() if sequence == 2 and wrong == FindingCode.REPEATED
        ] == [FindingCode.REPEATED]


def test_verify_finds_facts_without_their_stream() -> None:
    stream = stored(1, 2).facts[0].stream
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # What a restored backup without its foreign keys can look like.
            cursor.execute("SET session_replication_role = replica")
        Stream.objects.filter(pk=stream).delete()
        if connection.vendor == "postgresql":
            cursor.execute("RESET session_replication_role")
    assert found() == [(FindingCode.NO_STREAM, stream, 1), (FindingCode.NO_STREAM, stream, 2)]


def test_verify_finds_lost_triggers() -> None:
    assert found() == []
    with tampering():
        assert found() == [(FindingCode.UNGUARDED, None, None)]


def test_verify_findings_are_distinct_sentences() -> None:
    stream = stored(1, 2, 3, 4, 5).facts[0].stream
    with tampering():
        Fact.objects.filter(stream=stream, sequence__in=[2, 3]).delete()
        Stream.objects.filter(pk=stream).update(head_sequence=7)
    with translation.override("en"):
        assert [str(finding) for finding in verify()] == [
            "Facts are missing from here up to 3.",
            "The stream's head is at 7, its last fact at 5.",
        ]
        details = {"number": 1, "until": 2, "head": 3, "last": 4}
        sentences = {str(Finding(wrong, details=details)) for wrong in FindingCode}
    assert len(sentences) == len(FindingCode)


def test_verify_finds_nothing_in_a_stream_that_grows_meanwhile() -> None:
    first, *others = sorted(uuid4() for _ in range(4))
    for stream in (first, *others):
        append(stream, KIND, None, 0, entries(*range(1500)))
    with tampering():
        fact_rows(first, 1).update(text="{}")
    walk = check_streams()
    assert next(walk) == Finding(FindingCode.ALTERED, first, 1)
    # The walk has come to the first stream; somebody else goes on writing in those that it is to read.
    answers = at_once(3, lambda place: append(others[place], KIND, None, None, entries(1)))
    assert [answer.version for answer in answers] == [1501] * 3
    assert list(walk) == []


@pytest.mark.parametrize("streams", [1, 20])
def test_verify_costs_the_same_for_many_streams(streams: int, django_assert_max_num_queries: Any) -> None:
    for _ in range(streams):
        stored(*range(5))
    # One of them asks which reading version the database says.
    with django_assert_max_num_queries(7):
        assert found() == []
