"""Log events, corrections and results through the API: queries and milliseconds."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from benchmarks.on_database import DATABASE
from benchmarks.tables import Cell, show
from benchmarks.timing import Times, in_turns
from games.engine import Event, Ruleset, event_to_json, play_random_game, print_log
from ledger.append import append
from ledger.entries import NewFact
from people.actors import Actor
from people.models import Account
from tests.support import factories
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament

PRESET = "classic"
SEATS = 2
SHORT, LONG = 10, 1_000
ROUNDS = 60
COUNTED = 5
CORRECTIONS = 6
MOST_QUERIES = 10
"""Queries that an event may cost. Once a minute it may be one more, which notes that its caller was seen."""

Pair = tuple[int, int]
"""Statements that read or write, and those that begin, end or mark a transaction."""


@dataclass
class Caller:
    """Somebody who writes: a phone or a program."""

    name: str
    client: APIClient

    def post(self, address: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to what is sent; anything but success ends the measurement."""
        answer = self.client.post(f"/api/v1/games/{address}/", body)
        told: dict[str, Any] = json.loads(answer.content)
        if answer.status_code != 200 or told["refusal"]:
            raise AssertionError(f"{address}: {answer.status_code} {told}")
        return told


@dataclass
class Log:
    """A stored log, and the events that come next in it."""

    caller: Caller
    game: UUID
    length: int
    version: int
    stands: list[tuple[int, dict[str, Any]]]
    rest: Iterator[dict[str, Any]]
    queries: list[Pair] = field(default_factory=list)

    @property
    def name(self) -> str:
        """How tables name it."""
        return f"{self.caller.name}, {self.length:,} events"

    @property
    def usual(self) -> Pair:
        """What one more event costs."""
        return min(self.queries)

    @property
    def highest(self) -> int:
        """The most queries that one more event cost."""
        return max(queries for queries, _ in self.queries)

    def add_one(self) -> None:
        """One more event."""
        event = next(self.rest)
        entries = [{"id": str(uuid4()), "event": event}]
        body = {"expected_version": self.version, "entries": entries}
        self.version = self.caller.post(f"{self.game}/log", body)["version"]
        self.stands.append((self.version, event))

    def correct(self, back: int = 3) -> None:
        """An event so many from the end was wrong; it is written again as it was, so the rest stays legal."""
        line, event = self.stands[-back]
        body = {"line": line, "replacement": [event], "reason": "typing-error"}
        body["expected_version"] = self.version
        version = self.caller.post(f"{self.game}/corrections", body)["version"]
        # First each of them is voided, then each is there again.
        again = range(self.version + back + 1, version + 1)
        self.stands[-back:] = zip(again, [event for _, event in self.stands[-back:]], strict=True)
        self.version = version


def long_log() -> list[Event]:
    """A game to 500 points that is still on after all that is measured."""
    rules = Ruleset.from_json(PRESET)
    needed = LONG + COUNTED + ROUNDS + 10
    for seed in range(1_000):
        log = play_random_game(rules, SEATS, seed, table=True, longest=needed)
        if len(log) >= needed:
            return log
    raise AssertionError("no game of bots is long enough")


def begin(caller: Caller, match_game: MatchGame, log: list[Event], length: int) -> Log:
    """Store the first `length` events of a log in a game."""
    written = results.upload_log(match_game, Actor.command(), print_log(log[:length]))
    events = [event_to_json(event) for event in log]
    stands = list(enumerate(events[:length], start=1))
    return Log(caller, match_game.game_id, length, written.version, stands, iter(events[length:]))


def statements(work: Callable[[], object]) -> Pair:
    """How many statements a work costs."""
    with CaptureQueriesContext(connection) as captured:
        work()
    words = [query["sql"].split(maxsplit=1)[0].upper() for query in captured]
    control = sum(word in CONTROL for word in words)
    return len(words) - control, control


