"""What the engine makes of everything that the tests keep as text: `python -m tests.games.engine.corpus`.

One line for each scenario, for each log that is kept, for games by bots of every preset and for what may come
next in them. Two engines that print the same play by the same rules.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from games.engine import (
    PRESETS,
    Ruleset,
    State,
    advance,
    dump,
    event_to_json,
    legal,
    legal_events,
    load,
    parse_log,
    play_random_game,
    replay,
    replay_while_valid,
    summarize,
)
from games.engine import transitions as engine_transitions
from tests.support.scenario_files import scenarios, told

KEPT = (Path(__file__).parent, Path(__file__).parents[3] / "docs" / "reference" / "examples")
SEATS = (2, 3, 5)
SEEDS = 2
STEP = 9


def told_scenarios() -> Iterator[object]:
    """What comes of every event of every scenario, refusals by their code."""
    for scenario in scenarios():
        yield [scenario.name, *told(scenario, {})]


def kept_logs() -> Iterator[object]:
    """Where every log that lies among the tests and the examples leads, and its first refusal."""
    for folder in KEPT:
        for path in sorted(folder.rglob("*.jsonl")):
            state, accepted, refusal = replay_while_valid(parse_log(path.read_bytes()))
            yield [path.name, accepted, summarize(state), None if refusal is None else refusal.to_json()]


def bot_games() -> Iterator[object]:
    """Games of every preset, event by event as they are stored; and on the way what may come next."""
    for preset in PRESETS:
        for seats in SEATS:
            for seed in range(SEEDS):
                table = seed % 2 == 0
                style = "sensible" if table else "random"
                log = play_random_game(
                    Ruleset.from_json(preset), seats, seed, table=table, style=style, longest=250
                )
                yield [preset, seats, seed, *map(event_to_json, log), dump(replay(log))]
                state = State()
                for place, event in enumerate(log):
                    advance(state, event)
                    if place % STEP == 0:
                        state = load(json.loads(json.dumps(dump(state))))
                        options = [option.to_json() for option in legal(state)]
                        yield [options, *map(event_to_json, legal_events(state))]


def main() -> None:
    """Print which engine this is, then all of it."""
    print(Path(engine_transitions.__file__).suffix)
    for part in (told_scenarios(), kept_logs(), bot_games()):
        for line in part:
            print(json.dumps(line))


if __name__ == "__main__":
    main()
