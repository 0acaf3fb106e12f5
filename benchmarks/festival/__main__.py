"""40 referees and 300 viewers for ten minutes on PostgreSQL, Redis, two web processes, a worker and a beat.

Two in three referees enter results in two taps, the others whole games card by card. Every result is
confirmed by somebody else before it counts, and some are corrected. Some answers get lost, and the same is
sent again. Eight referees are two at a table. Viewers look at standings, boards, teams and timetable and keep
them open. It goes far faster than at a festival, where a game takes ten minutes: see `--pace`.

Exits with 1 if anything was lost or doubled, if an answer was a 5xx or none came, if standings, pages or
`verify` aren't right. Of the times only one can fail it: after the load nothing may be due for longer than
30 s.
"""

import asyncio
import sys
from time import process_time

from benchmarks import services
from benchmarks.festival import judging
from benchmarks.festival.crowd import REFEREES, VIEWERS, Crowd, Ground
from benchmarks.festival.phones import ORDINARY, Pace
from benchmarks.festival.processes import WEB, Service, running
from benchmarks.festival.told import say
from benchmarks.tables import Cell, show

SECONDS = 600


async def festival(crowd: Crowd, service: Service) -> float:
    """Let everybody do their part; the seconds until nothing was due any more."""
    say("the festival begins")
    async with crowd.at_it():
        pass
    return await judging.settle(crowd, service)


def processor_seconds(service: Service) -> dict[str, float]:
    """Seconds of processor time that each part has taken so far, and these phones and viewers."""
    return {name: part.processor_seconds() for name, part in service.parts.items()} | {
        "phones and viewers": process_time()
    }


def main() -> int:
    """Measure; 1 if anything wasn't as it has to be."""
    parser = services.arguments(__doc__)
    parser.add_argument("--referees", type=int, default=REFEREES, help=f"phones (default: {REFEREES})")
    parser.add_argument("--viewers", type=int, default=VIEWERS, help=f"default: {VIEWERS}")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"of the load (default: {SECONDS})")
    parser.add_argument(
        "--pace", type=float, default=ORDINARY.result, help="seconds between a referee's results"
    )
    parser.add_argument("--front", choices=(WEB, "nginx"), default=WEB, help="who answers people")
    chosen = parser.parse_args()
    made: list[Ground] = []
    pace = Pace(result=chosen.pace)

    def prepare(environment: dict[str, str]) -> None:
        made.append(Ground.prepare(environment, chosen.referees, chosen.seconds / pace.result))

    with running(front=chosen.front, prepare=prepare) as service:
        crowd = Crowd(made[0], service.port, chosen.seconds, chosen.viewers, pace)
        spent = processor_seconds(service)
        took = asyncio.run(festival(crowd, service))
        spent = {name: after - spent[name] for name, after in processor_seconds(service).items()}
        found = judging.Found.after(crowd, service)
    judging.report(crowd, found, chosen.seconds)
    counts: list[list[Cell]] = [[name, count] for name, count in sorted(crowd.told.statuses.items())]
    show("Answers", ["what", "count"], counts)
    busy: list[list[Cell]] = [[name, each, each / chosen.seconds] for name, each in spent.items()]
    show("Processor time", ["of", "seconds", "a second"], busy)
    print(f"Nothing was due any more {took:.1f} s after the last of them.")
    wrong = [f"{crowd.told.broken + crowd.told.away} answers were 5xx"] * bool(
        crowd.told.broken + crowd.told.away
    )
    wrong += [f"{crowd.told.unanswered} times there was no answer"] * bool(crowd.told.unanswered)
    wrong += [f"it took {took:.0f} s until nothing was due"] * (took > judging.SETTLES)
    never = sum(each.published is None for each in judging.shown(crowd, found))
    wrong += [f"{never} results were never seen in the published standings"] * bool(never)
    return judging.failed(found, crowd, wrong)


if __name__ == "__main__":
    sys.exit(main())
