"""The standings page: queries, weight, the first reader after a change, and requests a second."""

import gzip
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks import nginx
from benchmarks.load import CONNECTIONS, Load, put_load, tool
from benchmarks.on_database import DATABASE
from benchmarks.services import ROOT
from benchmarks.tables import Cell, show
from benchmarks.timing import Times
from people.actors import Actor
from publishing import page_store, publication
from tests.support import factories
from tests.support.services.broker import free_port
from tests.support.services.processes import stop, wait_until
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings

PROCESSES, THREADS = 2, 4
SECONDS, ROUNDS = 3, 4
CHANGES = 30
GZIP = {"Accept-Encoding": "gzip"}
MOST_QUERIES = 5
# The most teams that a format takes, with as many games as a page lists.
LARGE = (16, 3)


def played(teams: int, entries: int, left: int = 0) -> tuple[Tournament, list[MatchGame]]:
    """A tournament with results in all games but the last `left`, and those games."""
    tournament = factories.drawn_tournament(factories.make_event(), teams, entries)
    games = factories.games_of(tournament)
    for game in games[: len(games) - left]:
        win(game)
    standings.compute(tournament.pk)
    return tournament, games[len(games) - left :]


def win(game: MatchGame) -> None:
    """Somebody wins this game."""
    results.enter_result(game, Actor.command(), seat=Random(str(game.pk)).randrange(2))


def address(tournament: Tournament) -> str:
    """Where the standings are."""
    return f"/{tournament.event.slug}/{tournament.slug}/"


@dataclass(frozen=True)
class Answer:
    """An answer over HTTP, and the seconds it took."""

    status: int
    body: bytes
    etag: str
    seconds: float


class Server:
    """A gunicorn with an application, on loopback."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)

    def url(self, path: str) -> str:
        """The whole address."""
        return f"http://127.0.0.1:{self.port}{path}"

    def get(self, path: str, headers: dict[str, str] = GZIP) -> Answer:
        """One request over a connection that is kept."""
        try:
            return self._ask(path, headers)
        except RemoteDisconnected:
            # Nobody has asked for so long that it hung up.
            self._connection.close()
            return self._ask(path, headers)

    def _ask(self, path: str, headers: dict[str, str]) -> Answer:
        begun = perf_counter()
        self._connection.request("GET", path, headers=headers)
        response = self._connection.getresponse()
        body = response.read()
        return Answer(response.status, body, response.headers.get("ETag", ""), perf_counter() - begun)

    def answers(self, path: str) -> bool:
        """Whether it serves yet."""
        try:
            return self.get(path).status == 200
        except OSError:
            self._connection.close()
            return False


@contextmanager
def serving(
    application: str, ready: str, *, config: str = "config/gunicorn.py", **environment: str
) -> Iterator[Server]:
    """Serve an application as the full mode does."""
    server = Server(free_port())
    command = ["gunicorn", "--config", config, "--bind", f"127.0.0.1:{server.port}"]
    size = {"WEB_PROCESSES": f"{PROCESSES}", "WEB_THREADS": f"{THREADS}"}
    with tempfile.TemporaryDirectory(prefix="tendone-benchmark-") as folder:
        log = Path(folder, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", *command, application],
                cwd=ROOT,
                env=os.environ | environment | size,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            wait_until(lambda: server.answers(ready), process, log)
            yield server
        finally:
            stop(process)


def publish(tournament: Tournament) -> None:
    """Compute the standings and write the pages, as workers do after a result."""
    standings.compute(tournament.pk)
    while publication.publish(tournament.event_id):
        pass


@contextmanager
def by_nginx(folder: Path) -> Iterator[Server | None]:
    """The published pages served by nginx alone; None where it isn't installed."""
    if not nginx.is_there():
        yield None
        return
    with nginx.before(folder, processes=PROCESSES) as port:
        yield Server(port)


