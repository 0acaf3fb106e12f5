"""Everybody at the festival: phones at their tables, viewers, and one who watches the standings."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import ceil
from typing import Any, Self

from benchmarks import services
from benchmarks.festival.phones import ORDINARY, Hall, Pace, Phone
from benchmarks.festival.told import Told
from benchmarks.festival.viewers import Viewer, Watcher

REFEREES = 40
VIEWERS = 300
SHARING = 8
"""The last eight referees are two at a table each: what one enters is in the other's way."""
GAMES_IN_A_ROUND = 3
BY_CARDS = 3
"""Every third referee writes whole games, card by card."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What is there before the first guest: each table's `id`, `code` and `games` (match and game), the
    secrets of paired phones, the address of the standings, and those that people look at.
    """

    tables: list[dict[str, Any]]
    phones: list[str]
    standings: str
    pages: list[str]

    @classmethod
    def prepare(cls, environment: dict[str, str], referees: int, results: float) -> Self:
        """Make an event on the service's database, with a phone for each referee, and publish its pages.

        `results` is how many each referee can enter; there are games for all of them.
        """
        tables = max(referees - SHARING // 2, 1)
        rounds = ceil(results / GAMES_IN_A_ROUND) + 1
        return cls(**on_database(environment, "prepare", str(tables), str(referees), str(rounds)))


def on_database(environment: dict[str, str], *arguments: str, given: object = None) -> dict[str, Any]:
    """What a part of this measurement says that runs on the database."""
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.on_database.festival", *arguments],
        cwd=services.ROOT,
        env=environment,
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


@dataclass
class Crowd:
    """Who takes part, how long and at what pace; `told` is what they hear, `watcher` who sees standings."""

    ground: Ground
    port: int
    seconds: float
    viewers: int = VIEWERS
    pace: Pace = ORDINARY
    seed: str = "palio-2026"

    def __post_init__(self) -> None:
        self.told = Told()
        self.watcher = Watcher(self.port, self.ground.standings)

    @asynccontextmanager
    async def at_it(self) -> AsyncIterator[Hall]:
        """Everybody at work, until it is over; the end waits until all is acknowledged that was begun."""
        hall = Hall(self.told, self.pace)
        asyncio.get_running_loop().call_later(self.seconds, hall.over.set)
        working = [*self._phones(hall), *self._viewers(hall)]
        watching = asyncio.create_task(self.watcher.watch())
        tasks = [asyncio.create_task(each) for each in working]
        try:
            yield hall
            await asyncio.gather(*tasks)
        finally:
            for task in (*tasks, watching):
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks, return_exceptions=True)

    def _phones(self, hall: Hall) -> Iterator[Any]:
        for number, secret in enumerate(self.ground.phones):
            table = self.ground.tables[number % len(self.ground.tables)]
            phone = Phone(number, self.port, secret, hall, self.seed)
            games: Sequence[tuple[str, str]] = [(match, game) for match, game in table["games"]]
            yield phone.write(table["code"], iter(games), by_cards=number % BY_CARDS == 0)
            yield phone.listen(table["id"])

    def _viewers(self, hall: Hall) -> Iterator[Any]:
        for number in range(self.viewers):
            yield Viewer(number, self.port, self.ground.pages, self.told, self.seed).look(hall)
