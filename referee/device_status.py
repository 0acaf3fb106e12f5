"""State of a phone for an event: unknown, waiting, admitted, of another event, shut out."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from people.access import writes_results
from people.actors import ActorKind, secret_hash
from people.models import Event, Pairing
from people.pairings import COOKIE, pairing_of_request
from people.phone_clocks import lasting


class DeviceStatus(StrEnum):
    """How far a phone is with an event."""

    UNKNOWN = "unknown"
    WAITING = "waiting"
    ADMITTED = "admitted"
    ELSEWHERE = "elsewhere"
    SHUT_OUT = "shut-out"
    OTHER_ACCOUNT = "other-account"


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone at an event, with its pairing where it has one."""

    standing: DeviceStatus
    pairing: Pairing | None = None


def phone_pairing(request: Any) -> Pairing | None:
    """The pairing that the phone holds, whoever is signed in on it; a query only where somebody is."""
    actor = request.actor
    return actor.pairing if actor.kind is not ActorKind.ACCOUNT else pairing_of_request(request)


def clock_words(seconds: int) -> str:
    """A phone's clock that is so many seconds ahead (negative: behind), in a sentence; empty for 0."""
    if not seconds:
        return ""
    if seconds > 0:
        return _("This phone’s clock is %(time)s fast.") % {"time": lasting(seconds)}
    return _("This phone’s clock is %(time)s slow.") % {"time": lasting(-seconds)}


def phone_of(request: Any, event: Event) -> Phone:
    """What the phone that asks is to this event; three queries at most."""
    if writes_results.test(request.actor, event):
        return Phone(DeviceStatus.ADMITTED, request.actor.pairing)
    if request.actor.kind is ActorKind.ACCOUNT:
        # Who is signed in acts as that account, whatever pairing the phone holds besides.
        return Phone(DeviceStatus.OTHER_ACCOUNT)
    pairing = pairing_of_request(request)
    if pairing is None:
        return _forgotten(request, event)
    return Phone(DeviceStatus.WAITING if pairing.event_id == event.pk else DeviceStatus.ELSEWHERE, pairing)


def _forgotten(request: Any, event: Event) -> Phone:
    """A phone without a pairing that holds: it never had one, or the desk ended it."""
    secret = request.COOKIES.get(COOKIE)
    if secret and Pairing.objects.filter(event=event, secret_hash=secret_hash(secret)).exists():
        return Phone(DeviceStatus.SHUT_OUT)
    return Phone(DeviceStatus.UNKNOWN)
