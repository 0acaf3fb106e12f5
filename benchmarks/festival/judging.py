"""What came of a festival: what was told held against what is stored and shown."""

import asyncio
import sys
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Self

import psycopg

from benchmarks import services
from benchmarks.festival.crowd import Crowd, on_database
from benchmarks.festival.processes import BEAT, WORKER, Service
from benchmarks.festival.told import say, shares
from benchmarks.tables import show

SETTLES = 30.0
"""Seconds within which everything that is due has to be done."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is on the database: acknowledged entries that are missing (`lost`), entries that are there twice,
    entries that nobody was told of (`unknown`), rows that are still due, whether the standings are behind
    what is entered, results that they count beside those that are confirmed, what `verify` finds, published
    pages that aren't right, how many versions of the standings there are, which of them counts a confirmation
    first, and which one a page with a mark shows.
    """

    lost: int
    doubled: int
    unknown: int
    due: int
    behind: bool
    counted: int
    confirmed: int
    faults: str
    wrong_pages: list[str]
    versions: int
    shown_in: dict[str, int]
    marks: dict[str, int]

    @classmethod
    def after(cls, crowd: Crowd, service: Service) -> Self:
        """Look, once workers have stopped."""
        say("all is looked at, with verify")
        for name in (BEAT, WORKER):
            service.parts[name].end()
        told = crowd.told.acknowledged
        given = {
            "acknowledged": {id_: each.kind for id_, each in told.items()},
            "marks": [mark for _, mark in crowd.watcher.seen],
        }
        return cls(**on_database(service.environment, "check", given=given))

    def wrong(self) -> list[str]:
        """What isn't as it has to be, in words."""
        counts = {
            "lost": self.lost,
            "doubled": self.doubled,
            "unknown": self.unknown,
            "still due": self.due,
        }
        found = [f"{name}: {count}" for name, count in counts.items() if count]
        if self.behind:
            found.append("the standings are behind what is entered")
        if self.counted != self.confirmed:
            found.append(f"the standings count {self.counted} results, {self.confirmed} are confirmed")
        if self.faults:
            found.append(f"verify: {self.faults}")
        return [*found, *self.wrong_pages[:5]]


async def settle(crowd: Crowd, service: Service) -> float:
    """Wait until nothing is due any more; the seconds that this took, or twice `SETTLES`.

    Whoever watches the standings sees the last of them, too.
    """
    watching = asyncio.create_task(crowd.watcher.watch())
    taken = await _wait_until_nothing_is_due(service)
    await asyncio.sleep(1)
    watching.cancel()
    return taken


async def _wait_until_nothing_is_due(service: Service) -> float:
    say("nobody enters anything any more")
    begun = perf_counter()
    while (taken := perf_counter() - begun) < 2 * SETTLES:
        if await asyncio.to_thread(_is_nothing_due, service.environment["DATABASE_URL"]):
            return taken
        await asyncio.sleep(0.1)
    return taken


# Who looks ahead comes by now and then, and leaves pages to be written.
_DUE = """
SELECT (SELECT count(*) FROM ledger_outboxmessage) + (
  SELECT count(*) FROM tournaments_outlook AS outlook WHERE number < (
    SELECT max(number) FROM tournaments_standingsversion WHERE tournament_id = outlook.tournament_id))
"""


def _is_nothing_due(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            row = connection.execute(_DUE).fetchone()
    except psycopg.OperationalError:
        return False
    return row == (0,)


@dataclass(frozen=True, slots=True)
class Shown:
    """When a confirmed result was answered, and when the published standings first had it; None: never."""

    answered: float
    published: float | None


def shown(crowd: Crowd, found: Found) -> list[Shown]:
    """When each confirmed result was to be seen. A later version of the standings has it, too."""
    sights = sorted((found.marks[mark], at) for at, mark in crowd.watcher.seen if mark in found.marks)
    # The moment from which a version or a newer one was shown.
    numbers, moments, earliest = [], [], float("inf")
    for number, at in reversed(sights):
        earliest = min(earliest, at)
        numbers.append(-number)
        moments.append(earliest)
    numbers, moments = [-number for number in reversed(numbers)], moments[::-1]
    answers = []
    for id_, entered in crowd.told.acknowledged.items():
        if entered.kind == "confirmed":
            place = bisect_left(numbers, found.shown_in.get(id_, sys.maxsize))
            answers.append(Shown(entered.at, moments[place] if place < len(moments) else None))
    return answers


def report(crowd: Crowd, found: Found, seconds: float) -> None:
    """Print what was entered, and how long things took."""
    told = crowd.told
    kinds = [each.kind for each in told.acknowledged.values()]
    show(
        f"{len(crowd.ground.phones)} referees and {crowd.viewers} viewers, {seconds:.0f} s",
        ["what", "count"],
        [
            *([name, kinds.count(name)] for name in ("cards", "result", "correction", "confirmed")),
            ["conflicts of two phones", told.conflicts],
            ["sent again after a lost answer", told.repeated],
            ["without an answer", told.unanswered],
            ["pages and marks", len(told.reads)],
            ["answers a second", sum(told.statuses.values()) / seconds],
            ["503", told.away],
            ["other 5xx", told.broken],
            ["versions of the standings", found.versions],
        ],
    )
    late = [each.published - each.answered for each in shown(crowd, found) if each.published is not None]
    times = {"a write": told.writes, "a page or a mark": told.reads, "from result to published": late}
    show(
        "Seconds",
        ["what", "p50", "p95", "p99", "longest"],
        [[name, *shares(taken), max(taken, default=0.0)] for name, taken in times.items()],
    )


def failed(found: Found, crowd: Crowd, wrong: Sequence[str]) -> int:
    """Print what was wrong; the exit status."""
    status = services.report_failures([*found.wrong(), *wrong, *crowd.told.strange[:5]])
    if not status:
        print("Nothing lost, nothing doubled, standings and pages right, verify clean.")
    return status
