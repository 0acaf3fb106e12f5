"""Rate limits on guessing: so many wrong tries in a while, then a pause. They hold for all processes alike.

Right tries cost nothing, so that a tent full of people behind one address never comes to a limit. A try is
noted before it is looked at: many at once are no more than as many one by one.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from people.models import Try
from people.refusals import Refused


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How many wrong tries of one key (an account, an address, both) there may be in how long."""

    name: str
    tries: int
    window: timedelta


class RateLimitedError(Refused):
    """Too many wrong tries; after `wait` seconds the next one is looked at."""

    def __init__(self, until: datetime) -> None:
        wait = max(1, int((until - timezone.now()).total_seconds()) + 1)
        minutes = -(-wait // 60)
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

    To be called outside of transactions, so that other processes see it at once. One query, and one more for
    each limit.
    """
    now = timezone.now()
    rows = [Try(brake=limit.name, whose=_hash(limit, key), at=now) for limit, key in keys]
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


def check(limit: RateLimit, key: str) -> None:
    """`RateLimitedError` where a key has had too many wrong tries, which `note_wrong` counts. One query."""
    if until := _paused_until(limit, Try.objects.filter(whose=_hash(limit, key)), timezone.now()):
        raise RateLimitedError(until)


def _paused_until(limit: RateLimit, tries: QuerySet[Try], now: datetime) -> datetime | None:
    """Until when the next of these tries isn't looked at; None where it is."""
    noted = tries.filter(brake=limit.name, at__gt=now - limit.window)
    latest = list(noted.order_by("-at").values_list("at", flat=True)[: limit.tries])
    return latest[-1] + limit.window if len(latest) >= limit.tries else None


def note_wrong(limit: RateLimit, key: str, tried: str) -> None:
    """Note that a key has tried something wrong; the same again within the window isn't another guess."""
    now = timezone.now()
    same = _hash(limit, f"{key} {tried}")
    if not Try.objects.filter(brake=limit.name, whose=same, at__gt=now - limit.window).exists():
        whose = (_hash(limit, key), same)
        Try.objects.bulk_create(Try(brake=limit.name, whose=each, at=now) for each in whose)


def take_back(limit: RateLimit, key: str) -> None:
    """Forget the latest try of this key, which has turned out to be a right one."""
    last = Try.objects.filter(brake=limit.name, whose=_hash(limit, key)).order_by("-at", "-pk").first()
    if last is not None:
        last.delete()


def forget(*keys: tuple[RateLimit, str]) -> None:
    """Forget all tries of these keys."""
    for limit, key in keys:
        Try.objects.filter(brake=limit.name, whose=_hash(limit, key)).delete()


def drop_past(now: datetime) -> None:
    """Forget what counts at no limit any more."""
    Try.objects.filter(at__lte=now - LONGEST).delete()


LONGEST = timedelta(hours=1)
"""No window is longer."""


def _hash(limit: RateLimit, key: str) -> str:
    return salted_hmac(f"people.rate_limits.{limit.name}", key, algorithm="sha256").hexdigest()
