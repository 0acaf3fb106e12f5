"""Receipts: what the database's owner rewrites so that all fits is caught by a root on paper."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from ledger.entries import Chain
from ledger.findings import FindingCode
from ledger.hashing import GENESIS, microseconds, receipt_root
from ledger.models import Fact, Receipt, Stream
from ledger.read import facts, heads
from ledger.receipts import check_receipt, heads_text, make_receipt, sealed_heads
from tests.support.ledger import at_once, entries, found, stored, tampering

pytestmark = pytest.mark.django_db(transaction=True)


def rewrite(stream: UUID, *numbers: int) -> None:
    """Replace a whole stream by another history with hashes, ids and head that fit, as an owner could."""
    first = facts(stream)[0]
    chain = Chain(stream, 0, GENESIS, first.recorded_at)
    for entry in entries(*numbers):
        chain.add(entry)
    with tampering():
        Fact.objects.filter(stream=stream).delete()
        for fact in chain.facts:
            values: dict[str, Any] = fact._asdict()
            Fact.objects.create(stream_id=values.pop("stream"), **values)
        Stream.objects.filter(pk=stream).update(head_sequence=chain.sequence, head_hash=chain.hash)


def wrongs(
    receipt: Receipt, printed_root: str | None = None
) -> list[tuple[FindingCode, UUID | None, int | None]]:
    return [(item.wrong, item.stream, item.sequence) for item in check_receipt(receipt, printed_root)]


def test_receipt_seals_all_heads_of_its_scope() -> None:
    scope = uuid4()
    for numbers in ((1,), (1, 2), (1, 2, 3)):
        stored(*numbers, scope=scope)
    stored(1, scope=uuid4())
    receipt = make_receipt(scope)

    assert sealed_heads(receipt.heads) == heads(scope)
    assert receipt.heads == heads_text(heads(scope))
    assert receipt.root == receipt_root(GENESIS, scope, 1, receipt.heads, microseconds(receipt.made_at))
    assert wrongs(receipt, receipt.root.upper()) == []


def test_receipt_stays_right_when_facts_are_appended_later() -> None:
    scope = uuid4()
    stream = stored(1, scope=scope).facts[0].stream
    first = make_receipt(scope)
    stored(2, stream=stream, scope=scope)
    stored(1, scope=scope)
    second = make_receipt(scope)

    assert (second.number, second.previous_root) == (2, first.root)
    assert wrongs(first) == wrongs(second) == found() == []


def test_receipt_alone_catches_a_consistent_rewriting() -> None:
    scope = uuid4()
    stream = stored(1, 2, 3, scope=scope).facts[0].stream
    receipt = make_receipt(scope)
    rewrite(stream, 1, 7, 3)
    sealed = [(FindingCode.SEALED_OTHERWISE, stream, 3)]
    assert wrongs(receipt) == sealed
    assert found() == sealed
    # The twin: without a receipt nothing is wrong.
    Receipt.objects.all().delete()
    assert found() == []


def test_receipt_catches_a_shortened_and_a_removed_stream() -> None:
    scope = uuid4()
    short, gone = (stored(1, 2, 3, scope=scope).facts[0].stream for _ in range(2))
    receipt = make_receipt(scope)
    rewrite(short, 1)

    with tampering():
        Fact.objects.filter(stream=gone).delete()
        Stream.objects.filter(pk=gone).delete()

    assert sorted(wrongs(receipt)) == sorted(
        [(FindingCode.SEALED_MISSING, short, 3), (FindingCode.SEALED_MISSING, gone, 3)]
    )


def test_printed_root_catches_a_rewritten_receipt() -> None:
    scope = uuid4()
    stream = stored(1, 2, scope=scope).facts[0].stream
    printed = make_receipt(scope).root
    rewrite(stream, 9, 9)
    Receipt.objects.all().delete()
    forged = make_receipt(scope)

    assert found() == []
    assert wrongs(forged, printed) == [(FindingCode.RECEIPT_PRINTED, None, None)]


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"heads": "[]"}, [FindingCode.RECEIPT_ROOT]),
        ({"heads": "no JSON"}, [FindingCode.RECEIPT_ROOT]),
        ({"heads": "[[1, 2]]"}, [FindingCode.RECEIPT_ROOT]),
        ({"root": "f" * 64}, [FindingCode.RECEIPT_ROOT, FindingCode.RECEIPT_PREVIOUS]),
        ({"previous_root": "f" * 64}, [FindingCode.RECEIPT_PREVIOUS, FindingCode.RECEIPT_ROOT]),
        ({"number": 9}, [FindingCode.RECEIPT_MISSING] * 6 + [FindingCode.RECEIPT_ROOT]),
    ],
)
def test_altered_receipt_is_found(values: dict[str, Any], wrong: list[FindingCode]) -> None:
    scope = uuid4()
    stored(1, scope=scope)
    for _ in range(3):
        make_receipt(scope)
    Receipt.objects.filter(scope=scope, number=2).update(**values)

    assert [item for item, _, _ in found()] == wrong


def test_receipts_made_at_once_follow_each_other() -> None:
    scope = uuid4()
    stored(1, scope=scope)
    made = at_once(6, lambda _: make_receipt(scope).number)

    assert sorted(made) == [1, 2, 3, 4, 5, 6]
    assert found() == []


def test_receipt_over_many_streams_catches_a_rewriting() -> None:
    scope = uuid4()
    streams = [stored(1, scope=scope).facts[0].stream for _ in range(230)]

    receipt = make_receipt(scope)
    rewrite(streams[-1], 2)

    assert wrongs(receipt) == [(FindingCode.SEALED_OTHERWISE, streams[-1], 1)]
