"""Redis is away for five minutes in the middle of a festival.

Results have to be accepted all the while, as quickly as before; a minute of the festival goes before it, and
one after. The standings have to be right within 30 s of its return, published pages too, and nothing may be
lost. `--silent`: it isn't gone, but takes every connection and says nothing, as behind a broken network.
"""

import asyncio
import signal
import sys
from dataclasses import dataclass
from time import perf_counter

from benchmarks import services
from benchmarks.festival import judging
from benchmarks.festival.crowd import REFEREES, VIEWERS, Crowd, Ground
from benchmarks.festival.phones import ORDINARY, Pace
from benchmarks.festival.processes import REDIS, Service, running
from benchmarks.festival.told import say, shares
from benchmarks.tables import Cell, show

SECONDS = 300
AROUND = 60


@dataclass
class Course:
    """How many writes were answered before, while and after Redis was away; when it was gone and back (of
    `perf_counter`), and the seconds until nothing was due after the end.
    """

    answered: list[int]
    gone: float = 0.0
    back: float = 0.0
    settled: float = 0.0


async def festival(crowd: Crowd, service: Service, seconds: float, around: float, *, silent: bool) -> Course:
    """The festival, with Redis taken away in the middle of it."""
    redis, course = service.parts[REDIS], Course([0])
    async with crowd.at_it() as hall:
        await asyncio.sleep(around)
        course.answered.append(len(crowd.told.writes))
        say("Redis is taken away")
        course.gone = perf_counter()
        if silent:
            redis.process.send_signal(signal.SIGSTOP)
        else:
            redis.take_away()
        await asyncio.sleep(seconds)
        course.answered.append(len(crowd.told.writes))
        if silent:
            redis.process.send_signal(signal.SIGCONT)
        else:
            redis.bring_back()
        await asyncio.to_thread(redis.wait_until_ready)
        say("Redis is back")
        course.back = perf_counter()
        await asyncio.sleep(around)
        hall.over.set()
    course.settled = await judging.settle(crowd, service)
    return course


def main() -> int:
    """Measure; 1 if anything wasn't as it has to be."""
    parser = services.arguments(__doc__)
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"away (default: {SECONDS})")
    parser.add_argument("--around", type=int, default=AROUND, help=f"before and after (default: {AROUND})")
    parser.add_argument("--referees", type=int, default=REFEREES, help=f"phones (default: {REFEREES})")
    parser.add_argument("--viewers", type=int, default=VIEWERS, help=f"default: {VIEWERS}")
    parser.add_argument(
        "--pace", type=float, default=ORDINARY.result, help="seconds between a referee's results"
    )
    parser.add_argument("--silent", action="store_true", help="it takes connections and says nothing")
    chosen = parser.parse_args()
    made: list[Ground] = []
    pace, longest = Pace(result=chosen.pace), chosen.seconds + 2 * chosen.around

    def prepare(environment: dict[str, str]) -> None:
        made.append(Ground.prepare(environment, chosen.referees, longest / pace.result))

    with running(prepare=prepare) as service:
        crowd = Crowd(made[0], service.port, 100 * longest, chosen.viewers, pace)
        begun = perf_counter()
        course = asyncio.run(festival(crowd, service, chosen.seconds, chosen.around, silent=chosen.silent))
        seconds = perf_counter() - begun
        found = judging.Found.after(crowd, service)
    judging.report(crowd, found, seconds)
    _show(crowd, course)
    waited = [
        each.published - course.back if each.published is not None else float("inf")
        for each in judging.shown(crowd, found)
        if course.gone < each.answered < course.back and (each.published or course.back) >= course.back
    ]
    print(
        f"{len(waited)} results came in while it was away and were published after its return: "
        f"the last {max(waited, default=0.0):.1f} s after it."
    )
    told = crowd.told
    bad = told.broken + told.away
    wrong = [f"{bad} answers were 5xx"] * bool(bad)
    wrong += [f"{told.unanswered} times there was no answer"] * bool(told.unanswered)
    wrong += ["published too late"] * (max(waited, default=0.0) > judging.SETTLES)
    wrong += ["no result came in while it was away"] * (not waited)
    wrong += [f"it took {course.settled:.0f} s until nothing was due"] * (course.settled > judging.SETTLES)
    return judging.failed(found, crowd, wrong)


def _show(crowd: Crowd, course: Course) -> None:
    writes, cuts = crowd.told.writes, [*course.answered, len(crowd.told.writes)]
    rows: list[list[Cell]] = []
    for name, first, last in zip(("before", "away", "after"), cuts, cuts[1:], strict=False):
        taken = writes[first:last]
        rows.append([name, len(taken), *shares(taken), max(taken, default=0.0)])
    show(
        f"Redis away for {course.back - course.gone:.0f} s: a write, in seconds",
        ["while", "writes", "p50", "p95", "p99", "longest"],
        rows,
    )


if __name__ == "__main__":
    sys.exit(main())
