"""The phones of an event as the desk lists them: who asks, who is in and where, who is out."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from people.event_days import is_over, pairing_ends
from people.models import Event, Pairing
from people.pairings import waiting
from people.phone_clocks import lasting

AWAY = timedelta(minutes=5)
"""A phone that was seen this long ago is told as away: its page asks every few seconds while it is open."""
MOST_ENDED = 20
MOST_ASKING = 30
"""So many that ask are listed; the others are found by their words."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A phone that asks to be let in, and those of the same referee that are in: it may replace one.

    `rivals` is how many other phones ask for the same referee.
    """

    pairing: Pairing
    others: tuple["Admitted", ...]
    rivals: int


@dataclass(frozen=True, slots=True)
class Admitted:
    """A phone that is in. `is_away`: it wasn't seen for a while; None if it never was."""

    pairing: Pairing
    is_away: bool | None

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
    """All that are listed; `ended` are those that were shut out last, `over` those whose time is over.

    Of `asking_count` phones that ask, `asking` are listed: those with the `word` that was looked for.
    """

    asking: tuple[Asking, ...]
    asking_count: int
    word: str
    admitted: tuple[Admitted, ...]
    ended: tuple[Pairing, ...]
    over: tuple[Pairing, ...]

    @property
    def waiting_entries(self) -> int:
        """How many entries wait on phones to be sent."""
        return sum(each.pairing.queue or 0 for each in self.admitted)


def phones_of(event: Event, word: str = "") -> Phones:
    """The phones of an event; three queries.

    Those that are in are ordered by their referees' names. Of those that ask, only the ones whose check word
    contains `word` are listed.
    """
    now = timezone.now()
    named = event.pairings.select_related("referee__team")
    let_in = list(named.filter(revoked_at=None).exclude(admitted_at=None).order_by("asked_at", "pk"))
    waits = list(waiting(event).select_related("referee__team").order_by("asked_at", "pk"))
    of_referee = Counter(each.referee_id for each in waits)
    admitted = sorted(
        (
            Admitted(each, None if each.last_seen_at is None else now - each.last_seen_at > AWAY)
            for each in let_in
            if not is_over(each)
        ),
        key=lambda each: (str(each.pairing.referee).casefold(), each.pairing.asked_at),
    )
    sought = " ".join(word.casefold().split())
    asking = tuple(
        Asking(
            each,
            tuple(other for other in admitted if other.pairing.referee_id == each.referee_id),
            of_referee[each.referee_id] - 1,
        )
        for each in waits
        if sought in each.check_word
    )
    ended = named.exclude(revoked_at=None).exclude(admitted_at=None).select_related("replaced_by")
    over = sorted((each for each in let_in if is_over(each)), key=pairing_ends)
    return Phones(
        asking[:MOST_ASKING],
        len(waits),
        sought,
        tuple(admitted),
        tuple(ended.order_by("-revoked_at")[:MOST_ENDED]),
        tuple(over[-MOST_ENDED:]),
    )