def count_queries(tournaments: dict[str, tuple[Tournament, MatchGame]]) -> bool:
    """Queries of the page while it isn't written yet after a change, of the published one and of its 304,
    with a game that is still to be won; whether they are few, and the same for each tournament.
    """
    client = Client(headers=GZIP)
    rows: list[list[Cell]] = []
    costs = set()
    for name, (tournament, game) in tournaments.items():
        # Templates and the like are loaded once in the life of a process.
        client.get(address(tournament))
        win(game)
        standings.compute(tournament.pk)
        page_store.remove(address(tournament))
        with CaptureQueriesContext(connection) as changed:
            response = client.get(address(tournament))
        publish(tournament)
        with CaptureQueriesContext(connection) as again:
            response = client.get(address(tournament))
        with CaptureQueriesContext(connection) as unchanged:
            client.get(address(tournament), headers={"If-None-Match": response["ETag"]})
        queries = (len(changed), len(again), len(unchanged))
        weights = (len(gzip.decompress(response.content)) / 1024, len(response.content) / 1024)
        rows.append([name, *queries, *weights])
        costs.add(len(changed))
    show(
        "Queries and HTML",
        ["tournament", "made for who asks", "published", "304", "KB", "KB compressed"],
        rows,
    )
    if len(costs) > 1 or max(costs) > MOST_QUERIES:
        print(f"FAILED: queries {sorted(costs)}; expected the same, {MOST_QUERIES} at most.", file=sys.stderr)
        return False
    return True


class Parts(HTMLParser):
    """The files that a page brings with it."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a browser loads by itself."""
        given = dict(attrs)
        loads = tag in ("script", "img", "source") or (
            tag == "link" and not {"alternate", "canonical"} & set((given.get("rel") or "").split())
        )
        found = given.get("src") or given.get("href")
        if loads and found and not found.startswith("data:"):
            self.addresses[found] = None


def weigh(server: Server, path: str) -> bool:
    """The page with everything it loads, compressed as it comes; whether all of it is the service's own."""
    html = server.get(path).body
    parts = Parts()
    parts.feed(gzip.decompress(html).decode())
    weights = {path: len(html)}
    waiting = [urljoin(path, found) for found in parts.addresses]
    elsewhere = []
    while waiting:
        found = waiting.pop()
        if urlsplit(found).netloc:
            elsewhere.append(found)
        elif found not in weights:
            answer = server.get(found)
            weights[found] = len(answer.body)
            if found.endswith(".css"):
                style = gzip.decompress(answer.body) if answer.body[:2] == b"\x1f\x8b" else answer.body
                named = re.findall(r"url\([\"']?([^\"')]+)", style.decode())
                waiting += [urljoin(found, each) for each in named if not each.startswith("data:")]
    rows: list[list[Cell]] = [[name, weight / 1024] for name, weight in weights.items()]
    rows.append(["all", sum(weights.values()) / 1024])
    show("Weight with everything it loads", ["file", "KB as it comes"], rows)
    if elsewhere:
        print(f"FAILED: loaded from elsewhere: {elsewhere}", file=sys.stderr)
    return not elsewhere


def first_readers(service: Server, bare: Server, path: str, games: list[MatchGame]) -> None:
    """One reader at a time, after each change of the standings: of a page that isn't written yet, and of the
    published one. How long the writing takes, too.
    """
    taken: dict[str, list[float]] = {"made for who asks": [], "published": [], "304": [], "bare view": []}
    written = []
    for game in games:
        win(game)
        tournament = game.match.stage.tournament
        standings.compute(tournament.pk)
        page_store.remove(path)
        first = service.get(path)
        begun = perf_counter()
        publish(tournament)
        written.append(perf_counter() - begun)
        following = service.get(path)
        unchanged = service.get(path, GZIP | {"If-None-Match": following.etag})
        if (first.status, following.status, unchanged.status) != (200, 200, 304):
            raise AssertionError(f"{first.status}, {following.status}, {unchanged.status}")
        seconds = (first.seconds, following.seconds, unchanged.seconds, bare.get("/").seconds)
        for name, each in zip(taken, seconds, strict=True):
            taken[name].append(each)
    times = {name: Times(tuple(seconds)) for name, seconds in taken.items()}
    show(
        f"One reader at a time, after {len(games)} changes",
        ["answer", "ms", "p99, ms", "× bare view"],
        [
            [name, each.median * 1e3, each.p99 * 1e3, each.ratio(times["bare view"])]
            for name, each in times.items()
        ],
    )
    show(
        "Writing the pages that a result has changed",
        ["languages", "ms", "p99, ms"],
        [["two", Times(tuple(written)).median * 1e3, Times(tuple(written)).p99 * 1e3]],
    )


