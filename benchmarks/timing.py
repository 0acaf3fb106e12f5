"""How work is timed on a machine that others use too: in turns, several times, by medians and ratios."""

import gc
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles

Work = Callable[[], object]

ROUNDS = 7

# Of the size of a log event as a referee's phone sends it.
LINE = '{"type": "cards_played", "seat": 1, "cards": ["R7"], "at": "2026-09-05T15:04:05+02:00"}'
LINES = 10_000


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds that the same work took, round by round."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The seconds of the middle round."""
        return median(self.seconds)

    @property
    def p99(self) -> float:
        """The seconds below which 99 of 100 stay; with few rounds, the slowest one."""
        return quantiles(self.seconds, n=100, method="inclusive")[98]

    def rate(self, count: float) -> float:
        """How many a second, if the work does `count`."""
        return count / self.median

    def ratio(self, other: "Times") -> float:
        """How many times as long as `other`: the median over the rounds, in each of which both were timed."""
        return median(mine / its for mine, its in zip(self.seconds, other.seconds, strict=True))


def in_turns(
    works: Mapping[str, Work], rounds: int = ROUNDS, clock: Callable[[], float] = time.process_time
) -> dict[str, Times]:
    """Time each work once a round, so that a busy moment of the machine meets all of them alike.

    The first round isn't counted. The clock is the processor's for this process; work that waits for another
    process needs `time.perf_counter`.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    # What is there already is no garbage: collecting, also within a work, looks at what the works leave.
    gc.collect()
    gc.freeze()
    for number in range(rounds + 1):
        for name, work in works.items():
            gc.collect()
            begun = clock()
            work()
            seconds = clock() - begun
            if number:
                taken[name].append(seconds)
    gc.unfreeze()
    return {name: Times(tuple(seconds)) for name, seconds in taken.items()}


def decode_lines() -> None:
    """The yardstick for machines: the standard library decodes `LINES` lines of JSON."""
    loads = json.loads
    for _ in range(LINES):
        loads(LINE)
