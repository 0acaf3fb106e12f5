"""Schedule of retries: when a message that wasn't taken is sent again, and when no more."""

from datetime import datetime, timedelta

FIRST = timedelta(seconds=5)
LONGEST = timedelta(hours=6)
GIVEN_UP_AFTER = timedelta(days=3)
"""After so long without a single success a webhook is disabled."""
SPREAD = 0.2
"""How much longer or shorter a pause may be, so that those who failed together don't come back together."""


def pause(failures: int, roll: float, asked_for: timedelta | None = None) -> timedelta:
    """How long to wait after so many failures (from 1) in a row: 5 s, 20 s, 80 s, …, 6 hours.

    `roll` (0 up to 1) spreads the pauses. A pause is at least what the receiver `asked_for`, but never longer
    than the longest.
    """
    planned = min(FIRST * float(4 ** min(failures - 1, 10)), LONGEST)
    spread = planned * (1 + SPREAD * (2 * roll - 1))
    return min(max(spread, asked_for or spread), LONGEST * (1 + SPREAD))


def is_given_up(failing_since: datetime, now: datetime) -> bool:
    """Whether it has failed for too long."""
    return now - failing_since >= GIVEN_UP_AFTER
