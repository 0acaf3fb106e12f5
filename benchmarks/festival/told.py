"""What phones and viewers were told, kept for the judge."""

import sys
from collections import Counter
from dataclasses import dataclass, field
from statistics import quantiles
from time import perf_counter, strftime


@dataclass(frozen=True, slots=True)
class Entered:
    """What the service has said is stored: what it is, of which game, since when (of `perf_counter`)."""

    kind: str
    game: str
    at: float
    version: int


@dataclass
class Told:
    """The answers to all who ask. `acknowledged` is by the client's own id; `strange` is what nobody may be
    told; `waited` are seconds from the first attempt to the answer that ended it.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    acknowledged: dict[str, Entered] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    unanswered: int = 0
    away: int = 0
    broken: int = 0
    repeated: int = 0
    conflicts: int = 0

    def status(self, who: str, status: int) -> None:
        """Count an answer; 503 says that the service is away for a moment."""
        self.statuses[f"{who} {status}"] += 1
        self.away += status == 503
        self.broken += status >= 500 and status != 503

    def stored(self, id_: str, kind: str, game: str, version: int) -> None:
        """An entry is stored; told twice, it has to be the same."""
        before = self.acknowledged.get(id_)
        if before is None:
            self.acknowledged[id_] = Entered(kind, game, perf_counter(), version)
        elif before.version != version:
            self.strange.append(f"{id_} was line {before.version}, and then {version}")


def say(what: str) -> None:
    """Tell whoever waits at the terminal what goes on."""
    print(f"{strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def shares(seconds: list[float]) -> tuple[float, float, float]:
    """The 50th, 95th and 99th percentile; zeros of nothing."""
    if len(seconds) < 2:
        return (0.0, 0.0, 0.0) if not seconds else (seconds[0],) * 3
    cuts = quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[94], cuts[98]
