"""Count of the taps that a referee needs for each event of whole games.

Bots play, and every event is looked for on the pages as `referee.offers` lays them out. Nothing is timed.
"""

import sys
from collections import Counter

import django

from benchmarks.tables import Cell, show
from games.engine import Ruleset, State, advance, play_random_game
from games.engine.events import GameClosed, GameOpened, HandShown
from tests.support.run import environment

SEEDS = range(20)
SEATS = (2, 4)
LONGEST = 200
UNTAPPED = (GameOpened, GameClosed, HandShown)
"""Not counted: the service opens games, a closing follows the bell, hands have a page of their own."""


def counted(preset: str) -> dict[str, Counter[int]]:
    """How often how many taps were needed, by what was entered."""
    from tests.referee.taps import kind, way_to

    found: dict[str, Counter[int]] = {}
    for seats in SEATS:
        for seed in SEEDS:
            state = State()
            for event in play_random_game(
                Ruleset.from_json(preset), seats, seed, table=True, longest=LONGEST
            ):
                if not isinstance(event, UNTAPPED):
                    way = way_to(state, event)
                    taps = 0 if way is None else len(way) + 1
                    found.setdefault(kind(state, event), Counter())[taps] += 1
                advance(state, event)
    return found


def main() -> int:
    """The exit status: 1 if something can't be tapped."""
    if len(sys.argv) > 1:
        print(__doc__)
        return 0
    environment.prepare()
    django.setup()
    lost = 0
    for preset in ("palio", "house"):
        found = counted(preset)
        total = sum(found.values(), Counter[int]())
        lost += total[0]
        rows: list[list[Cell]] = [_row(words, taps) for words, taps in sorted(found.items())]
        rows.append(_row("all", total))
        header = ["entered", "events", "taps each", "1 tap", "2 taps", "3 taps", "more"]
        show(f"{preset}, {len(SEEDS)} games each of {' and '.join(map(str, SEATS))} seats", header, rows)
    if lost:
        print(f"{lost} events can't be tapped")
    return 1 if lost else 0


def _row(words: str, taps: Counter[int]) -> list[Cell]:
    events = taps.total()
    more = sum(count for number, count in taps.items() if number > 3)
    mean = sum(number * count for number, count in taps.items()) / events
    return [words, events, mean, taps[1], taps[2], taps[3], more]


if __name__ == "__main__":
    sys.exit(main())