def under_load(service: Server, bare: Server, static: Server | None, path: str) -> bool:
    """Page and 304 in turns with the bare view's, and nginx's, then the page while it isn't written; whether
    every answer was right.
    """
    tag, bare_tag = service.get(path).etag, bare.get("/").etag
    asked = {
        "bare view": (bare.url("/"), GZIP, 200),
        "page": (service.url(path), GZIP, 200),
        "bare view, 304": (bare.url("/"), GZIP | {"If-None-Match": bare_tag}, 304),
        "page, 304": (service.url(path), GZIP | {"If-None-Match": tag}, 304),
    }
    if static is not None:
        asked["page by nginx"] = (static.url(path), GZIP, 200)
        headers = GZIP | {"If-None-Match": static.get(path).etag}
        asked["page by nginx, 304"] = (static.url(path), headers, 304)
    loads: dict[str, list[Load]] = {name: [] for name in asked}
    for number in range(ROUNDS):
        for name, (url, headers, status) in asked.items():
            load = put_load(url, headers, SECONDS if number else 1, status)
            if number:
                loads[name].append(load)
    # Until it is written again, everybody has it made.
    page_store.remove(path)
    loads["page, not written"] = [put_load(service.url(path), GZIP, SECONDS, 200) for _ in range(ROUNDS - 1)]
    rows: list[list[Cell]] = []
    for name, each in loads.items():
        beside = loads["bare view, 304" if name.endswith("304") else "bare view"]
        share = median(mine.rate / its.rate for mine, its in zip(each, beside, strict=True))
        rows.append(
            [
                name,
                median(load.rate for load in each),
                100 * share,
                median(load.p50 for load in each),
                median(load.p99 for load in each),
            ]
        )
    show(
        f"{CONNECTIONS} connections, gunicorn {PROCESSES} × {THREADS}, {DATABASE}, load by {tool()}, "
        f"median of {ROUNDS - 1} × {SECONDS} s",
        ["answer", "requests/s", "% of the bare view", "p50, ms", "p99, ms"],
        rows,
    )
    failed = sum(load.failed for each in loads.values() for load in each)
    if failed:
        print(f"FAILED: {failed} answers were wrong.", file=sys.stderr)
    return not failed


def main() -> int:
    """Measure; 1 if an answer was wrong or queries are too many."""
    small, (last, *games) = played(3, 10, left=CHANGES + 1)
    large, (other,) = played(*LARGE, left=1)
    path = address(small)
    with ExitStack() as servers:
        folder = servers.enter_context(tempfile.TemporaryDirectory(prefix="tendone-benchmark-"))
        service = servers.enter_context(serving("config.wsgi", "/health/ready/"))
        body = Path(folder, "body")
        body.write_bytes(service.get(path).body)
        bare = servers.enter_context(
            serving("benchmarks.bare", "/", config="benchmarks/bare_gunicorn.py", BENCHMARK_BODY=str(body))
        )
        good = count_queries({"3 teams, 120 games": (small, last), "16 teams, 288 games": (large, other)})
        good &= weigh(service, path)
        first_readers(service, bare, path, games)
        published = Path(settings.STORAGES["published"]["OPTIONS"]["location"])
        static = servers.enter_context(by_nginx(published))
        good &= under_load(service, bare, static, path)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
