"""Time and patience: how far the work is, whether it is to stop, and how long it may still take."""

import time
from collections.abc import Callable

from .model import Cancelled, Progress, Report, Step

OFTEN = 0.2
"""Seconds between two reports."""


class Watch:
    """Counts seconds from its making, tells the caller how far the work is and hears whether to stop."""

    def __init__(
        self,
        seconds: float,
        report: Report | None = None,
        cancelled: Cancelled | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._report, self._cancelled = clock, report, cancelled
        self._begun = clock()
        self._last = float("-inf")
        self.limit = seconds

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return self._clock() - self._begun

    @property
    def left(self) -> float:
        """How many seconds are left; less than none if time is over."""
        return self.limit - self.seconds

    def is_stopped(self) -> bool:
        """Whether the caller wants it to stop."""
        return self._cancelled is not None and self._cancelled()

    def goes_on(self) -> bool:
        """Whether there is time left and nobody wants it to stop."""
        return not self.is_stopped() and self.left > 0

    def tell(
        self,
        step: Step,
        *,
        placed: int = 0,
        of: int = 0,
        end: int | None = None,
        bound: int | None = None,
        now: bool = False,
    ) -> None:
        """Report, if the last one is long enough ago or it has to be now."""
        if self._report is None:
            return
        seconds = self.seconds
        if now or seconds - self._last >= OFTEN:
            self._last = seconds
            self._report(Progress(step, seconds, placed, of, end, bound))
