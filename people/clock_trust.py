"""Trust in a reading of the wall clock: whether anything may be erased because of it.

A laptop's clock can be wrong by an hour, a day or years. What is erased too early is lost, and what is erased
late does little harm. So a reading is compared with the last moment at which the clock was believed, and with
the newest fact, audit row and backup.
"""

from datetime import datetime, timedelta
from enum import StrEnum

GAP = timedelta(hours=20)
"""A reading that is later than the last believed one by more than this is doubted: the service was off, or
the clock was moved. An evening festival's laptop that is off from midnight to the next evening isn't asked.
A clock that is a day ahead is found, since a day is longer.
"""
BEHIND = timedelta(minutes=5)
"""A reading that is earlier than what was recorded by more than this is doubted. Clocks of several servers
may differ by less.
"""


class Doubt(StrEnum):
    """Why a reading isn't believed."""

    GAP = "gap"
    BEHIND = "behind"


def judge(
    now: datetime, seen_at: datetime | None, newest: datetime | None, excused_until: datetime | None = None
) -> Doubt | None:
    """Why the reading `now` isn't believed, or None.

    `seen_at` is the last believed reading, and `newest` the time of the newest fact, audit row or backup.
    What was recorded until `excused_until` says nothing: an organizer has confirmed an earlier date since.
    What is recorded under a wrong clock bears its time, so `newest` is no reason to believe the clock. It
    stands in for `seen_at` only where there is none.
    """
    if newest is not None and excused_until is not None and newest <= excused_until:
        newest = None
    latest = max(filter(None, (seen_at, newest)), default=None)
    if latest is not None and now < latest - BEHIND:
        return Doubt.BEHIND
    last = seen_at or newest
    return Doubt.GAP if last is not None and now - last > GAP else None
