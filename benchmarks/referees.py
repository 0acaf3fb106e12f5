"""Referees who write whole games at once: 40 phones, two web processes, a worker, PostgreSQL and Redis.

Each phone is at a table of its own but for the last eight, of whom two share a table: both write the same
game, so that every entry of one of them is a conflict. First each phone writes an event a second, as fast as
a person taps; then without a pause, as fast as answers come. Everything runs on this machine, the phones too;
the private PostgreSQL doesn't wait for the disk. Exits with 1 if an answer was anything but an entry or a
clean conflict, if an entry was lost, doubled or is there without an answer, or if `verify` finds a fault.
"""

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any
from urllib.request import urlopen
from uuid import uuid4

from benchmarks import services
from benchmarks.tables import Cell, show
from games.engine import Ruleset, event_to_json, play_random_game
from tests.support.services import broker
from tests.support.services.broker import free_port
from tests.support.services.processes import stop, wait_until

REFEREES = 40
SHARING = 8
SECONDS = 60
PAUSES = (1.0, 0.0)
"""Seconds between an answer and the next event: a person who taps, and no pause at all."""
PRESET = "palio"


@dataclass
class Answers:
    """What phones were told: statuses, seconds of each answer, and the ids of entries that are stored."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)

    def add(self, other: "Answers") -> None:
        """What another phone was told as well."""
        self.statuses += other.statuses
        self.seconds += other.seconds
        self.stored += other.stored
        self.strange += other.strange


@dataclass
class Phone:
    """A paired phone that writes the games of its table, one event at a time."""

    port: int
    secret: str
    games: Iterator[str]
    told: Answers = field(default_factory=Answers)

    def write(self, until: float, pause: float) -> None:
        """Enter events until that moment of `perf_counter`."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        for game in self.games:
            log = [event_to_json(event) for event in _game(game)]
            version = 0
            while version < len(log) and perf_counter() < until:
                version = self._enter(connection, game, version, log[max(version, 1)])
                sleep(pause)
            if perf_counter() >= until:
                return

    def _enter(self, connection: HTTPConnection, game: str, version: int, event: dict[str, Any]) -> int:
        """Enter one event; the version of the game afterwards, whoever wrote it."""
        entry = str(uuid4())
        body = json.dumps({"expected_version": version, "entries": [{"id": entry, "event": event}]})
        headers = {"Authorization": f"Pairing {self.secret}", "Content-Type": "application/json"}
        begun = perf_counter()
        try:
            connection.request("POST", f"/api/v1/games/{game}/log/", body, headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())
        except (OSError, HTTPException, ValueError) as error:
            connection.close()
            self.told.statuses[0] += 1
            self.told.strange.append(repr(error))
            return version
        self.told.seconds.append(perf_counter() - begun)
        self.told.statuses[answer.status] += 1
        if answer.status == 200 and told["accepted"] == 1:
            self.told.stored.append(entry)
        elif answer.status != 409:
            self.told.strange.append(f"{answer.status} {told}")
        return int(told.get("version", version))


def _game(game: str) -> Sequence[Any]:
    """The same game for everybody who writes it."""
    return play_random_game(Ruleset.from_json(PRESET), 2, int(game[:8], 16), table=True)


@contextmanager
def service(environment: dict[str, str]) -> Iterator[int]:
    """Web processes and a worker as in the full mode; yields the port."""
    port = free_port()
    commands = {
        "web": [*_MODULE, "gunicorn", "--config", "config/gunicorn.py", "--bind", f"127.0.0.1:{port}"],
        "worker": [*_MODULE, "celery", "--app", "config", "worker", "--beat", "--loglevel", "ERROR"],
    }
    commands["web"].append("config.wsgi")
    folder = Path(environment["TENDONE_VAR"])
    commands["worker"] += ["--concurrency", "1", "--schedule", str(folder / "schedule")]
    with ExitStack() as started:
        for name, command in commands.items():
            log = folder / f"{name}.log"
            with log.open("wb") as output:
                process = subprocess.Popen(
                    command, cwd=services.ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
                )
            started.callback(stop, process)
            if name == "web":
                wait_until(lambda: _answers(port), process, log)
        yield port


_MODULE = [sys.executable, "-m"]


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/live/", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def on_database(environment: dict[str, str], *arguments: str, given: str = "") -> dict[str, Any]:
    """What a part of this measurement says that runs on the database."""
    ran = subprocess.run(
        [*_MODULE, "benchmarks.on_database.referees", *arguments],
        cwd=services.ROOT,
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def write_at_once(phones: Sequence[Phone], seconds: float, pause: float) -> Answers:
    """All phones at the same time; what they were told."""
    until = perf_counter() + seconds
    threads = [threading.Thread(target=phone.write, args=(until, pause)) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = Answers()
    for phone in phones:
        told.add(phone.told)
        phone.told = Answers()
    return told


def main() -> int:
    """Measure; 1 if anything wasn't as it has to be."""
    parser = services.arguments(__doc__)
    parser.add_argument("--referees", type=int, default=REFEREES, help=f"phones (default: {REFEREES})")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"of each load (default: {SECONDS})")
    chosen = parser.parse_args()
    tables = max(chosen.referees - SHARING // 2, 1)
    with services.database("postgresql") as environment, ExitStack() as started:
        server = broker.start()
        started.callback(server.stop)
        environment["CELERY_BROKER_URL"] = server.url
        made = on_database(environment, "prepare", str(tables), str(chosen.referees))
        port = started.enter_context(service(environment))
        phones = [
            Phone(port, secret, iter(made["tables"][number % tables]))
            for number, secret in enumerate(made["phones"])
        ]
        rows: list[list[Cell]] = []
        told = Answers()
        for pause in PAUSES:
            part = write_at_once(phones, chosen.seconds, pause)
            rows.append(_row(pause, part, chosen.seconds))
            told.add(part)
        found = on_database(environment, "check", given=json.dumps(told.stored))
    show(
        f"{chosen.referees} phones on {tables} tables, {chosen.seconds} s each",
        ["pause, s", "entries", "entries a second", "conflicts", "other answers", "ms", "p95, ms", "p99, ms"],
        rows,
    )
    print(", ".join(f"{name}: {value or 'none'}" for name, value in found.items()))
    for line in told.strange[:5]:
        print(f"FAILED: {line}", file=sys.stderr)
    wrong = [name for name in ("lost", "doubled", "unknown", "faults") if found[name]]
    return int(bool(told.strange or wrong or found["over"] != found["standings"]))


def _row(pause: float, told: Answers, seconds: int) -> list[Cell]:
    shares = quantiles(told.seconds, n=100)
    others = sum(told.statuses.values()) - told.statuses[200] - told.statuses[409]
    return [
        pause,
        len(told.stored),
        len(told.stored) / seconds,
        told.statuses[409],
        others,
        median(told.seconds) * 1e3,
        shares[94] * 1e3,
        shares[98] * 1e3,
    ]


if __name__ == "__main__":
    sys.exit(main())
