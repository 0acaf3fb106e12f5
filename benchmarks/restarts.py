"""The embedded service killed, stopped and frozen while six phones write: is everything there, and once?

100 restarts, by `kill -9` of all its processes and by SIGTERM to the first one in turn, then SIGSTOPs: ten of
ten seconds and three of two minutes. Each comes at a random moment that follows from the seed. Phones send
what wasn't acknowledged again, with the same ids; while the service is frozen they give up waiting, so that
it finds the same entry several times when it goes on. Exits with 1 if an acknowledged entry is lost, if one
is there twice or without an answer, if the standings don't count all games, or if `verify` finds a fault.
"""

import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

from benchmarks import services
from benchmarks.festival.told import shares
from benchmarks.referees import on_database
from benchmarks.tables import Cell, show
from games.engine import Ruleset, event_to_json, play_random_game
from tests.support.services.broker import free_port
from tests.support.services.embedded import start
from tests.support.services.processes import PATIENCE, is_ready, stop, tail, wait_until

PHONES = 6
TABLES = 100
RESTARTS = 100
SHORT, LONG = (10, 10.0), (3, 120.0)
"""How many SIGSTOPs, and the seconds of each."""
PAUSES = (0.5, 3.0)
"""Seconds from the moment at which the service serves again to the next blow, at least and at most."""
BETWEEN = 0.2
"""Seconds between an answer and a phone's next entry."""
PATIENT_FOR = 15.0
"""Seconds that a phone waits for an answer."""
PRESET = "palio"


@dataclass
class Phone:
    """A paired phone that writes its games, entry by entry, and sends each until it is acknowledged."""

    port: int
    secret: str
    games: Sequence[str]
    over: threading.Event
    stored: list[str] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    strange: list[str] = field(default_factory=list)

    def write(self) -> None:
        """Enter game after game; after `over` the entry that was begun is still acknowledged."""
        for game in self.games:
            log = play_random_game(Ruleset.from_json(PRESET), 2, int(game[:8], 16), table=True)
            version = 0
            while version < len(log):
                if self.over.is_set() or self.strange:
                    return
                version = self._enter(game, version, event_to_json(log[max(version, 1)]))
                sleep(BETWEEN)
        self.strange.append("all games were played before the end")

    def _enter(self, game: str, version: int, event: dict[str, Any]) -> int:
        """Send one entry until it is answered; the game's version afterwards."""
        entry, begun = str(uuid4()), perf_counter()
        body = json.dumps({"expected_version": version, "entries": [{"id": entry, "event": event}]})
        while True:
            status, told = self._send(game, body)
            self.statuses[status] += 1
            if status == 200 and told["accepted"] == 1:
                self.stored.append(entry)
                self.waited.append(perf_counter() - begun)
                return int(told["version"])
            if status not in (0, 503):
                self.strange.append(f"{status} {told}")
                return version
            sleep(0.5)

    def _send(self, game: str, body: str) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer; 0 where there is none."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENT_FOR)
        headers = {"Authorization": f"Pairing {self.secret}", "Content-Type": "application/json"}
        try:
            connection.request("POST", f"/api/v1/games/{game}/log/", body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, HTTPException, ValueError):
            return 0, {}
        finally:
            connection.close()


class Embedded:
    """The service in a group of processes of its own, always on the same port."""

    def __init__(self, environment: dict[str, str], port: int) -> None:
        self.port = port
        self.log = Path(environment["TENDONE_VAR"]) / "serve.log"
        self._environment = environment
        self.start()

    def start(self) -> None:
        """Start it, and wait until it serves."""
        self.process = start(self._environment, self.log, self.port, "--empty")

    def kill(self) -> str:
        """End all its processes at once, and start it again."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.start()
        return ""

    def terminate(self) -> str:
        """Ask it to end, and start it again; what was wrong with its end."""
        self.process.terminate()
        status = self.process.wait(PATIENCE)
        wrong = f"SIGTERM: it ended with {status}: {tail(self.log)}" if status else ""
        self.start()
        return wrong

    def freeze(self, seconds: float) -> str:
        """Have none of its processes do anything for so long."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        sleep(seconds)
        os.killpg(self.process.pid, signal.SIGCONT)
        wait_until(lambda: is_ready(self.port), self.process, self.log)
        return ""

    def end(self) -> None:
        """End it, whatever state it is in."""
        os.killpg(self.process.pid, signal.SIGCONT)
        stop(self.process)


