"""From the facts of a stored game to its state, with and without checking the chains of hashes."""

import sys
from collections.abc import Iterable
from json import loads
from time import perf_counter
from uuid import UUID, uuid4

from django.db import transaction

from benchmarks.on_database import DATABASE
from benchmarks.tables import show
from benchmarks.timing import Times, in_turns
from games.engine import Ruleset, dump, event_to_json, play_random_game
from games.engine import Seat as EngineSeat
from games.logbook import LogbookEntry, OpenGame, replay
from games.models import Game, Seat
from ledger import read
from ledger.verify import check_streams

SEATS = 4
# A query for each game weighs on short games; the rules to 500 points make long ones.
KINDS = (("palio", 150), ("classic", 12))


@transaction.atomic
def store_games(scope: UUID, preset: str, games: int) -> dict[UUID, int]:
    """Games by bots, stored as table logs: how many facts each has."""
    rules = Ruleset.from_json(preset)
    stored = {}
    for seed in range(games):
        row = Game.objects.create(scope=scope, ruleset=rules.to_json())
        seats = [(uuid4(), uuid4()) for _ in range(SEATS)]
        Seat.objects.bulk_create(
            Seat(game=row, number=number, entry=entry, team=team)
            for number, (entry, team) in enumerate(seats)
        )
        people = [EngineSeat(str(entry), str(team)) for entry, team in seats]
        log = play_random_game(rules, people, seed, table=True)
        written = OpenGame(row.pk).write(
            [LogbookEntry(event_to_json(each)) for each in log], expected_version=0
        )
        if written.refusal is not None:
            raise written.refusal
        stored[row.pk] = written.version
    return stored


def replay_all(games: Iterable[UUID]) -> None:
    """Each game from its facts."""
    for game in games:
        replay(game)


def read_all(games: Iterable[UUID]) -> None:
    """The yardstick: the facts' texts and `json.loads` of each."""
    for game in games:
        for _, text in read.texts(game):
            loads(text)


def measure(preset: str, number: int) -> bool:
    """Measure so many games of a preset; whether every replayed state is the stored one."""
    scope = uuid4()
    games = store_games(scope, preset, number)
    count = sum(games.values())
    wrong = [row.pk for row in Game.objects.filter(pk__in=games) if dump(replay(row.pk)) != row.snapshot]
    found = list(check_streams(scope))
    if wrong or found:
        print(f"Wrong: {len(wrong)} states, {len(found)} findings {found[:3]}", file=sys.stderr)
    times = in_turns(
        {
            "read": lambda: read_all(games),
            "replay": lambda: replay_all(games),
            "chains": lambda: list(check_streams(scope)),
        },
        clock=perf_counter,
    )
    both = Times(tuple(map(sum, zip(times["replay"].seconds, times["chains"].seconds, strict=True))))
    works = (
        ("texts, json.loads each", times["read"]),
        ("state", times["replay"]),
        ("chains and heads checked", times["chains"]),
        ("state, and chains checked", both),
    )
    show(
        f"Stored games on {DATABASE} ({preset}, {SEATS} seats, {number} games, {count:,} facts)",
        ["from the ledger to", "events/s", "× reading alone"],
        [[name, taken.rate(count), taken.ratio(times["read"])] for name, taken in works],
    )
    return not (wrong or found)


def main() -> int:
    """Measure; 1 if a replayed state isn't the stored one."""
    good = [measure(preset, number) for preset, number in KINDS]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
