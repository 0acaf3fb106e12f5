"""Pairing a referee's phone with an event: the phone asks, desk or day's PIN admit, the desk revokes."""

import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.outages import Outage, outage_of
from people import audit, device_admissions
from people.actors import Actor, new_secret, secret_hash
from people.check_words import draw_check_word
from people.client_network import place_hash
from people.entries import lock_event
from people.event_days import is_over
from people.models import Account, Event, Pairing, Referee
from people.number_parsing import whole_number
from people.rate_limits import (
    CountedAttempt,
    RateLimit,
    RateLimitedError,
    begin,
    forget,
    in_minutes,
    seconds_of_pause,
    take_back,
)
from people.refusals import Refused

COOKIE = "__Host-pairing" if settings.HTTPS else "pairing"
COOKIE_SECONDS = 60 * 60 * 24 * 14
# A PIN has six digits: ten tries in ten minutes leave a guesser one chance in seven hundred for a whole day.
DAY_PIN = RateLimit("day-pin", 10, timedelta(minutes=10))
SEEN_EVERY = timedelta(minutes=1)
# A card lies where every child sees it, and asking needs nothing else. So there are limits for one address:
# as one referee, and as all of them together. A phone that is let in doesn't count.
ASKING_AS = RateLimit("pairing-referee", 10, timedelta(minutes=10))
ASKING = RateLimit("pairing-place", 60, timedelta(minutes=10))
# So many phones may wait for one referee, and at one event. Beyond that the address with most makes room.
MOST_OF_REFEREE = 50
MOST_WAITING = 500
# A phone that nobody has let in by then has to ask again.
WAITS = timedelta(hours=2)
# With each request a phone's scripts say how many entries wait on it.
QUEUE_HEADER = "Tendone-Queue"
MOST_QUEUED = 9_999


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a request tells of the phone that sends it; None where it doesn't say."""

    table: int | None = None
    queue: int | None = None

    @classmethod
    def of(cls, request: Any) -> "Sighting":
        """The number of the table that the request is about, and the length of the phone's queue.

        A page at a table has left its number on the request. A header that isn't a number says nothing.
        """
        queue = whole_number(request.headers.get(QUEUE_HEADER, ""), MOST_QUEUED)
        return cls(getattr(request, "table_number", None), queue)


def pairing_of_request(request: Any) -> Pairing | None:
    """The pairing whose secret the phone's cookie holds, admitted or not, unless revoked or over."""
    secret = request.COOKIES.get(COOKIE)
    return pairing_of_secret(secret, Sighting.of(request)) if secret else None


def pairing_of_secret(secret: str, sighting: Sighting) -> Pairing | None:
    """The pairing with this secret unless it was revoked or its time is over; notes, once a minute at most,
    that it was seen.
    """
    pairing = (
        Pairing.objects.select_related("referee", "event")
        .filter(secret_hash=secret_hash(secret), revoked_at__isnull=True)
        .first()
    )
    if pairing is None or is_over(pairing):
        return None
    if pairing.admitted_at is None and pairing.asked_at <= timezone.now() - WAITS:
        return None
    _see(pairing, sighting)
    return pairing


def _see(pairing: Pairing, sighting: Sighting) -> None:
    now = timezone.now()
    if pairing.last_seen_at is not None and now - pairing.last_seen_at < SEEN_EVERY:
        return
    seen: dict[str, Any] = {"last_seen_at": now}
    if sighting.table is not None:
        seen["table_number"] = sighting.table
    if sighting.queue is not None:
        seen["queue"] = sighting.queue
    for name, value in seen.items():
        setattr(pairing, name, value)
    # Of several requests at once one writes.
    stale = Pairing.objects.filter(
        Q(last_seen_at=None) | Q(last_seen_at__lte=now - SEEN_EVERY), pk=pairing.pk
    )
    try:
        stale.update(**seen)
    except OperationalError as error:
        # Pages are read on a full disk, too.
        if outage_of(error) is not Outage.DISK_FULL:
            raise


def waiting(event: Event) -> QuerySet[Pairing]:
    """The phones that ask to be let in."""
    return Pairing.objects.filter(
        event=event, admitted_at=None, revoked_at=None, asked_at__gt=timezone.now() - WAITS
    )