def strike(service: Embedded, chosen: Any) -> tuple[dict[str, list[float]], list[str]]:
    """All blows one after the other: the seconds until it served again by kind, and what was wrong."""
    random, wrong = Random(chosen.seed), list[str]()
    taken: dict[str, list[float]] = {}
    blows: list[tuple[str, Any]] = [
        ("SIGTERM", service.terminate) if number % 2 else ("kill -9", service.kill)
        for number in range(chosen.restarts)
    ]
    for count, seconds in ((chosen.short, SHORT[1]), (chosen.long, LONG[1])):
        name = f"SIGSTOP of {seconds:.0f} s"
        blows += [(name, lambda seconds=seconds: service.freeze(seconds))] * count
    for name, blow in blows:
        sleep(random.uniform(*PAUSES))
        begun = perf_counter()
        if fault := blow():
            wrong.append(fault)
        taken.setdefault(name, []).append(perf_counter() - begun)
        print(f"{name}: {taken[name][-1]:.1f} s", file=sys.stderr, flush=True)
    sleep(PAUSES[1])
    return taken, wrong


def main() -> int:
    """Strike; 1 if anything was lost, doubled or wrong."""
    parser = services.arguments(__doc__)
    parser.add_argument("--restarts", type=int, default=RESTARTS, help=f"default: {RESTARTS}")
    parser.add_argument("--short", type=int, default=SHORT[0], help=f"of 10 s (default: {SHORT[0]})")
    parser.add_argument("--long", type=int, default=LONG[0], help=f"of 120 s (default: {LONG[0]})")
    parser.add_argument("--seed", default="palio-2026", help="of the moments")
    chosen = parser.parse_args()
    over, port = threading.Event(), free_port()
    with services.database("sqlite") as environment:
        made = on_database(environment, "prepare", str(TABLES), str(PHONES))
        games = [
            [game for table in made["tables"][number::PHONES] for game in table] for number in range(PHONES)
        ]
        phones = [Phone(port, secret, games[number], over) for number, secret in enumerate(made["phones"])]
        service, begun = Embedded(environment, port), perf_counter()
        threads = [threading.Thread(target=phone.write, daemon=True) for phone in phones]
        try:
            for thread in threads:
                thread.start()
            taken, wrong = strike(service, chosen)
            over.set()
            for thread in threads:
                thread.join(PATIENCE)
            seconds = perf_counter() - begun
        finally:
            service.end()
        stored = [entry for phone in phones for entry in phone.stored]
        found = on_database(environment, "check", given=json.dumps(stored))
    _show(taken, phones, seconds)
    print(", ".join(f"{name}: {value or 'none'}" for name, value in found.items()))
    wrong += [f"{name}: {found[name]}" for name in ("lost", "doubled", "unknown", "faults") if found[name]]
    wrong += ["the standings are behind"] * (found["over"] != found["standings"])
    wrong += [line for phone in phones for line in phone.strange]
    wrong += ["a phone still waits for an answer"] * any(thread.is_alive() for thread in threads)
    return services.report_failures(wrong)


def _show(taken: dict[str, list[float]], phones: Sequence[Phone], seconds: float) -> None:
    rows: list[list[Cell]] = [
        [name, len(each), *shares(each)[:2], max(each)] for name, each in taken.items() if each
    ]
    show("Seconds from the blow until it served again", ["blow", "times", "p50", "p95", "longest"], rows)
    waited = [each for phone in phones for each in phone.waited]
    statuses = sum((phone.statuses for phone in phones), Counter[int]())
    show(
        f"{len(phones)} phones, {seconds:.0f} s",
        ["entries", "sent again", "p50, s", "p95, s", "longest, s"],
        [[len(waited), statuses[0] + statuses[503], *shares(waited)[:2], max(waited)]],
    )


if __name__ == "__main__":
    sys.exit(main())
