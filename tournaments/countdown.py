"""The arithmetic of a clock that counts down to the bell: its phase, and the time that is left, at a moment.

Pure: every function is given the moment, and none asks a phone's or a server's clock.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

NOTHING = timedelta(0)
MAX_SECONDS = 4 * 60 * 60
"""The longest that can be set, and the most that can be left after time was added."""


class Phase(StrEnum):
    """What a clock does at a moment."""

    STOPPED = "stopped"
    RUNNING = "running"
    PAUSED = "paused"
    RUNG = "rung"


class WrongPhaseError(Exception):
    """What was asked for isn't possible in the phase that the clock is in."""

    def __init__(self, phase: Phase) -> None:
        super().__init__(phase)
        self.phase = phase


class WrongLengthError(Exception):
    """A number of seconds that can't be set or added; `low` and `high` are those that can."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(low, high)
        self.low = low
        self.high = high


@dataclass(frozen=True, slots=True)
class Countdown:
    """A clock. `length` and `added` are whole seconds. `waited` is how long it has been paused so far. It is
    below zero where somebody rang before the time was over and then gave more.

    It rings by itself when its time is over, or at `rung_at` if somebody rang before. Changes give a new one;
    they raise `WrongPhaseError` or `WrongLengthError`.
    """

    length: int
    added: int = 0
    waited: timedelta = NOTHING
    started_at: datetime | None = None
    paused_at: datetime | None = None
    rung_at: datetime | None = None

    def phase(self, now: datetime) -> Phase:
        """What it does at a moment."""
        if self.started_at is None:
            return Phase.STOPPED
        if self.rung_at is not None or self._left(now) <= NOTHING:
            return Phase.RUNG
        return Phase.RUNNING if self.paused_at is None else Phase.PAUSED

    def remaining(self, now: datetime) -> timedelta:
        """How long until it rings; nothing once it has rung, the whole length before it starts."""
        return NOTHING if self.rung_at is not None else max(self._left(now), NOTHING)

    def bell_at(self, now: datetime) -> datetime | None:
        """The moment of the bell: when it rings if nobody touches it, or when it rang; None where that isn't
        known, stopped or paused.
        """
        phase = self.phase(now)
        if phase is Phase.RUNG and self.rung_at is not None:
            return self.rung_at
        if self.started_at is None or phase is Phase.PAUSED:
            return None
        return self.started_at + self.waited + timedelta(seconds=self.length + self.added)

    def start(self, now: datetime, length: int) -> Self:
        """Begin anew with this length, from stopped or after the bell."""
        self._expect(now, Phase.STOPPED, Phase.RUNG)
        return type(self)(_within(length, 1, MAX_SECONDS), started_at=now)

    def pause(self, now: datetime) -> Self:
        """Stand still."""
        self._expect(now, Phase.RUNNING)
        return replace(self, paused_at=now)

    def resume(self, now: datetime) -> Self:
        """Go on with what was left."""
        self._expect(now, Phase.PAUSED)
        return replace(self, paused_at=None, waited=self.waited + self._pause(now))

    def add(self, now: datetime, seconds: int) -> Self:
        """Give more time. After the bell it goes on from now, and rings again so much later."""
        phase = self._expect(now, Phase.RUNNING, Phase.PAUSED, Phase.RUNG)
        left = self.remaining(now)
        _within(seconds, 1, MAX_SECONDS - -(-left // timedelta(seconds=1)))
        given = replace(self, added=self.added + seconds)
        if phase is not Phase.RUNG:
            return given
        # All the time there was is used up: what was left when somebody rang is gone, and since then it
        # stood still.
        used = timedelta(seconds=self.length + self.added)
        waited = now - (self.started_at or now) - used
        return replace(given, paused_at=None, rung_at=None, waited=waited)

    def ring(self, now: datetime) -> Self:
        """Ring now, whatever is left."""
        self._expect(now, Phase.RUNNING, Phase.PAUSED)
        return replace(self, rung_at=now)

    def with_length(self, now: datetime, length: int) -> Self:
        """Another length, of which what has passed is taken: it has to be longer than that."""
        self._expect(now, Phase.RUNNING, Phase.PAUSED)
        passed = timedelta(seconds=self.length + self.added) - self._left(now)
        _within(length, max(passed // timedelta(seconds=1) + 1, 1), MAX_SECONDS)
        return replace(self, length=length, added=0)

    def put_away(self, now: datetime) -> Self:
        """Stop, and show nothing any more."""
        self._expect(now, Phase.RUNNING, Phase.PAUSED, Phase.RUNG)
        return type(self)(self.length)

    def _pause(self, now: datetime) -> timedelta:
        return NOTHING if self.paused_at is None else max(now - self.paused_at, NOTHING)

    def _left(self, now: datetime) -> timedelta:
        started_at = self.started_at or now
        # Two servers' clocks may differ a little: before its start a clock hasn't run.
        passed = max((self.paused_at or now) - started_at, NOTHING) - self.waited
        return timedelta(seconds=self.length + self.added) - passed

    def _expect(self, now: datetime, *allowed: Phase) -> Phase:
        phase = self.phase(now)
        if phase not in allowed:
            raise WrongPhaseError(phase)
        return phase


def _within(seconds: int, low: int, high: int) -> int:
    if not low <= seconds <= high:
        raise WrongLengthError(low, high)
    return seconds
