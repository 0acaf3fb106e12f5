"""Deleting a scope whole: the one way by which facts ever go."""

from uuid import UUID

from django.db import connection, transaction

from ledger.errors import ScopeDeletedError
from ledger.models import Fact, OutboxMessage, Receipt, Stream, Tombstone
from ledger.receipts import make_receipt, sealed_heads
from ledger.triggers import lifted_triggers
from ledger.writer_lock import keep_writers_waiting


def delete_scope(scope: UUID) -> Tombstone:
    """Delete all streams of a scope with their facts, due rows and receipts; return the tombstone that is
    left.

    An operator's command. It makes a last receipt, which the tombstone keeps. Writers wait until it is done,
    and those of this scope are refused from then on. In a larger transaction call it first, before anything
    else is locked. Raises ScopeDeletedError if the scope was deleted before.
    """
    with transaction.atomic():
        keep_writers_waiting()
        if Tombstone.objects.filter(scope=scope).exists():
            raise ScopeDeletedError(scope)
        receipt = make_receipt(scope)
        streams = Stream.objects.filter(scope=scope)
        OutboxMessage.objects.filter(stream__in=streams.values("pk")).delete()
        with lifted_triggers(connection):
            Fact.objects.filter(stream__in=streams.values("pk")).delete()
        streams.delete()
        sealed = sealed_heads(receipt.heads)
        Receipt.objects.filter(scope=scope).delete()
        return Tombstone.objects.create(
            scope=scope,
            deleted_at=receipt.made_at,
            streams=len(sealed),
            facts=sum(head.sequence for head in sealed),
            receipt_number=receipt.number,
            receipt_previous_root=receipt.previous_root,
            receipt_root=receipt.root,
            receipt_heads=receipt.heads,
            receipt_made_at=receipt.made_at,
        )
