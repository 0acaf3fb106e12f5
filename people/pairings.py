"""Pairing a referee's phone with an event: the phone asks, desk or day's PIN admit, the desk revokes."""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from people import audit
from people.actors import Actor, new_secret, secret_hash
from people.entries import lock_event
from people.models import Account, Event, Pairing, PinAttempt, Referee

COOKIE = "__Host-pairing" if settings.HTTPS else "pairing"
COOKIE_SECONDS = 60 * 60 * 24 * 14
# Easily told apart when called across a tent; two of them are shown on the phone and at the desk.
CHECK_WORDS = (
    "sole",
    "luna",
    "pane",
    "vino",
    "gatto",
    "fiume",
    "monte",
    "pera",
    "rosa",
    "treno",
    "barca",
    "neve",
)
# A PIN has six digits: ten tries in ten minutes leave a guesser one chance in seven hundred for a whole day.
PIN_TRIES = 10
PIN_WINDOW = timedelta(minutes=10)
SEEN_EVERY = timedelta(minutes=1)


def pairing_of_request(request: Any) -> Pairing | None:
    """The pairing whose secret the phone's cookie holds, admitted or not, unless it was revoked."""
    secret = request.COOKIES.get(COOKIE)
    return pairing_of_secret(secret) if secret else None


def pairing_of_secret(secret: str) -> Pairing | None:
    """The pairing with this secret unless it was revoked; notes, once a minute at most, that it was seen."""
    pairing = (
        Pairing.objects.select_related("referee", "event")
        .filter(secret_hash=secret_hash(secret), revoked_at__isnull=True)
        .first()
    )
    if pairing is not None:
        _see(pairing)
    return pairing


def _see(pairing: Pairing) -> None:
    now = timezone.now()
    if pairing.last_seen_at is not None and now - pairing.last_seen_at < SEEN_EVERY:
        return
    pairing.last_seen_at = now
    # Of several requests at once one writes.
    Pairing.objects.filter(
        Q(last_seen_at=None) | Q(last_seen_at__lte=now - SEEN_EVERY), pk=pairing.pk
    ).update(last_seen_at=now)


def ask(referee: Referee) -> tuple[Pairing, str]:
    """A phone asks to act for this referee. Returns the pairing, not yet admitted, and its secret."""
    secret = new_secret()
    word = f"{secrets.choice(CHECK_WORDS)} {secrets.randbelow(90) + 10}"
    pairing = Pairing.objects.create(
        event=referee.event, referee=referee, secret_hash=secret_hash(secret), check_word=word
    )
    return pairing, secret


def admit(pairing: Pairing, account: Account) -> None:
    """The desk lets the phone in; a phone that was shut out stays out."""
    _admit(pairing, Pairing.AdmittedBy.DESK, Actor.of_account(account))


def admit_by_pin(pairing: Pairing, pin: str) -> bool:
    """Let the phone in if the PIN is the day's; False if it isn't, or while the PIN is paused.

    The try is noted before the PIN is compared, so that many at once are not more than `PIN_TRIES`.
    """
    if not pairing.event.day_pin:
        return False
    attempt = _try_pin(pairing.event)
    if attempt is None or not check_password(pin, pairing.event.day_pin):
        return False
    attempt.delete()
    return _admit(pairing, Pairing.AdmittedBy.PIN, Actor.of_pairing(pairing))


def pin_paused(event: Event) -> bool:
    """True after too many wrong PINs at this event, from whatever phones: only the desk admits."""
    return _recent_tries(event) >= PIN_TRIES


def _recent_tries(event: Event) -> int:
    return PinAttempt.objects.filter(event=event, at__gt=timezone.now() - PIN_WINDOW).count()


@transaction.atomic
def _try_pin(event: Event) -> PinAttempt | None:
    """Note one more try; None if there were too many."""
    lock_event(event)
    if pin_paused(event):
        return None
    now = timezone.now()
    PinAttempt.objects.filter(event=event, at__lte=now - PIN_WINDOW).delete()
    return PinAttempt.objects.create(event=event, at=now)


@transaction.atomic
def _admit(pairing: Pairing, by: str, actor: Actor) -> bool:
    current = Pairing.objects.select_for_update().get(pk=pairing.pk)
    if current.revoked_at is not None:
        return False
    if current.admitted_at is None:
        values = {"admitted_at": timezone.now(), "admitted_by": by, "admitted_by_account": actor.account}
        audit.change(pairing, actor, pairing.event_id, values)
    return True


@transaction.atomic
def revoke(pairing: Pairing, actor: Actor) -> None:
    """Shut the phone out, at once and for good; a new pairing has to be asked for."""
    if pairing.revoked_at is None:
        audit.change(pairing, actor, pairing.event_id, {"revoked_at": timezone.now()})


@transaction.atomic
def set_day_pin(event: Event, actor: Actor) -> str:
    """Make a new PIN of six digits for the day and return it; phones that are in stay in.

    Wrong tries at the old PIN are forgotten.
    """
    pin = f"{secrets.randbelow(1_000_000):06}"
    audit.change(event, actor, event.pk, {"day_pin": make_password(pin)})
    PinAttempt.objects.filter(event=event).delete()
    return pin
