"""Receipts: one root hash over all heads of a scope, to be printed and published.

Verification finds what doesn't fit together. What the database's owner has rewritten so that it does fit is
caught by a root that somebody else has on paper.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from ledger.entries import Head
from ledger.findings import Finding, FindingCode
from ledger.hashing import GENESIS, canonical, microseconds, receipt_root
from ledger.models import Fact, Receipt
from ledger.read import heads

# Not from within a word: a letter that precedes the number on paper may be a digit, too.
_ROOT = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]\s*){64}(?![0-9A-Za-z])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Compared:
    """A receipt beside what is stored now: what doesn't fit, how many facts it sealed, how many came
    since.
    """

    receipt: Receipt
    findings: tuple[Finding, ...]
    sealed: int
    since: int

    @property
    def holds(self) -> bool:
        """Whether all that was sealed is here as it was."""
        return not self.findings


def roots_in(text: str) -> list[str]:
    """The roots that stand in a text, as people type or paste them: with blanks, in an address, in a list."""
    return ["".join(found.group().split()).lower() for found in _ROOT.finditer(text)]


def compare(root: str, scope: UUID | None = None) -> Compared | None:
    """The receipt of this root (of a scope, or of any) beside what is stored.

    None if no receipt has it: then either it was copied wrongly, or somebody has rewritten the receipts.
    Three queries, and one more for each 200 further streams.
    """
    rows = Receipt.objects.filter(root=root)
    receipt = (rows if scope is None else rows.filter(scope=scope)).first()
    if receipt is None:
        return None
    findings = tuple(check_receipt(receipt, root))
    try:
        sealed = sum(head.sequence for head in sealed_heads(receipt.heads))
    except (TypeError, ValueError):
        sealed = 0
    now = sum(head.sequence for head in heads(receipt.scope))
    return Compared(receipt, findings, sealed, max(0, now - sealed))


def heads_text(heads: Iterable[Head]) -> str:
    """Return the canonical text of heads: a list of [stream, sequence, hash] by stream, without empty
    streams.
    """
    return canonical(
        [[str(head.stream), head.sequence, head.hash] for head in sorted(heads) if head.sequence]
    )


def make_receipt(scope: UUID) -> Receipt:
    """Store and return a receipt over the scope's heads as they are now, chained to the one before it."""
    while True:
        last = Receipt.objects.filter(scope=scope).order_by("-number").first()
        number, previous = (last.number + 1, last.root) if last else (1, GENESIS)
        text, now = heads_text(heads(scope)), timezone.now()
        receipt = Receipt(
            scope=scope,
            number=number,
            previous_root=previous,
            root=receipt_root(previous, scope, number, text, microseconds(now)),
            heads=text,
            made_at=now,
        )
        try:
            with transaction.atomic():
                receipt.save(force_insert=True)
        except IntegrityError:
            # Somebody made one at the same time; ours follows it. Their number can be seen now, so this ends.
            continue
        return receipt


def check_receipt(receipt: Receipt, printed_root: str | None = None) -> Iterator[Finding]:
    """Yield what doesn't fit: the receipt with itself and the printed root, and the facts now with what it
    sealed.

    Says that the sealed facts have the hashes that they had; that those hashes are right is for `verify` to
    say.
    """
    number = {"number": receipt.number}
    root, sealed = root_and_heads(
        receipt.previous_root, receipt.scope, receipt.number, receipt.heads, receipt.made_at
    )
    if root != receipt.root:
        yield Finding(FindingCode.RECEIPT_ROOT, details=number)
    if printed_root is not None and printed_root.lower() != receipt.root:
        yield Finding(FindingCode.RECEIPT_PRINTED, details=number)
    for start in range(0, len(sealed), 200):
        portion = sealed[start : start + 200]
        wanted = {(head.stream, head.sequence): head.hash for head in portion}
        rows = Fact.objects.filter(
            stream_id__in={head.stream for head in portion}, sequence__in={head.sequence for head in portion}
        )
        found = {
            (stream, sequence): hash
            for stream, sequence, hash in rows.values_list("stream_id", "sequence", "hash")
        }
        for (stream, sequence), hash in wanted.items():
            if (stream, sequence) not in found:
                yield Finding(FindingCode.SEALED_MISSING, stream, sequence, number)
            elif found[stream, sequence] != hash:
                yield Finding(FindingCode.SEALED_OTHERWISE, stream, sequence, number)


def check_receipts(scope: UUID | None = None) -> Iterator[Finding]:
    """Yield what is wrong with the receipts of a scope, or of all, and with what they sealed."""
    rows = Receipt.objects.order_by("scope", "number")
    if scope is not None:
        rows = rows.filter(scope=scope)
    last: Receipt | None = None
    for receipt in rows.iterator(chunk_size=100):
        same = last is not None and last.scope == receipt.scope
        number, root = (last.number, last.root) if last is not None and same else (0, GENESIS)
        for missing in range(number + 1, receipt.number):
            yield Finding(FindingCode.RECEIPT_MISSING, details={"number": missing})
        if receipt.number == number + 1 and receipt.previous_root != root:
            yield Finding(FindingCode.RECEIPT_PREVIOUS, details={"number": receipt.number})
        yield from check_receipt(receipt)
        last = receipt


def root_and_heads(
    previous: str, scope: UUID, number: int, heads: str, made_at: datetime
) -> tuple[str | None, list[Head]]:
    """Return the root that follows from what a receipt says, and the heads that it sealed.

    Where the receipt was altered so that it can't even be read, the root is None and there are no heads.
    """
    try:
        return receipt_root(previous, scope, number, heads, microseconds(made_at)), sealed_heads(heads)
    except (TypeError, ValueError):
        return None, []


def sealed_heads(text: str) -> list[Head]:
    """Return the heads in a receipt's text."""
    return [Head(UUID(stream), sequence, hash) for stream, sequence, hash in json.loads(text)]
