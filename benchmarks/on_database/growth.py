"""The same requests in copies of the database: as it was at first, and with 10 and 100 times the data."""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from benchmarks.growth import MOST
from benchmarks.on_database import DATABASE
from benchmarks.on_database.append import begin, callers
from benchmarks.on_database.rebuild import bots
from benchmarks.tables import Cell, show
from games.engine import DEFAULT_PRESET, Ruleset, event_to_json, play_random_game
from games.logbook import STREAM_KIND, opening_of
from integrations.change_feed.numbering import number_all
from ledger.append import append
from ledger.entries import NewFact
from ledger.models import Fact, OutboxMessage
from people.models import Account, Event
from people.pairings import COOKIE
from publishing import page_store
from publishing.page_cache import KeptPage
from tests.support import factories
from tournaments.facts import version_seals
from tournaments.models import StandingsVersion, Tournament
from tournaments.projections import standings as stored_standings
from tournaments.projections.rebuild import rebuild_tournament

SIZES = (1, 10, 100)
TURNS = 11
COUNTED = 3
TEAMS, ENTRIES = 3, 7
RULES = DEFAULT_PRESET
BY_CARDS = 4
"""Every fourth game that was played was written down card by card, of the others the results alone."""
BEGUN = 10
"""So many events are in the logs that are gone on with."""
LEFT = TURNS + 12
"""So many games of a tournament are still to be played."""
MADE = ("standings page, made", "the event's page, made")
"""Pages that are asked for while they are neither published nor kept by the process."""
KEPT = "standings page, kept"
SHOWS_ALL = {
    "event": ("desk, board", "desk, call list", "the event's page, made", "a referee's table"),
    "database": (),
}
"""By the way of growing, pages that show more where there is more: all tournaments, all matches, all that are
played at one table.
"""

Facts = list[dict[str, Any]]
Work = Callable[[], object]


def sizes() -> list[int]:
    """How many times the data, as far as asked for."""
    most = int(os.environ.get("BENCHMARK_MOST", MOST))
    return [size for size in SIZES if size <= most]


# What there is


def play(tournament: Tournament, written: list[Facts], left: int) -> None:
    """Play all games but the last `left`, with a version of the standings after each: facts as if they had
    been entered, and rows as `rebuild` makes them.
    """
    games = factories.games_of(tournament)
    logs: dict[UUID, Facts] = {}
    for number, each in enumerate(games[: len(games) - left]):
        rest = [{"type": "game_closed", "reason": "result", "winner": number % 2}]
        if number % BY_CARDS == 0:
            rest = written[number % len(written)]
        logs[each.game_id] = [opening_of(each.game), *rest]
    for game, log in logs.items():
        append(game, STREAM_KIND, tournament.event_id, 0, [NewFact(each["type"], each) for each in log])
    tournament.standings_versions.all().delete()
    heads = {str(tournament.pk): tournament.version}
    before = version_seals.FIRST
    versions = []
    for number, (game, log) in enumerate(logs.items(), start=1):
        heads = {**heads, str(game): len(log)}
        now = timezone.now()
        before = version_seals.seal(before, tournament.pk, number, now, heads, "")
        played = {"games_played": 0, "games_total": 0, "rounds_played": 0}
        versions.append(
            StandingsVersion(
                tournament=tournament, number=number, computed_at=now, heads=heads, seal=before, **played
            )
        )
    StandingsVersion.objects.bulk_create(versions, batch_size=50)
    with transaction.atomic():
        rebuild_tournament(tournament)


@dataclass
class Ground:
    """The event and the tournament that are asked for at every size, and how everything else grows."""

    way: str
    organizer: Account = field(default_factory=factories.make_account)
    written: list[Facts] = field(default_factory=lambda: [log[1:] for log in bots(RULES)])
    size: int = 0

    def __post_init__(self) -> None:
        self.event = factories.make_event(self.organizer)
        self.tournament = self._add(self.event)
        rules = Ruleset.from_json(RULES)
        self.callers = callers(self.tournament, self.organizer)
        self.games = [each for each in factories.games_of(self.tournament) if not each.game.version]
        needed = BEGUN + COUNTED + TURNS + 5
        played = (play_random_game(rules, 2, seed, table=True) for seed in count())
        log = next(each for each in played if len(each) >= needed)
        self.logs = [begin(caller, self.games.pop(), log, BEGUN) for caller in self.callers]
        self.rest = [event_to_json(event) for event in log[BEGUN:]]
        self.phone = factories.make_pairing(self.event)[1]

    def grow_to(self, size: int) -> None:
        """Add what is missing to so many times the data; what was due is worked off, and all is numbered."""
        while self.size < size:
            event = self.event if self.way == "event" else factories.make_event(factories.make_account())
            self._add(event)
        number_all(self.event)
        OutboxMessage.objects.all().delete()

    def _add(self, event: Event) -> Tournament:
        self.size += 1
        tournament = factories.drawn_tournament(event, TEAMS, ENTRIES, name=f"Torneo {self.size}")
        play(tournament, self.written, LEFT)
        tournament.refresh_from_db()
        return tournament


# The copies


