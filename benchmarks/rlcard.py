"""Games by bots beside RLCard's, in the same run: two players, random legal moves.

RLCard (datamllab/rlcard) is no requirement: put a checkout of it on PYTHONPATH, with numpy and termcolor
installed. Measured there is its game object, here a whole log in which every event was checked. Games are of
unlike length, so what was done in them stands beside games a second: there steps (a draw, whatever becomes of
the card, is one), here events of the log.
"""

import importlib
import sys
from functools import partial
from random import Random
from typing import Any

from benchmarks import services
from benchmarks.compiled_engine import AS_IT_IS, measure_compiled
from benchmarks.tables import show
from benchmarks.timing import in_turns
from games.engine import Ruleset, play_random_game

GAMES = 300


def play_rlcard(numpy: Any, uno: Any) -> int:
    """So many games, always the same ones; how many steps they have."""
    steps = 0
    for seed in range(GAMES):
        game = uno.Game(num_players=2)
        game.np_random = numpy.random.RandomState(seed)
        random = Random(seed)
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(random.choice(state["legal_actions"]))
            steps += 1
    return steps


def play_own(rules: Ruleset, style: str) -> int:
    """So many games, always the same ones; how many events they have."""
    return sum(len(play_random_game(rules, 2, seed, style=style)) for seed in range(GAMES))


def main() -> int:
    """Measure both, and once more with the engine compiled; 1 where RLCard isn't at hand."""
    parser = services.arguments(__doc__)
    parser.add_argument(AS_IT_IS, action="store_true", help="measure the engine that is found, and no other")
    as_it_is = parser.parse_args().as_it_is
    try:
        numpy, uno = importlib.import_module("numpy"), importlib.import_module("rlcard.games.uno")
    except ImportError as missing:
        print(f"{missing}: this needs a checkout of RLCard on PYTHONPATH, with numpy and termcolor.")
        return 1
    rules = Ruleset.from_json("palio")
    works = {
        "RLCard, random": partial(play_rlcard, numpy, uno),
        "palio, random": partial(play_own, rules, "random"),
        "palio, sensible": partial(play_own, rules, "sensible"),
    }
    done = {name: work() for name, work in works.items()}
    times = in_turns(works)
    theirs = times["RLCard, random"]
    show(
        f"Games by bots, 2 players, {GAMES} games",
        ["who plays", "games/s", "steps or events/s", "a game", "× RLCard's games/s"],
        [
            [name, each.rate(GAMES), each.rate(done[name]), done[name] / GAMES, theirs.ratio(each)]
            for name, each in times.items()
        ],
    )
    return 0 if as_it_is else measure_compiled("benchmarks.rlcard")


if __name__ == "__main__":
    sys.exit(main())
