"""Faults around the workers during a festival: the standings have to be right 30 s after each is over.

Redis is emptied (FLUSHALL), two beats run, none runs, a worker's clock is an hour ahead and an hour behind
(faketime), PostgreSQL is restarted, and other programs take all its connections. Each confirmed result has to
be published within 30 s of its answer, or of the end of a fault that came between; nothing may be lost or
doubled, `verify` has to be clean, and answers of 5xx are 503 alone.
"""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import urlsplit

import psycopg

from benchmarks import services
from benchmarks.festival import judging
from benchmarks.festival.crowd import Crowd, Ground
from benchmarks.festival.phones import Pace
from benchmarks.festival.processes import BEAT, POSTGRESQL, WORKER, Service, running
from benchmarks.festival.told import say, shares
from benchmarks.kills import Kill, late, list_broken_promises
from benchmarks.tables import show
from tests.support.services.processes import stop, wait_until
from tests.support.services.wrong_clock import moving_clock

REFEREES, VIEWERS, PACE = 20, 30, 20.0
AWAY = 30.0
"""Seconds that a fault lasts which has no end of its own."""
BETWEEN = 5.0
LONGEST = 600.0
"""Seconds for which there are games."""


@contextmanager
def emptied(service: Service) -> Iterator[None]:
    """Redis forgets all messages."""
    address = urlsplit(service.environment["CELERY_BROKER_URL"])
    with socket.create_connection((address.hostname, address.port), timeout=5) as redis:
        redis.sendall(b"FLUSHALL\r\n")
        if not redis.recv(16).startswith(b"+OK"):
            raise RuntimeError("Redis wasn't emptied.")
    yield


@contextmanager
def two_beats(service: Service) -> Iterator[None]:
    """A second beat tells the workers to sweep, too."""
    beat = service.parts[BEAT].begin()
    try:
        sleep(AWAY)
        yield
    finally:
        stop(beat)


@contextmanager
def no_beat(service: Service) -> Iterator[None]:
    """Nobody tells the workers to sweep, and messages get lost."""
    service.parts[BEAT].take_away()
    sleep(AWAY / 2)
    with emptied(service):
        sleep(AWAY / 2)
    yield
    service.parts[BEAT].bring_back()


def wrong_clock(offset: str) -> Callable[[Service], AbstractContextManager[None]]:
    """A worker whose wall clock goes wrong by so many seconds, in the place of the right one. (Where it is
    wrong at the start, the worker refuses to start.)
    """

    @contextmanager
    def fault(service: Service) -> Iterator[None]:
        part = service.parts[WORKER]
        part.take_away()
        shift = Path(service.environment["TENDONE_VAR"]) / "shift"
        shift.write_text("+0")
        command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--loglevel", "ERROR"]
        process = subprocess.Popen(
            [*command, "--concurrency", "1"],
            cwd=services.ROOT,
            env=service.environment | moving_clock(shift),
            start_new_session=True,
        )
        try:
            wait_until(part.is_ready, process, part.log)
            shift.write_text(offset)
            sleep(AWAY)
            if process.poll() is not None:
                raise RuntimeError("The worker with a wrong clock has ended.")
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            part.bring_back()
            part.wait_until_ready()

    return fault


@contextmanager
def restarted(service: Service) -> Iterator[None]:
    """PostgreSQL ends all connections, stops, and starts again."""
    part = service.parts[POSTGRESQL]
    starts = part.starts
    part.process.send_signal(signal.SIGINT)
    while part.starts == starts:
        sleep(0.02)
    part.wait_until_ready()
    yield


@contextmanager
def too_few_connections(service: Service) -> Iterator[None]:
    """Others hold all connections that PostgreSQL has."""
    with ExitStack() as held:
        end = perf_counter() + AWAY
        while perf_counter() < end:
            try:
                held.enter_context(psycopg.connect(service.environment["DATABASE_URL"], connect_timeout=5))
            except psycopg.OperationalError:
                sleep(0.1)
        say("connections are given back")
    yield


FAULTS = [
    *[("FLUSHALL", emptied)] * 5,
    ("two beats", two_beats),
    ("no beat, and FLUSHALL", no_beat),
    ("a worker an hour ahead", wrong_clock("+3600")),
    ("a worker an hour behind", wrong_clock("-3600")),
    *[("PostgreSQL restarted", restarted)] * 3,
    ("too few connections", too_few_connections),
]


def strike(service: Service, name: str, fault: Callable[[Service], AbstractContextManager[None]]) -> Kill:
    """Have something go wrong, until it is over."""
    begun = perf_counter()
    with fault(service):
        pass
    say(f"{name}: {perf_counter() - begun:.1f} s")
    return Kill(name, "", begun, perf_counter())


async def festival(crowd: Crowd, service: Service) -> tuple[list[Kill], float]:
    """One fault after the other; what they were, and how long it took to settle."""
    done = []
    async with crowd.at_it() as hall:
        for name, fault in FAULTS:
            await asyncio.sleep(BETWEEN)
            done.append(await asyncio.to_thread(strike, service, name, fault))
        await asyncio.sleep(BETWEEN)
        hall.over.set()
    return done, await judging.settle(crowd, service)


def main() -> int:
    """Strike, and judge; 1 if anything wasn't as it has to be."""
    parser = services.arguments(__doc__)
    parser.add_argument("--referees", type=int, default=REFEREES, help=f"phones (default: {REFEREES})")
    parser.add_argument("--viewers", type=int, default=VIEWERS, help=f"default: {VIEWERS}")
    parser.add_argument("--pace", type=float, default=PACE, help="seconds between a referee's results")
    chosen = parser.parse_args()
    if shutil.which("faketime") is None:
        raise SystemExit("faketime isn't installed here (apt install faketime).")
    made: list[Ground] = []

    def prepare(environment: dict[str, str]) -> None:
        made.append(Ground.prepare(environment, chosen.referees, LONGEST / chosen.pace))

    with running(prepare=prepare) as service:
        crowd = Crowd(made[0], service.port, 100 * LONGEST, chosen.viewers, Pace(result=chosen.pace))
        begun = perf_counter()
        faults, took = asyncio.run(festival(crowd, service))
        seconds = perf_counter() - begun
        found = judging.Found.after(crowd, service)
    judging.report(crowd, found, seconds)
    waits = late(crowd, found, faults)
    show(
        "Seconds from a result, or from the end of a fault, to the published standings",
        ["results", "p50", "p95", "longest"],
        [[len(waits), *shares(waits)[:2], max(waits, default=0.0)]],
    )
    print(f"Nothing was due any more {took:.1f} s after the last answer.")
    return judging.failed(found, crowd, list_broken_promises(crowd, took, waits))


if __name__ == "__main__":
    sys.exit(main())
