"""Stores and finds answers to calls that had a key of the caller's own."""

from datetime import datetime, timedelta
from uuid import UUID

from cryptography.fernet import Fernet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ledger.errors import ClientIdReusedError
from people.actors import Actor
from people.encryption import fernet_for
from people.models import Event, StoredAnswer

KEPT = timedelta(days=1)
"""For how long a call that is sent again is answered alike."""


def claim(actor: Actor, key: UUID, said: bytes, event: Event | None) -> tuple[StoredAnswer, bool]:
    """The row of a call, and whether it is new; `said` is its address and its body.

    Within a transaction: of two who claim the same key at once, one waits for what becomes of the other.
    Raises ClientIdReusedError for a key of a call to another address, or with another body.
    """
    whose = _hash("whose", f"{actor.kind} {actor.id} {key}".encode())
    digest, now = _hash("said", said), timezone.now()
    fresh = {"said": digest, "event": event, "at": now}
    row, is_new = StoredAnswer.objects.get_or_create(whose=whose, defaults=fresh)
    if row.at < now - KEPT:
        row.delete()
        return StoredAnswer.objects.create(whose=whose, **fresh), True
    if row.said != digest:
        raise ClientIdReusedError(key)
    return row, is_new


def store(row: StoredAnswer, key: UUID, status: int, answer: str) -> None:
    """Store what a call was answered."""
    row.status, row.answer = status, _box(key).encrypt(answer.encode()).decode()
    row.save(update_fields=["status", "answer"])


def read(row: StoredAnswer, key: UUID) -> str:
    """What a call was answered."""
    return _box(key).decrypt(row.answer.encode()).decode()


def drop_old(now: datetime) -> None:
    """Forget the answers that nobody is given any more."""
    StoredAnswer.objects.filter(at__lt=now - KEPT).delete()


def _hash(purpose: str, value: bytes) -> str:
    return salted_hmac(f"people.stored_answers.{purpose}", value, algorithm="sha256").hexdigest()


def _box(key: UUID) -> Fernet:
    return fernet_for(b"tendone answers " + key.bytes)