CONTROL = {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"}


def callers(tournament: Tournament, organizer: Account) -> list[Caller]:
    """A referee's paired phone and an organizer's program."""
    _pairing, phone = factories.make_pairing(tournament.event)
    _token, program = factories.make_token(organizer)
    return [
        Caller("phone", APIClient(headers={"Authorization": f"Pairing {phone}"})),
        Caller("token", APIClient(headers={"Authorization": f"Bearer {program}"})),
    ]


def measure_events(logs: list[Log]) -> bool:
    """One event after the other; whether it costs few queries, and as many in each log."""
    for log in logs:
        log.queries = [statements(log.add_one) for _ in range(COUNTED)]
    stream = uuid4()

    def alone() -> None:
        append(stream, "measured", None, None, [NewFact("cards_drawn", {"seat": 1, "count": 1}, uuid4())])

    times = in_turns(
        {"alone": alone, **{log.name: log.add_one for log in logs}}, rounds=ROUNDS, clock=perf_counter
    )
    bare = statements(alone)
    rows: list[list[Cell]] = [
        [name, *pair, highest, taken.median * 1e3, taken.p99 * 1e3, taken.ratio(times["alone"])]
        for name, pair, highest, taken in [
            ("ledger alone", bare, bare[0], times["alone"]),
            *((log.name, log.usual, log.highest, times[log.name]) for log in logs),
        ]
    ]
    show(
        f"One log event through the API on {DATABASE}",
        ["caller, log", "queries", "BEGIN, SAVEPOINT, …", "most queries", "ms", "p99, ms", "× ledger alone"],
        rows,
    )
    return is_cheap(logs)


def is_cheap(logs: list[Log]) -> bool:
    """Whether no event cost too many queries, and each caller's usual one as many in the long log."""
    good = True
    for log in logs:
        usual, _control = log.usual
        if usual > MOST_QUERIES or log.highest > MOST_QUERIES + 1:
            print(
                f"FAILED: {log.name}: {usual} to {log.highest} queries, not {MOST_QUERIES}.", file=sys.stderr
            )
            good = False
        costs = {other.usual for other in logs if other.caller is log.caller}
        if len(costs) > 1:
            print(f"FAILED: {log.name}: not the same in each log: {sorted(costs)}.", file=sys.stderr)
            good = False
    return good


def measure_others(logs: list[Log], games: Iterator[MatchGame]) -> None:
    """What is rarer: results and corrections."""
    caller = logs[0].caller

    def result() -> None:
        body = {"winner_seat": 0, "expected_version": 0}
        caller.post(f"{next(games).game_id}/result", body)

    short, long = (log for log in logs if log.caller is caller)
    works: dict[str, Callable[[], None]] = {
        "a result, game not begun": result,
        f"correction 3 events back, log of {SHORT}": short.correct,
        f"correction 3 events back, log of {LONG:,}": long.correct,
    }
    counts = {name: statements(work) for name, work in works.items()}
    times = in_turns(works, rounds=CORRECTIONS, clock=perf_counter)
    deep = f"correction {LONG // 2} events back, log of {LONG:,}"
    begun = perf_counter()
    counts[deep] = statements(lambda: long.correct(LONG // 2))
    times[deep] = Times((perf_counter() - begun,))
    show(
        f"Results and corrections through the API on {DATABASE}",
        ["what", "queries", "BEGIN, SAVEPOINT, …", "ms"],
        [[name, *counts[name], times[name].median * 1e3] for name in counts],
    )


def main() -> int:
    """Measure on this process's database; 1 if an event costs too many queries."""
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event, entries=6, ruleset=PRESET)
    games = iter(factories.games_of(tournament))
    log = long_log()
    logs = [
        begin(caller, next(games), log, length)
        for caller in callers(tournament, organizer)
        for length in (SHORT, LONG)
    ]
    good = measure_events(logs)
    measure_others(logs, games)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
