"""The clock of a referee's phone, which the log keeps beside the service's: by how much it is wrong."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import ngettext

from people.models import Pairing
from people.number_parsing import whole_number

CLOCK_HEADER = "Tendone-Clock"
"""With what an open page asks it says what time it is on the phone: in milliseconds since 1970, UTC."""
LATEST = 10**15
"""The latest time that is taken for a phone's, in the same milliseconds."""
MATTERS = timedelta(minutes=3)
SAME = timedelta(seconds=30)
MOST = timedelta(days=36500)


def note(request: Any, pairing: Pairing) -> None:
    """Keep by how much the phone's clock is wrong, as its request says; a statement only where that is news.

    What is right within `MATTERS` isn't kept, and a header that can't be read says nothing.
    """
    there = whole_number(request.headers.get(CLOCK_HEADER, ""), LATEST)
    if there is None:
        return
    off = timedelta(milliseconds=there - round(timezone.now().timestamp() * 1000))
    seconds = 0 if abs(off) < MATTERS else round(max(-MOST, min(off, MOST)).total_seconds())
    if abs(seconds - pairing.clock_off) >= SAME.total_seconds() or (pairing.clock_off and not seconds):
        pairing.clock_off = seconds
        Pairing.objects.filter(pk=pairing.pk).update(clock_off=seconds)


def lasting(seconds: int) -> str:
    """So much time in words: in minutes, from two hours on in hours, from two days on in days."""
    minutes = round(seconds / 60)
    if minutes < 120:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = round(hours / 24)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
