"""Marks: queries and times of a 304, in a small and in a large tournament."""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.on_database.standings_page import GZIP, LARGE, Server, serving
from benchmarks.tables import Cell, show
from benchmarks.timing import Times
from people.pairings import COOKIE
from tests.support import factories
from tournaments.models import Tournament

REPEATS = 200
MOST_QUERIES = 2


def asked_of(tournament: Tournament) -> dict[str, str]:
    """Where each kind of open page asks."""
    match = factories.games_of(tournament)[0].match
    return {
        "a phone at a table": reverse("live:table", args=[match.table_id]),
        "a match": reverse("live:match", args=[match.pk]),
        "a tournament": reverse("live:tournament", args=[tournament.pk]),
        "the event's page": reverse("live:outcomes", args=[tournament.event_id]),
        "the desk's board": reverse("live:event", args=[tournament.event_id]),
    }


def count_queries(address: str, secret: str) -> int:
    """Statements of a 304."""
    client = Client()
    client.cookies[COOKIE] = secret
    # That the phone is there is noted once a minute.
    client.get(address)
    mark = client.get(address)["ETag"]
    with CaptureQueriesContext(connection) as queries:
        if client.get(address, headers={"If-None-Match": mark}).status_code != 304:
            raise AssertionError(address)
    return len(queries)


def unchanged(server: Server, path: str, headers: dict[str, str]) -> float:
    """The seconds of a 304."""
    answer = server.get(path, headers)
    if answer.status != 304:
        raise AssertionError(f"{path}: {answer.status}")
    return answer.seconds


def main() -> int:
    """Measure; 1 if a 304 costs too many queries, or not as many in the large tournament."""
    # What a mark counts is there before anything is played.
    tournaments = {
        "3 teams, 120 games": factories.drawn_tournament(factories.make_event(), 3, 10),
        "16 teams, 288 games": factories.drawn_tournament(factories.make_event(), *LARGE),
    }
    rows: list[list[Cell]] = []
    costs: dict[str, set[int]] = {}
    with ExitStack() as servers:
        folder = servers.enter_context(tempfile.TemporaryDirectory(prefix="tendone-benchmark-"))
        service = servers.enter_context(serving("config.wsgi", "/health/ready/"))
        body = Path(folder, "body")
        body.write_bytes(b"")
        bare = servers.enter_context(
            serving("benchmarks.bare", "/", config="benchmarks/bare_gunicorn.py", BENCHMARK_BODY=str(body))
        )
        known = GZIP | {"If-None-Match": bare.get("/").etag}
        for size, tournament in tournaments.items():
            secret = factories.make_pairing(tournament.event)[1]
            cookie = GZIP | {"Cookie": f"{COOKIE}={secret}"}
            for name, path in asked_of(tournament).items():
                queries = count_queries(path, secret)
                costs.setdefault(name, set()).add(queries)
                headers = cookie | {"If-None-Match": service.get(path, cookie).etag}
                turns = [
                    (unchanged(service, path, headers), unchanged(bare, "/", known)) for _ in range(REPEATS)
                ]
                mine, its = (Times(tuple(seconds)) for seconds in zip(*turns, strict=True))
                rows.append([f"{name}, {size}", queries, mine.median * 1e3, mine.p99 * 1e3, mine.ratio(its)])
    show(
        f"One reader at a time, {REPEATS} times each, in turns with the bare view's 304",
        ["who asks", "queries", "ms", "p99, ms", "× bare view"],
        rows,
    )
    wrong = {name: found for name, found in costs.items() if len(found) > 1 or max(found) > MOST_QUERIES}
    if wrong:
        print(f"FAILED: queries {wrong}; expected the same, {MOST_QUERIES} at most.", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
