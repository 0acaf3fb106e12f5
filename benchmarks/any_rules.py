"""Bots' games under rule sets that vary in every field, at tables of 2 to 10: none refused, none stuck.

    python -m benchmarks.any_rules [--games N] [--first N]

Game by game from its number, so each can be played again alone (`--games 1 --first NUMBER`). Every event is
checked as it is played and once more by a replay. In every state on the way the seat that is to move can do
something, whether the bots would do it or not.
"""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.tables import show
from games.engine import FIELDS, Refusal
from tests.games.engine.kit.any_games import any_game, never_stuck

GAMES = 20_000


@dataclass
class Tally:
    """What the games were, and what went wrong in them: (number, what)."""

    games: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    finished: Counter[int] = field(default_factory=Counter)
    values: dict[str, set[object]] = field(default_factory=lambda: {each.name: set() for each in FIELDS})
    refused: list[tuple[int, str]] = field(default_factory=list)
    stuck: list[tuple[int, str]] = field(default_factory=list)

    def add(self, number: int) -> None:
        """Play the game of a number."""
        game = any_game(number)
        self.games[game.seats] += 1
        for name, value in game.ruleset.values().items():
            self.values[name].add(value)
        try:
            log = game.play()
            state = never_stuck(log)
        except Refusal as refusal:
            self.refused.append((number, str(refusal)))
        except AssertionError as error:
            self.stuck.append((number, str(error)))
        else:
            self.events[game.seats] += len(log)
            self.finished[game.seats] += state.close_reason == "played"

    def untried(self) -> list[str]:
        """The choices of fields that no game had."""
        return [
            f"{each.name} {json.dumps(value)}"
            for each in FIELDS
            for value in ((True, False) if each.kind == "bool" else each.choices)
            if value not in self.values[each.name]
        ]


def main() -> int:
    """Play, and say what came of it; 1 where a game was refused or stuck."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="default %(default)s")
    parser.add_argument(
        "--first", type=int, default=0, metavar="N", help="the first game's number; default 0"
    )
    options = parser.parse_args()
    tally = Tally()
    clock, processor = time.monotonic(), time.process_time()
    for number in range(options.first, options.first + options.games):
        tally.add(number)
    clock, processor = time.monotonic() - clock, time.process_time() - processor
    rows = [
        (f"{seats}", tally.games[seats], tally.events[seats], tally.finished[seats])
        for seats in sorted(tally.games)
    ]
    total = ("all", tally.games.total(), tally.events.total(), tally.finished.total())
    show(
        "Games under rule sets that vary in every field",
        ["seats", "games", "events", "played to the end"],
        [*rows, total],
    )
    print(f"{len(tally.refused)} refused, {len(tally.stuck)} stuck, {len(tally.untried())} choices untried.")
    print(f"{processor:.0f} s of processor, {clock:.0f} s by the clock.")
    for number, what in (*tally.refused, *tally.stuck):
        print(f"game {number}: {what}")
    for choice in tally.untried():
        print(f"untried: {choice}")
    return 1 if tally.refused or tally.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
