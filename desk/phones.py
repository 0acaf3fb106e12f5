"""The phones of an event as the desk lists them: who asks, who is in and where, who is out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from people.days import is_over, pairing_ends
from people.models import Event, Pairing
from people.phone_clocks import lasting

AWAY = timedelta(minutes=5)
"""A phone that was seen this long ago is told as away: its page asks every few seconds while it is open."""
MOST_ENDED = 20


@dataclass(frozen=True, slots=True)
class Asking:
    """A phone that asks to be let in, and those of the same referee that are in: it may replace one."""

    pairing: Pairing
    others: tuple["Admitted", ...]


@dataclass(frozen=True, slots=True)
class Admitted:
    """A phone that is in. `is_away`: it wasn't seen for a while; None if it never was."""

    pairing: Pairing
    is_away: bool | None

    @property
    def queue(self) -> int:
        """How many entries wait on it, as far as is known."""
        return self.pairing.queue or 0

    @property
    def clock(self) -> str:
        """By how much its clock is wrong, in words; empty where it is right."""
        off = self.pairing.clock_off
        if not off:
            return ""
        words = _("clock %(time)s fast") if off > 0 else _("clock %(time)s slow")
        return words % {"time": lasting(abs(off))}


@dataclass(frozen=True, slots=True)
class Phones:
    """All that are listed; `ended` are those that were shut out last, `over` those whose time is over."""

    asking: tuple[Asking, ...]
    admitted: tuple[Admitted, ...]
    ended: tuple[Pairing, ...]
    over: tuple[Pairing, ...]

    @property
    def waiting_entries(self) -> int:
        """How many entries wait on phones to be sent."""
        return sum(each.queue for each in self.admitted)


def phones_of(event: Event) -> Phones:
    """The phones of an event; those that are in by their referees' names. Two queries."""
    now = timezone.now()
    named = event.pairings.select_related("referee__team")
    open_ = list(named.filter(revoked_at=None).order_by("asked_at", "pk"))
    let_in = [each for each in open_ if each.admitted_at is not None]
    admitted = sorted(
        (Admitted(each, _is_away(each, now)) for each in let_in if not is_over(each)),
        key=lambda each: (str(each.pairing.referee).casefold(), each.pairing.asked_at),
    )
    asking = tuple(Asking(each, _of_same(each, admitted)) for each in open_ if each.admitted_at is None)
    ended = named.exclude(revoked_at=None).exclude(admitted_at=None).select_related("replaced_by")
    over = [each for each in let_in if is_over(each)]
    return Phones(
        asking,
        tuple(admitted),
        tuple(ended.order_by("-revoked_at")[:MOST_ENDED]),
        tuple(sorted(over, key=pairing_ends)[-MOST_ENDED:]),
    )


def _is_away(pairing: Pairing, now: datetime) -> bool | None:
    return None if pairing.last_seen_at is None else now - pairing.last_seen_at > AWAY


def _of_same(asking: Pairing, admitted: Sequence[Admitted]) -> tuple[Admitted, ...]:
    return tuple(each for each in admitted if each.pairing.referee_id == asking.referee_id)
