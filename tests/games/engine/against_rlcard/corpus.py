"""Games as RLCard played them, as text: one line a moment, so that each can be judged by itself.

A game is a line `= PLAYERS SEED` and one line for each moment at which somebody was to act, then one for the
end. A moment is

    SEAT DIRECTION TOP COLOUR HANDS DISCARDS PILE LEGAL ACTION

Seats, direction (1 or -1) and colours are the engine's, `PILE` counts cards. A card is one letter: a to z and
A to Z for the coloured ones in the order of `CARDS`, `+` a Wild, `*` a Wild Draw Four. Hands are separated by
commas, `.` is no card. `LEGAL` lists what RLCard called legal and `ACTION` is what was done: a card, a wild
with the colour it would name (`+G`), or `-`, a draw. At the end both are `.`.
"""

import lzma
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from games.engine.cards import CARDS, COLORS

CORPUS = Path(__file__).parents[3] / "data" / "rlcard-uno.txt.xz"

_LETTERS = string.ascii_lowercase + string.ascii_uppercase + "+*"
_LETTER = dict(zip(CARDS, _LETTERS, strict=True))
_CARD = dict(zip(_LETTERS, CARDS, strict=True))

Action = tuple[str, str | None]
"""A card and the colour that a wild names; `DRAW` for a draw."""
DRAW: Action = ("draw", None)


@dataclass(frozen=True, slots=True)
class Moment:
    """Somebody is to act, in RLCard's eyes; at the end of a game nothing is legal and `action` is None."""

    seat: int
    direction: int
    top: str
    color: str
    hands: tuple[tuple[str, ...], ...]
    discards: tuple[str, ...]
    pile: int
    legal: frozenset[Action]
    action: Action | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game: its moments in their order, the last one its end."""

    players: int
    seed: int
    moments: tuple[Moment, ...]


def _cards(cards: Iterable[str]) -> str:
    return "".join(_LETTER[card] for card in cards) or "."


def _action(action: Action) -> str:
    return "-" if action == DRAW else _LETTER[action[0]] + (action[1] or "")


def write_moment(moment: Moment) -> str:
    """The line of a moment."""
    legal = "".join(sorted(_action(action) for action in moment.legal)) or "."
    action = "." if moment.action is None else _action(moment.action)
    hands = ",".join(_cards(hand) for hand in moment.hands)
    discards = _cards(moment.discards)
    return (
        f"{moment.seat} {moment.direction} {_LETTER[moment.top]} {moment.color} {hands} {discards} "
        f"{moment.pile} {legal} {action}"
    )


def _read_cards(text: str) -> tuple[str, ...]:
    return () if text == "." else tuple(_CARD[letter] for letter in text)


def _read_actions(text: str) -> Iterator[Action]:
    letters = iter("" if text == "." else text)
    for letter in letters:
        if letter == "-":
            yield DRAW
        else:
            yield _CARD[letter], next(letters) if letter in "+*" else None


def read_moment(line: str) -> Moment:
    """The moment of a line."""
    seat, direction, top, color, hands, discards, pile, legal, action = line.split(" ")
    if color not in COLORS:
        raise ValueError(f"no colour: {color!r}")
    return Moment(
        int(seat),
        int(direction),
        _CARD[top],
        color,
        tuple(_read_cards(hand) for hand in hands.split(",")),
        _read_cards(discards),
        int(pile),
        frozenset(_read_actions(legal)),
        next(_read_actions(action), None),
    )


def write_game(game: Recorded) -> str:
    """The lines of a game."""
    lines = [f"= {game.players} {game.seed}", *map(write_moment, game.moments)]
    return "".join(f"{line}\n" for line in lines)


def read_games(*, every: int = 1) -> Iterator[Recorded]:
    """The games of the corpus, or each `every`th of them."""
    text = lzma.decompress(CORPUS.read_bytes()).decode("ascii")
    for game in text[2:].split("\n= ")[::every]:
        header, *lines = game.splitlines()
        players, seed = header.split(" ")
        yield Recorded(int(players), int(seed), tuple(map(read_moment, lines)))
