"""Replaying games: events in memory, logs in files, games in the ledger; and games that bots play.

Each figure stands beside a yardstick that was timed in the same rounds, so that ratios can be compared
between machines: for events in memory a bare reducer (one dictionary look-up, one call, three assignments an
event) over the same events, for files `json.loads` of the same lines.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import services
from benchmarks.compiled_engine import AS_IT_IS, measure_compiled
from benchmarks.tables import Cell, show
from benchmarks.timing import LINES, decode_lines, in_turns
from games.engine import (
    Event,
    Ruleset,
    State,
    advance,
    dump,
    load,
    parse_log,
    play_random_game,
    print_log,
    replay,
)
from games.engine.events import CardsDrawn, CardsPlayed, TurnPassed

EVENTS = 10_000
"""About so many are replayed in each round of a measurement."""
BOT_GAMES = 100
LONG = 1_000
LONG_SEEDS = 12


def ruleset(preset: str) -> Ruleset:
    """The rules of a preset."""
    return Ruleset.from_json(preset)


@dataclass(frozen=True)
class Corpus:
    """Games of one kind."""

    seats: int
    log: str
    games: tuple[tuple[Event, ...], ...]

    @property
    def events(self) -> int:
        """How many events they have together."""
        return sum(map(len, self.games))


def corpus(seats: int, *, table: bool, stamped: bool = False) -> Corpus:
    """Whole games of the palio by bots, about `EVENTS` events together.

    `stamped`: with when and by whom each was written down, as a referee's phone has them.
    """
    rules = ruleset("palio")
    games: list[tuple[Event, ...]] = []
    count = 0
    while count < EVENTS:
        game = tuple(play_random_game(rules, seats, len(games), table=table))
        if stamped:
            game = tuple(
                replace(event, at=f"2026-09-19T14:{place // 60:02}:{place % 60:02}+02:00", by="referee-3")
                for place, event in enumerate(game)
            )
        games.append(game)
        count += len(game)
    kind = f"{'table' if table else 'full'}{', stamped' if stamped else ''}"
    return Corpus(seats, kind, tuple(games))


class Tally:
    """What the bare reducer reduces to."""

    __slots__ = ("count", "last", "seat")

    def __init__(self) -> None:
        self.count = 0
        self.seat = 0
        self.last: object = None


def _of_a_seat(tally: Tally, event: Any) -> None:
    tally.count += 1
    tally.seat = event.seat
    tally.last = event


def _other(tally: Tally, event: Any) -> None:
    tally.count += 1
    tally.last = event


REACT: dict[type[Event], Callable[[Tally, Any], None]] = dict.fromkeys(
    (CardsPlayed, CardsDrawn, TurnPassed), _of_a_seat
)


def reduce_bare(games: tuple[tuple[Event, ...], ...]) -> int:
    """The yardstick: no rule is checked, nothing is parsed."""
    count = 0
    react = REACT.get
    for game in games:
        tally = Tally()
        for event in game:
            react(event.__class__, _other)(tally, event)
        count += tally.count
    return count


def replay_all(games: tuple[tuple[Event, ...], ...]) -> None:
    """Every game with every check on."""
    for game in games:
        if not replay(game).over:
            raise AssertionError("a bots' game has to end")


def replay_files(files: list[Path]) -> None:
    """Every file from its bytes to the state."""
    for file in files:
        if not replay(parse_log(file.read_bytes())).over:
            raise AssertionError("a bots' game has to end")


def decode_files(files: list[Path]) -> None:
    """The yardstick for files."""
    for file in files:
        with file.open("rb") as lines:
            for line in lines:
                json.loads(line)


def events_and_files() -> None:
    """Measure replays of events in memory, and of logs in files."""
    memory: list[list[Cell]] = []
    filed: list[list[Cell]] = []
    for seats in (2, 4, 8):
        for table, stamped in ((True, False), (True, True), (False, False)):
            played = corpus(seats, table=table, stamped=stamped)
            with tempfile.TemporaryDirectory(prefix="tendone-benchmark-") as folder:
                files = [Path(folder, f"{number}.jsonl") for number in range(len(played.games))]
                for file, game in zip(files, played.games, strict=True):
                    file.write_text(print_log(game))
                times = in_turns(
                    {
                        "replay": partial(replay_all, played.games),
                        "reducer": partial(reduce_bare, played.games),
                        "files": partial(replay_files, files),
                        "json": partial(decode_files, files),
                    }
                )
            count = played.events
            kind: list[Cell] = [f"{seats}", played.log, len(played.games), count]
            cost = times["replay"].ratio(times["reducer"])
            memory.append([*kind, times["replay"].rate(count), times["reducer"].rate(count), cost])
            cost = times["files"].ratio(times["json"])
            filed.append([*kind, times["files"].rate(count), times["json"].rate(count), cost])
    head = ["seats", "log", "games", "events"]
    show(
        "Events in memory, every check on (palio)",
        [*head, "events/s", "bare reducer/s", "× its time"],
        memory,
    )
    show("Logs in JSONL files (palio)", [*head, "events/s", "json.loads/s", "× its time"], filed)


def bot_games() -> None:
    """Measure games of bots, who check each of their events as they play."""
    rules = ruleset("palio")
    rows: list[list[Cell]] = []
    for seats in (2, 4, 8):
        for style in ("sensible", "random"):
            play = partial(play_games, rules, seats, style)
            count = play()
            times = in_turns({"play": play, "shuffle": shuffle_packs}, rounds=5)
            rows.append(
                [
                    f"{seats}",
                    style,
                    times["play"].rate(BOT_GAMES),
                    times["play"].rate(count),
                    times["play"].ratio(times["shuffle"]),
                ]
            )
    show(
        "Games by bots (palio, full logs)",
        ["seats", "style", "games/s", "events/s", "× shuffling a pack"],
        rows,
    )


def play_games(rules: Ruleset, seats: int, style: str) -> int:
    """So many games, always the same ones; how many events they have."""
    return sum(len(play_random_game(rules, seats, seed, style=style)) for seed in range(BOT_GAMES))


def shuffle_packs() -> None:
    """The yardstick for games: the standard library shuffles a pack for each."""
    random = Random(1)
    for _ in range(BOT_GAMES):
        random.shuffle(list(range(108)))


def long_game(seed: int) -> tuple[Event, ...]:
    """A game to 500 points, every other one with the cards that only the players see."""
    rules = ruleset("classic")
    return tuple(play_random_game(rules, 4, seed, table=seed % 2 == 0, longest=LONG))


def long_games() -> None:
    """Measure what an event costs in a short and in a long game."""
    logs = [log for seed in range(LONG_SEEDS) if len(log := long_game(seed)) >= LONG]
    lengths = (50, 200, LONG)

    def replayed(length: int) -> Callable[[], object]:
        prefixes = [log[:length] for log in logs]
        times = LONG // length

        def work() -> None:
            for prefix in prefixes:
                for _ in range(times):
                    replay(prefix)

        return work

    def added(length: int) -> Callable[[], object]:
        stored = [(dump(replay(log[: length - 1])), log[length - 1]) for log in logs]

        def work() -> None:
            for _ in range(100):
                for snapshot, event in stored:
                    state: State = load(snapshot)
                    advance(state, event)
                    dump(state)

        return work

    replays = in_turns({f"{length}": replayed(length) for length in lengths})
    adds = in_turns({f"{length}": added(length) for length in lengths})
    first = f"{lengths[0]}"
    show(
        f"An event in a game of so many (classic, 4 seats, {len(logs)} games)",
        ["events", "replay, µs an event", "× 50", "one more on its snapshot, µs", "× 50"],
        [
            [
                length,
                replays[f"{length}"].median / len(logs) / LONG * 1e6,
                replays[f"{length}"].ratio(replays[first]),
                adds[f"{length}"].median / len(logs) / 100 * 1e6,
                adds[f"{length}"].ratio(adds[first]),
            ]
            for length in lengths
        ],
    )


def main() -> int:
    """Measure everything; 1 if a database is missing or stored games don't give their states."""
    parser = services.arguments(__doc__)
    parser.add_argument(AS_IT_IS, action="store_true", help="measure the engine that is found, no database")
    as_it_is = parser.parse_args().as_it_is
    yardstick = in_turns({"decode": decode_lines})["decode"]
    print(f"This machine: json.loads {yardstick.rate(LINES):,.0f} lines/s.")
    events_and_files()
    bot_games()
    long_games()
    if as_it_is:
        return 0
    return max(
        measure_compiled("benchmarks.replay"),
        services.run_on_databases(list(services.DATABASES), "stored_games", seconds=60),
    )


if __name__ == "__main__":
    sys.exit(main())
