"""Pairing a referee's phone with an event: asked for by the phone, admitted by the desk or the day's PIN, revocable."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils import timezone

from people.actors import new_secret, secret_hash
from people.models import Account, Event, Pairing, Referee

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


def pairing_of_request(request: Any) -> Pairing | None:
    """The pairing whose secret the phone's cookie holds, admitted or not, unless it was revoked."""
    secret = request.COOKIES.get(COOKIE)
    if not secret:
        return None
    return (
        Pairing.objects.select_related("referee", "event")
        .filter(secret_hash=secret_hash(secret), revoked_at__isnull=True)
        .first()
    )


def ask(referee: Referee) -> tuple[Pairing, str]:
    """A phone asks to act for this referee. Returns the pairing, not yet admitted, and the secret for its cookie."""
    secret = new_secret()
    word = f"{secrets.choice(CHECK_WORDS)} {secrets.randbelow(90) + 10}"
    pairing = Pairing.objects.create(
        event=referee.event, referee=referee, secret_hash=secret_hash(secret), check_word=word
    )
    return pairing, secret


def admit(pairing: Pairing, account: Account) -> None:
    """The desk lets the phone in."""
    _admit(pairing, Pairing.AdmittedBy.DESK, account)


def admit_by_pin(pairing: Pairing, pin: str) -> bool:
    """Let the phone in if the PIN is the day's; False if it isn't."""
    if not pairing.event.day_pin or not check_password(pin, pairing.event.day_pin):
        return False
    _admit(pairing, Pairing.AdmittedBy.PIN, None)
    return True


def _admit(pairing: Pairing, by: str, account: Account | None) -> None:
    pairing.admitted_at = timezone.now()
    pairing.admitted_by = by
    pairing.admitted_by_account = account
    pairing.save(update_fields=["admitted_at", "admitted_by", "admitted_by_account"])


def revoke(pairing: Pairing) -> None:
    """Shut the phone out, at once and for good; a new pairing has to be asked for."""
    pairing.revoked_at = timezone.now()
    pairing.save(update_fields=["revoked_at"])


@transaction.atomic
def set_day_pin(event: Event) -> str:
    """Make a new PIN of six digits for the day and return it; phones that are in stay in."""
    pin = f"{secrets.randbelow(1_000_000):06}"
    event.day_pin = make_password(pin)
    event.save(update_fields=["day_pin"])
    return pin
