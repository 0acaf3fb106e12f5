"""Play seeded games in RLCard by random legal moves, and write down each moment: how the corpus was made.

Run by hand where `rlcard` can be imported (a checkout of datamllab/rlcard on PYTHONPATH, with numpy and
termcolor): `python -m tests.games.engine.against_rlcard.record`. The corpus comes out the same each time.
"""

import importlib
import lzma
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from games.engine.cards import COLORS
from tests.games.engine.against_rlcard.corpus import CORPUS, DRAW, Action, Moment, Recorded, write_game

MOMENTS = 100_000
TABLES = (2, 3, 2, 4, 2, 10, 6, 8, 2, 10)
"""Players at the first table, the second and so on, over and over."""

_SYMBOLS = {
    "skip": "S",
    "reverse": "R",
    "draw_2": "+2",
    "wild": "W",
    "wild_draw_4": "W+4",
    **{str(number): str(number) for number in range(10)},
}


def _color(color: Any) -> str:
    return str(color).upper()


def _card(card: Any) -> str:
    """The engine's code of a card of RLCard's: a wild there keeps the colour that it was played for."""
    symbol = _SYMBOLS[card.trait]
    return symbol if card.type == "wild" else _color(card.color) + symbol


def _action(action: str) -> Action:
    if action == "draw":
        return DRAW
    color, trait = action.split("-")
    symbol = _SYMBOLS[trait]
    return (symbol, _color(color)) if symbol in ("W", "W+4") else (_color(color) + symbol, None)


def _moment(game: Any, legal: list[str], action: str | None) -> Moment:
    table = game.round
    color = _color(table.target.color)
    if color not in COLORS:
        raise ValueError(f"no colour: {color!r}")
    return Moment(
        int(table.current_player),
        int(table.direction),
        _card(table.target),
        color,
        tuple(tuple(sorted(map(_card, player.hand))) for player in game.players),
        tuple(map(_card, table.played_cards)),
        len(table.dealer.deck),
        frozenset(map(_action, legal)),
        None if action is None else _action(action),
    )


def record(players: int, seed: int) -> Recorded:
    """One game by random legal moves; the same one from the same seed."""
    numpy = importlib.import_module("numpy")
    game = importlib.import_module("rlcard.games.uno").Game(num_players=players)
    game.np_random = numpy.random.RandomState(seed)
    random = Random(seed)
    game.init_game()
    moments = []
    while not game.is_over():
        legal = game.get_legal_actions()
        action = random.choice(legal)
        moments.append(_moment(game, legal, action))
        game.step(action)
    moments.append(_moment(game, [], None))
    return Recorded(players, seed, tuple(moments))


def games(first: int = 0) -> Iterator[Recorded]:
    """One game after the other, at tables of different sizes."""
    seed = first
    while True:
        yield record(TABLES[seed % len(TABLES)], seed)
        seed += 1


def main() -> int:
    """Write the corpus."""
    texts, moments, count = [], 0, 0
    for game in games():
        texts.append(write_game(game))
        moments += len(game.moments) - 1
        count += 1
        if moments >= MOMENTS:
            break
    text = "".join(texts).encode("ascii")
    CORPUS.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    sys.stdout.write(f"{count} games, {moments} moments, {CORPUS.stat().st_size} bytes of {len(text)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
