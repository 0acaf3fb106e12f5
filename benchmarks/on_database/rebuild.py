"""Rebuilding and verifying an event of 100,000 facts, beside the plain replay of its games."""

import sys
from collections.abc import Iterator
from time import perf_counter, process_time
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.utils import timezone

from benchmarks.on_database import DATABASE
from benchmarks.tables import Cell, show
from games.engine import Ruleset, event_to_json, play_random_game
from games.engine import Seat as EngineSeat
from games.engine import replay as replay_events
from games.logbook import STREAM_KIND
from games.models import Game
from games.stored_log import stored_log
from ledger.append import append
from ledger.entries import NewFact
from ledger.models import Fact
from people.models import Event
from tests.support import factories
from tournaments.facts import version_seals
from tournaments.models import StandingsVersion, Tournament
from tournaments.projections.rebuild import rebuild
from tournaments.verification import verify
from tournaments.verification.row_snapshots import picture

FACTS = 100_000
TOURNAMENTS = 6
SECONDS = 10.0
LOGS = 30
Log = list[dict[str, Any]]


def bots(rules: Any) -> list[Log]:
    """Logs of whole games between two, each event as it is stored."""
    seats = [EngineSeat("a", "A"), EngineSeat("b", "B")]
    ruleset = Ruleset.from_json(rules)
    played = (play_random_game(ruleset, seats, seed, table=True) for seed in range(LOGS))
    return [[event_to_json(each) for each in log] for log in played]


def games_with_facts(event: Event, logs: list[Log], rules: Any) -> Iterator[tuple[UUID, list[NewFact]]]:
    """A whole game for each of the event's games, until there are facts enough."""
    games = Game.objects.filter(scope=event.pk).order_by("pk").prefetch_related("seats")
    written = 0
    for number, game in enumerate(games):
        seats = sorted(game.seats.all(), key=lambda seat: seat.number)
        opened = {
            "type": "game_opened",
            "ruleset": rules,
            "seats": [{"name": str(seat.entry), "team": str(seat.team)} for seat in seats],
        }
        log = [opened, *logs[number % len(logs)][1:]]
        yield game.pk, [NewFact(each["type"], each) for each in log]
        written += len(log)
        if written >= FACTS:
            return


def add_versions(tournament: Tournament) -> None:
    """A version of the standings after each game, as if each had been computed when it ended."""
    newest = tournament.standings_versions.order_by("-number").first()
    number, before = (newest.number, newest.seal) if newest else (0, version_seals.FIRST)
    heads = {str(tournament.pk): tournament.version}
    rows = []
    for game in Game.objects.filter(group=tournament.pk, version__gt=0).order_by("pk"):
        heads = {**heads, str(game.pk): game.version}
        number, now = number + 1, timezone.now()
        before = version_seals.seal(before, tournament.pk, number, now, heads, "")
        rows.append(
            StandingsVersion(
                tournament=tournament,
                number=number,
                computed_at=now,
                heads=heads,
                games_played=0,
                games_total=0,
                rounds_played=0,
                seal=before,
            )
        )
    StandingsVersion.objects.bulk_create(rows, batch_size=50)


def replay_all(games: list[UUID]) -> None:
    """The yardstick: each game's facts read and replayed, and nothing written."""
    for game in games:
        replay_events(stored_log(game))


def made() -> Event:
    """The event with its facts and rows."""
    event = factories.make_event()
    factories.make_field(event, 8, 5)
    tournaments = [
        factories.drawn_tournament(event, name=f"Torneo {number}", format="duel", rounds=14)
        for number in range(1, TOURNAMENTS + 1)
    ]
    rules = tournaments[0].settings["ruleset"]
    for game, facts in games_with_facts(event, bots(rules), rules):
        append(game, STREAM_KIND, event.pk, 0, facts)
    rebuild(event)
    StandingsVersion.objects.all().delete()
    for tournament in tournaments:
        tournament.refresh_from_db()
        add_versions(tournament)
    rebuild(event)
    return event


def main() -> int:
    """Measure; 1 if it takes too long or anything differs."""
    event = made()
    tournaments = list(event.tournaments.all())
    count = Fact.objects.filter(stream__scope=event.pk).count()
    games = list(Game.objects.filter(scope=event.pk, version__gt=0).values_list("pk", flat=True))
    versions = StandingsVersion.objects.aggregate(all=Count("pk"))["all"]
    before = [picture(each) for each in tournaments]
    taken: dict[str, tuple[float, float]] = {}
    found: list[Any] = []
    for name, work in (
        ("replayed, nothing written", lambda: replay_all(games)),
        ("all rows built again", lambda: rebuild(event)),
        ("everything verified", lambda: found.extend(verify.verify(event))),
    ):
        begun, worked = perf_counter(), process_time()
        work()
        taken[name] = perf_counter() - begun, process_time() - worked
    plain, _ = taken["replayed, nothing written"]
    table: list[list[Cell]] = [
        [name, seconds, processor, count / seconds, seconds / plain]
        for name, (seconds, processor) in taken.items()
    ]
    show(
        f"{count:,} facts on {DATABASE} ({len(games)} games, {versions} versions of the standings)",
        ["", "s", "s of processor", "facts/s", "× replayed"],
        table,
    )
    same = [picture(each) for each in tournaments] == before
    for wrong in found[:5]:
        print(wrong, file=sys.stderr)
    if not same:
        print("FAILED: other rows than before.", file=sys.stderr)
    took, _ = taken["all rows built again"]
    if took > SECONDS:
        print(f"FAILED: more than {SECONDS:.0f} s.", file=sys.stderr)
    return int(bool(found) or not same or took > SECONDS)


if __name__ == "__main__":
    sys.exit(main())