def copy(name: str) -> None:
    """A copy of the database as it is."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # As it is done by itself in time.
            cursor.execute("VACUUM ANALYZE")
        own = connection.settings_dict
        server = {"host": own["HOST"], "port": own["PORT"] or None, "user": own["USER"]}
        connection.close()
        with psycopg.connect(make_conninfo(**server, dbname="postgres"), autocommit=True) as other:
            other.execute(f'CREATE DATABASE "{name}" TEMPLATE "{own["NAME"]}"')
        return
    connection.close()
    shutil.copy(connection.settings_dict["NAME"], name)


def opened(name: str) -> BaseDatabaseWrapper:
    """A connection to a copy."""
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    own.settings_dict = {**own.settings_dict, "NAME": name}
    return own


# What is asked


def works_of(ground: Ground) -> dict[str, Work]:
    """Everybody who asks in the copy that is connected, by the names of tables; what goes on goes on from
    where the copy was made.
    """
    slug, tournament, event = ground.event.slug, ground.tournament, ground.event
    standings, of_desk = f"/{slug}/{tournament.slug}/", f"/desk/events/{slug}"
    phone, desk, public = Client(), Client(), Client()
    phone.cookies[COOKIE] = ground.phone
    desk.force_login(ground.organizer)
    program = ground.callers[1]
    by_phone, by_program = (
        replace(log, stands=list(log.stands), rest=iter(ground.rest), queries=[]) for log in ground.logs
    )
    games = iter(ground.games)

    def ask(client: Any, address: str) -> Work:
        return lambda: page(client, address)

    def result() -> None:
        program.post(f"{next(games).game_id}/result", {"winner_seat": 0, "expected_version": 0})
        stored_standings.compute(tournament.pk)

    return {
        "an entry, referee's phone": by_phone.add_one,
        "an entry, program": by_program.add_one,
        "a result, with the standings": result,
        "standings page, made": ask(public, standings),
        KEPT: ask(public, standings),
        "the event's page, made": ask(public, f"/{slug}/"),
        "a referee's table": ask(phone, f"/t/{ground.games[0].match.table.code}/"),
        "an open page asks again": ask(public, f"/live/tournaments/{tournament.pk}/"),
        "desk, standings": ask(desk, f"{of_desk}/tournaments/{tournament.slug}/standings/"),
        "desk, history": ask(desk, f"{of_desk}/history/"),
        "history, program": ask(program.client, f"/api/v1/events/{event.pk}/history/"),
        "changes, program": ask(program.client, f"/api/v1/events/{event.pk}/changes/?limit=50"),
        "desk, call list": ask(desk, f"{of_desk}/call/"),
        "desk, board": ask(desk, f"{of_desk}/board/"),
    }


def page(client: Any, address: str) -> None:
    """Ask for a page; any other answer ends the measurement."""
    response = client.get(address)
    if response.status_code != 200:
        raise AssertionError(f"{address}: {response.status_code}")


@dataclass
class Taken:
    """What a work took in one copy: queries, and seconds turn by turn."""

    queries: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def usual(self) -> int:
        """The queries that it takes; once a minute a phone is noted as seen besides."""
        return min(self.queries)


def measure(ground: Ground, copies: Mapping[int, BaseDatabaseWrapper]) -> dict[str, dict[int, Taken]]:
    """Each work in each copy, in turns; in the first ones queries are counted instead of seconds."""
    gc.collect()
    kept = [each for each in gc.get_objects() if isinstance(each, KeptPage)]
    pages = [f"/{ground.event.slug}/{ground.tournament.slug}/", f"/{ground.event.slug}/"]
    asked: dict[int, dict[str, Work]] = {}
    for size, own in copies.items():
        connections[DEFAULT_DB_ALIAS] = own
        asked[size] = works_of(ground)
    taken: dict[str, dict[int, Taken]] = {
        name: {size: Taken() for size in copies} for name in next(iter(asked.values()))
    }
    gc.disable()
    for turn in range(COUNTED + TURNS):
        gc.collect()
        for name, by_size in taken.items():
            for size, each in by_size.items():
                connections[DEFAULT_DB_ALIAS] = copies[size]
                if name in MADE:
                    for address in pages:
                        page_store.remove(address)
                    for found in kept:
                        found.clear()
                elif name == KEPT:
                    # Another copy's page of this address isn't the same.
                    asked[size][name]()
                if turn < COUNTED:
                    with CaptureQueriesContext(copies[size]) as captured:
                        asked[size][name]()
                    each.queries.append(len(captured))
                else:
                    begun = perf_counter()
                    asked[size][name]()
                    each.seconds.append(perf_counter() - begun)
    return taken


def report(way: str, counts: Mapping[int, int], taken: Mapping[str, Mapping[int, Taken]]) -> bool:
    """Show it; whether what should cost the same takes as many queries everywhere."""
    first, *larger = counts
    rows: list[list[Cell]] = []
    good = True
    for name, by_size in taken.items():
        base = by_size[first].seconds
        turns = {size: zip(by_size[size].seconds, base, strict=True) for size in larger}
        ratios = [median(mine / its for mine, its in each) for each in turns.values()]
        queries = [by_size[size].usual for size in counts]
        rows.append([name, " ".join(map(str, queries)), median(base) * 1e3, *ratios])
        if name not in SHOWS_ALL[way] and len(set(queries)) > 1:
            print(f"FAILED: {name}: not as many queries everywhere: {queries}.", file=sys.stderr)
            good = False
    where = {"database": "in other events", "event": "in other tournaments of the event"}[way]
    facts = ", ".join(f"{number:,}" for number in counts.values())
    show(
        f"The same with {', '.join(map(str, counts))} times the data ({where}; {facts} facts) on {DATABASE}, "
        f"median of {TURNS}",
        ["what", "queries", "ms at 1 ×", *(f"{size} × / 1 ×" for size in larger)],
        rows,
    )
    return good


def main() -> int:
    """Measure; 1 if what should cost the same takes more queries in a larger database."""
    way = os.environ["BENCHMARK_WAY"]
    ground = Ground(way)
    copies, counts = {}, {}
    for size in sizes():
        ground.grow_to(size)
        counts[size] = Fact.objects.count()
        name = f"{connection.settings_dict['NAME']}-{size}"
        copy(name)
        copies[size] = opened(name)
    good = report(way, counts, measure(ground, copies))
    for own in copies.values():
        own.close()
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