def ask(referee: Referee, place: str) -> tuple[Pairing, str]:
    """Ask for a phone in this network (see `people.client_network`) to act for this referee. Returns the
    pairing, not yet admitted, and its secret. To be called outside of transactions.

    Raises `Refused` `too-many-asked` where there were too many such requests from there. Where too many
    wait, the request makes room for itself, see `_make_room`.
    """
    asked_from = place_hash(place)
    try:
        begin(*_limits(asked_from, referee))
    except RateLimitedError as limited:
        told = _too_many_asked(limited.wait)
        raise Refused("too-many-asked", told, status=429, wait=limited.wait) from limited
    secret = new_secret()
    with transaction.atomic():
        # Words are drawn and places counted by one request at a time.
        lock_event(referee.event)
        drop_expired(referee.event)
        _make_room(referee, asked_from)
        live = Pairing.objects.filter(event=referee.event, revoked_at=None)
        pairing = Pairing.objects.create(
            event=referee.event,
            referee=referee,
            secret_hash=secret_hash(secret),
            check_word=draw_check_word(set(live.values_list("check_word", flat=True))),
            asked_from=asked_from,
        )
    return pairing, secret


def _limits(asked_from: str, referee: Referee) -> tuple[tuple[RateLimit, str], ...]:
    return (ASKING_AS, f"{asked_from} {referee.pk}"), (ASKING, asked_from)


def _too_many_asked(seconds: int) -> str:
    minutes = in_minutes(seconds)
    return ngettext(
        "Too many phones have asked from here without being let in. Tell the desk, or ask again in "
        "%(count)d minute.",
        "Too many phones have asked from here without being let in. Tell the desk, or ask again in "
        "%(count)d minutes.",
        minutes,
    ) % {"count": minutes}


def _make_room(referee: Referee, asked_from: str) -> None:
    """Delete the oldest request of the address that has most of them, where too many wait.

    A flood from one address, or from some, so pushes out its own requests and no other's.
    """
    rows = list(waiting(referee.event).order_by("asked_at", "pk").only("pk", "referee_id", "asked_from"))
    of_referee = [row for row in rows if row.referee_id == referee.pk]
    if len(of_referee) >= MOST_OF_REFEREE:
        crowd = of_referee
    elif len(rows) >= MOST_WAITING:
        crowd = rows
    else:
        return
    counts = Counter([asked_from, *(row.asked_from for row in crowd)])
    most = max(counts[row.asked_from] for row in crowd)
    oldest = next(row for row in crowd if counts[row.asked_from] == most)
    _delete(Pairing.objects.filter(pk=oldest.pk, admitted_at=None))


def drop_expired(event: Event | None = None) -> int:
    """Delete requests, of one event or of all, that nobody has admitted in time; how many those were."""
    asked = Pairing.objects.filter(admitted_at=None, asked_at__lte=timezone.now() - WAITS)
    return _delete(asked if event is None else asked.filter(event=event))


@transaction.atomic
def _delete(requests: QuerySet[Pairing]) -> int:
    # The lock looks again at whether one was admitted meanwhile.
    locked = [row.pk for row in requests.select_for_update().order_by("pk").only("pk")]
    if locked:
        Pairing.objects.filter(pk__in=locked).delete()
    return len(locked)


def admit(pairing: Pairing, account: Account) -> bool:
    """The desk lets the phone in; False for one that was shut out or whose request is over: it stays out."""
    return _admit(pairing, Pairing.AdmittedBy.DESK, Actor.of_account(account))


def admit_by_pin(pairing: Pairing, pin: str) -> bool:
    """Let the phone in if the PIN is the day's; False if it isn't, or while the PIN is paused.

    The try is noted before the PIN is compared, so that many at once are not more than `DAY_PIN` allows.
    """
    if not pairing.event.day_pin:
        return False
    try:
        attempt = _try_pin(pairing.event)
    except RateLimitedError:
        return False
    if not check_password(pin, pairing.event.day_pin):
        return False
    attempt.was_right()
    return _admit(pairing, Pairing.AdmittedBy.PIN, Actor.of_pairing(pairing))


def pin_paused(event: Event) -> bool:
    """True after too many wrong PINs at this event, from whatever phones: only the desk admits."""
    return pin_pause(event) > 0


def pin_pause(event: Event) -> int:
    """Seconds until a PIN is looked at again at this event; 0 where it isn't paused."""
    return seconds_of_pause(DAY_PIN, str(event.pk))


