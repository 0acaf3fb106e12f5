"""`kill -9` of web, worker, beat, Redis or PostgreSQL at random moments while a festival goes on.

Each round kills one part, all of it or one process of it, as chance (the seed) has it; a supervisor starts
it again. Phones send what wasn't acknowledged again, with the same ids. Afterwards everything that was
acknowledged has to be there once and nothing else, `verify` clean, the standings those of the facts, and
every confirmed result has to have been published within 30 s of its answer, or of the recovery after it.
PostgreSQL waits for the disk. While it is away answers are 503 with when to ask again, nothing else.
"""

import asyncio
import sys
from dataclasses import dataclass
from random import Random
from time import perf_counter

from benchmarks import services
from benchmarks.festival import judging
from benchmarks.festival.crowd import REFEREES, VIEWERS, Crowd, Ground
from benchmarks.festival.phones import ORDINARY, Pace
from benchmarks.festival.processes import BEAT, POSTGRESQL, REDIS, WEB, WORKER, Service, running
from benchmarks.festival.told import say, shares
from benchmarks.tables import show

ROUNDS = 100
KINDS = (WEB, WORKER, REDIS, POSTGRESQL)
OTHERS = (BEAT,)
PAUSES = (1.0, 5.0)
"""Seconds from a recovery to the next kill, at least and at most."""
WHOLE = 0.7
"""So often all of a part is killed, as a container is; else one of its processes."""
A_ROUND = 8.0
"""Seconds that a round takes, for how many games there have to be."""


@dataclass(frozen=True, slots=True)
class Kill:
    """What was killed when (of `perf_counter`), and when it served again."""

    kind: str
    how: str
    at: float
    recovered: float


async def kill_at_random(service: Service, rounds: int, seed: str) -> list[Kill]:
    """So many rounds, each kind as often as the others but for one."""
    random = Random(seed)
    kinds = [KINDS[number % len(KINDS)] for number in range(rounds)]
    # Beat is no part that anything runs through: it dies now and then with the others.
    kinds = [BEAT if number % 20 == 19 else kind for number, kind in enumerate(kinds)]
    random.shuffle(kinds)
    done = []
    for number, kind in enumerate(kinds, start=1):
        await asyncio.sleep(random.uniform(*PAUSES))
        part, begun = service.parts[kind], perf_counter()
        starts = part.starts
        how = part.kill(random, whole=kind in (REDIS, BEAT) or random.random() < WHOLE)
        if how == "all of it":
            while part.starts == starts:
                await asyncio.sleep(0.02)
        await asyncio.to_thread(part.wait_until_ready)
        done.append(Kill(kind, how, begun, perf_counter()))
        say(f"{number}: {kind}, {how}: {done[-1].recovered - begun:.1f} s")
    return done


async def festival(crowd: Crowd, service: Service, rounds: int, seed: str) -> tuple[list[Kill], float]:
    """The festival goes on as long as anything is killed; what was, and how long it took to settle."""
    async with crowd.at_it() as hall:
        kills = await kill_at_random(service, rounds, seed)
        hall.over.set()
    return kills, await judging.settle(crowd, service)


def late(crowd: Crowd, found: judging.Found, kills: list[Kill]) -> list[float]:
    """Seconds from each confirmed result to the published standings that have it, counted from the last
    recovery between the two, if there was any; infinite for those that never came.
    """
    taken = []
    for each in judging.shown(crowd, found):
        if each.published is None:
            taken.append(float("inf"))
            continue
        since = [
            kill.recovered for kill in kills if kill.at < each.published and kill.recovered > each.answered
        ]
        counted = max([each.answered, *(at for at in since if at < each.published)])
        taken.append(each.published - counted)
    return taken


def list_broken_promises(crowd: Crowd, took: float, waits: list[float]) -> list[str]:
    """Answers of 5xx other than 503, and what took longer than `SETTLES`: the seconds until nothing was due,
    and those from each result to the published standings.
    """
    wrong = [f"{crowd.told.broken} answers were 5xx other than 503"] * bool(crowd.told.broken)
    wrong += [f"it took {took:.0f} s until nothing was due"] * (took > judging.SETTLES)
    tardy = sum(each > judging.SETTLES for each in waits)
    wrong += [f"{tardy} results were published later than {judging.SETTLES:.0f} s"] * bool(tardy)
    return wrong


def main() -> int:
    """Kill, and judge; 1 if anything wasn't as it has to be."""
    parser = services.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    parser.add_argument("--seed", default="palio-2026", help="of what is killed when")
    parser.add_argument("--referees", type=int, default=REFEREES, help=f"phones (default: {REFEREES})")
    parser.add_argument("--viewers", type=int, default=VIEWERS, help=f"default: {VIEWERS}")
    parser.add_argument(
        "--pace", type=float, default=ORDINARY.result, help="seconds between a referee's results"
    )
    chosen = parser.parse_args()
    made: list[Ground] = []
    pace, longest = Pace(result=chosen.pace), chosen.rounds * A_ROUND

    def prepare(environment: dict[str, str]) -> None:
        made.append(Ground.prepare(environment, chosen.referees, longest / pace.result))

    with running(prepare=prepare) as service:
        # It ends when the last round is over.
        crowd = Crowd(made[0], service.port, 100 * longest, chosen.viewers, pace, chosen.seed)
        begun = perf_counter()
        kills, took = asyncio.run(festival(crowd, service, chosen.rounds, chosen.seed))
        seconds = perf_counter() - begun
        found = judging.Found.after(crowd, service)
    judging.report(crowd, found, seconds)
    waits = late(crowd, found, kills)
    _show(kills, waits, crowd)
    print(f"Nothing was due any more {took:.1f} s after the last answer.")
    return judging.failed(found, crowd, list_broken_promises(crowd, took, waits))


def _show(kills: list[Kill], waits: list[float], crowd: Crowd) -> None:
    rows = []
    for kind in (*KINDS, *OTHERS):
        for how in ("all of it", "one process"):
            taken = [each.recovered - each.at for each in kills if (each.kind, each.how) == (kind, how)]
            if taken:
                rows.append([kind, how, len(taken), *shares(taken)[:2], max(taken)])
    show(
        f"{len(kills)} kills: seconds until it served again",
        ["what", "killed", "times", "p50", "p95", "longest"],
        rows,
    )
    waited = crowd.told.waited
    show(
        "Seconds",
        ["what", "p50", "p95", "p99", "longest"],
        [
            ["until an entry was acknowledged", *shares(waited), max(waited, default=0.0)],
            ["from result or recovery to published", *shares(waits), max(waits, default=0.0)],
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
