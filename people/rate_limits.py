"""Rate limits on guessing: so many wrong tries in a while, then a pause. They hold for all processes alike.

Right tries cost nothing, so that a tent full of people behind one address never comes to a limit. Many tries
at once are no more than as many one by one: what takes a while to compare is noted before (`begin`), and what
is looked up in a moment is looked up one after another (`look_up`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from people.models import Try
from people.refusals import Refused

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How many wrong tries of one key (an account, an address, both) there may be in how long."""

    name: str
    tries: int
    window: timedelta


class RateLimitedError(Refused):
    """Too many wrong tries; after `wait` seconds the next one is looked at."""

    def __init__(self, until: datetime) -> None:
        wait = _seconds_to(until)
        minutes = in_minutes(wait)
        told = ngettext(
            "Too many wrong tries. Try again in %(count)d minute: until then not even the right one counts.",
            "Too many wrong tries. Try again in %(count)d minutes: until then not even the right one counts.",
            minutes,
        ) % {"count": minutes}
        super().__init__("too-many-tries", told, status=429, wait=wait)


@dataclass(frozen=True, slots=True)
class CountedAttempt:
    """A try that is being looked at; left alone, it was a wrong one."""

    noted: tuple[int, ...]

    def was_right(self) -> None:
        """Forget it: only wrong ones count."""
        Try.objects.filter(pk__in=self.noted).delete()


def begin(*keys: tuple[RateLimit, str]) -> CountedAttempt:
    """Note a try at each of these limits with its key; `RateLimitedError` where a key has had too many.

    To be called outside of transactions, so that other processes see it at once; or in one of its own with a
    lock that all tries of a key wait for. One query, and one more for each limit.
    """
    now = timezone.now()
    rows = [Try(limit=limit.name, whose=_hash(limit, key), at=now) for limit, key in keys]
    attempt = CountedAttempt(tuple(row.pk for row in Try.objects.bulk_create(rows)))
    pauses = []
    for (limit, _key), row in zip(keys, rows, strict=True):
        others = Try.objects.exclude(pk=row.pk)
        if until := _paused_until(limit, others.filter(whose=row.whose), now):
            pauses.append(until)
    if pauses:
        attempt.was_right()
        raise RateLimitedError(max(pauses))
    return attempt


def look_up(limit: RateLimit, key: str, find: Callable[[], Found | None]) -> Found | None:
    """What `find` finds, in a moment, for somebody with this key; None is noted as a wrong try.

    Raises `RateLimitedError` where the key has had too many, whatever would be found. Tries of one key wait
    for each other; nothing is written unless one is wrong. To be called outside of transactions. One query
    besides those of `find`, on PostgreSQL two, and one more for a wrong try.
    """
    with _one_by_one(limit, key):
        check(limit, key)
        found = find()
        if found is None:
            Try.objects.create(limit=limit.name, whose=_hash(limit, key), at=timezone.now())
    return found


@contextmanager
def _one_by_one(limit: RateLimit, key: str) -> Iterator[None]:
    """Wait until other tries of this key have been looked up, and have later ones wait for this one."""
    if connection.vendor == "postgresql":
        number = int.from_bytes(bytes.fromhex(_hash(limit, key))[:8], signed=True)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
            yield
    else:
        with _LOOKING_UP:
            yield


def check(limit: RateLimit, key: str) -> None:
    """`RateLimitedError` where a key has had too many wrong tries. One query.

    By itself, with `note_wrong` afterwards, it lets as many through as are looked at at once: for codes that
    open nothing.
    """
    if until := _until(limit, key):
        raise RateLimitedError(until)


def seconds_of_pause(limit: RateLimit, key: str) -> int:
    """In how many seconds the next try of this key is looked at, rounded up; 0 where it is now. One query."""
    until = _until(limit, key)
    return _seconds_to(until) if until else 0


def in_minutes(seconds: int) -> int:
    """How many minutes pages say where it is so many seconds: rounded up."""
    return ceil(seconds / 60)


def _seconds_to(until: datetime) -> int:
    return max(1, ceil((until - timezone.now()).total_seconds()))


def _until(limit: RateLimit, key: str) -> datetime | None:
    return _paused_until(limit, Try.objects.filter(whose=_hash(limit, key)), timezone.now())


def _paused_until(limit: RateLimit, tries: QuerySet[Try], now: datetime) -> datetime | None:
    """Until when the next of these tries isn't looked at; None where it is."""
    noted = tries.filter(limit=limit.name, at__gt=now - limit.window)
    latest = list(noted.order_by("-at").values_list("at", flat=True)[: limit.tries])
    return latest[-1] + limit.window if len(latest) >= limit.tries else None


def note_wrong(limit: RateLimit, key: str, tried: str) -> None:
    """Note that a key has tried something wrong; the same again within the window isn't another guess."""
    now = timezone.now()
    same = _hash(limit, f"{key} {tried}")
    if not Try.objects.filter(limit=limit.name, whose=same, at__gt=now - limit.window).exists():
        whose = (_hash(limit, key), same)
        Try.objects.bulk_create(Try(limit=limit.name, whose=each, at=now) for each in whose)


def take_back(limit: RateLimit, key: str) -> None:
    """Forget the latest try of this key, which has turned out to be a right one."""
    last = Try.objects.filter(limit=limit.name, whose=_hash(limit, key)).order_by("-at", "-pk").first()
    if last is not None:
        last.delete()


def forget(*keys: tuple[RateLimit, str]) -> None:
    """Forget all tries of these keys."""
    for limit, key in keys:
        Try.objects.filter(limit=limit.name, whose=_hash(limit, key)).delete()


def drop_past(now: datetime) -> None:
    """Forget what counts at no limit any more."""
    Try.objects.filter(at__lte=now - LONGEST).delete()


LONGEST = timedelta(hours=1)
"""No window is longer."""
_LOOKING_UP = Lock()
"""On SQLite one process serves. Its own lock, unlike that of a transaction, keeps no results waiting."""


def _hash(limit: RateLimit, key: str) -> str:
    return salted_hmac(f"people.rate_limits.{limit.name}", key, algorithm="sha256").hexdigest()