@transaction.atomic
def _try_pin(event: Event) -> CountedAttempt:
    """Note one more try, one after another: of many at once the first ones count, and not none."""
    lock_event(event)
    return begin((DAY_PIN, str(event.pk)))


@transaction.atomic
def _admit(pairing: Pairing, by: str, actor: Actor) -> bool:
    current = Pairing.objects.select_for_update().filter(pk=pairing.pk).first()
    if current is None or current.revoked_at is not None:
        return False
    if current.admitted_at is None:
        _forget_asking(current)
        _let_in(pairing, by, actor)
    return True


def _let_in(pairing: Pairing, by: str, actor: Actor, **further: Any) -> None:
    admitted = {"admitted_at": timezone.now(), "admitted_by": by, "admitted_by_account": actor.account}
    audit.change(pairing, actor, pairing.event_id, admitted | further)
    device_admissions.record_admission(pairing, actor)


def _forget_asking(pairing: Pairing) -> None:
    """A phone that is let in asked rightly: it counts at no limit, and where it asked from is forgotten."""
    for limit, key in _limits(pairing.asked_from, pairing.referee):
        take_back(limit, key)
    Pairing.objects.filter(pk=pairing.pk).update(asked_from="")


@transaction.atomic
def revoke(pairing: Pairing, actor: Actor) -> None:
    """Shut the phone out, at once and for good; a new pairing has to be asked for."""
    current = Pairing.objects.select_for_update().filter(pk=pairing.pk, revoked_at=None).first()
    if current is not None and pairing.revoked_at is None:
        audit.change(pairing, actor, pairing.event_id, {"revoked_at": timezone.now()})
        if current.admitted_at is not None:
            device_admissions.record_revocation(current, actor)


@transaction.atomic
def turn_away(event: Event, actor: Actor) -> int:
    """Revoke all phones that ask to be let in; how many those were.

    From where they asked, phones may ask again at once: the referees' may be behind the same address.
    """
    refused = Pairing.objects.filter(event=event, admitted_at=None).select_related("referee")
    forget(*{key for each in refused for key in _limits(each.asked_from, each.referee)})
    asking = list(waiting(event).select_for_update().order_by("pk"))
    for pairing in asking:
        revoke(pairing, actor)
    return len(asking)


@transaction.atomic
def replace(old: Pairing, new: Pairing, account: Account) -> None:
    """Let `new` in and shut `old` out, both of the same referee: the phone broke, and this is the next one.

    Done a second time it changes nothing. Raises `Refused` with `other-referee`, `not-admitted` (the old one
    was never in), `not-waiting` (the new one is in already) or `pairing-revoked`.
    """
    rows = Pairing.objects.select_for_update().filter(pk__in=[old.pk, new.pk]).order_by("pk")
    locked = {each.pk: each for each in rows}
    if new.pk not in locked:
        raise Refused("pairing-revoked", _("The new phone’s request is over; it has to ask again."))
    former, current = locked[old.pk], locked[new.pk]
    if current.replaces_id == former.pk and former.revoked_at is not None:
        return
    _check_replacing(former, current)
    actor = Actor.of_account(account)
    audit.change(former, actor, former.event_id, {"revoked_at": timezone.now()})
    device_admissions.record_revocation(former, actor)
    _forget_asking(current)
    _let_in(current, Pairing.AdmittedBy.DESK, actor, replaces=former)


def _check_replacing(old: Pairing, new: Pairing) -> None:
    if old.event_id != new.event_id or old.referee_id != new.referee_id:
        raise Refused("other-referee", _("A phone is only replaced by one of the same referee."))
    if new.revoked_at is not None:
        raise Refused("pairing-revoked", _("The new phone was turned away; it has to ask again."))
    if old.revoked_at is not None:
        raise Refused("pairing-revoked", _("The former phone is shut out already: let the new one in."))
    if old.admitted_at is None:
        raise Refused("not-admitted", _("The former phone was never let in: there is nothing to replace."))
    if new.admitted_at is not None:
        raise Refused("not-waiting", _("The new phone is in already: shut the former one out."))


@transaction.atomic
def set_day_pin(event: Event, actor: Actor) -> str:
    """Make a new PIN of six digits for the day and return it; phones that are in stay in.

    Wrong tries at the old PIN are forgotten.
    """
    pin = f"{secrets.randbelow(1_000_000):06}"
    audit.change(event, actor, event.pk, {"day_pin": make_password(pin)})
    forget((DAY_PIN, str(event.pk)))
    return pin
