"""Cards as short interned strings, with tables for everything one asks about them.

A card is written as in the game log. First comes its colour `R` `Y` `G` `B`; then `0`-`9`, `S` (Skip), `R`
(Reverse) or `+2` (Draw Two). `W` is a Wild, `W+4` a Wild Draw Four. All tables are built once, so that a rule
is a look-up.
"""

from collections.abc import Iterable, Mapping
from typing import Final

Card = str
Color = str

COLORS: Final[tuple[Color, ...]] = ("R", "Y", "G", "B")
NUMBERS: Final = tuple(str(number) for number in range(10))
SKIP, REVERSE, DRAW_TWO = "S", "R", "+2"
WILD, WILD_FOUR = "W", "W+4"

CARDS: Final[tuple[Card, ...]] = (
    *(color + symbol for color in COLORS for symbol in (*NUMBERS, SKIP, REVERSE, DRAW_TWO)),
    WILD,
    WILD_FOUR,
)
CARD: Final[Mapping[str, Card]] = {card: card for card in CARDS}
"""A card's own object for its name: every table is looked up quickest with that."""

WILDS: Final = frozenset((WILD, WILD_FOUR))

COLOR: Final[Mapping[Card, Color | None]] = {card: None if card in WILDS else card[0] for card in CARDS}
"""The colour of a card; None for wilds."""

SYMBOL: Final[Mapping[Card, str]] = {card: card if card in WILDS else card[1:] for card in CARDS}
"""What is on a card beside its colour: a digit, `S`, `R`, `+2`, `W` or `W+4`."""

NUMBER: Final[Mapping[Card, int | None]] = {
    card: int(SYMBOL[card]) if SYMBOL[card] in NUMBERS else None for card in CARDS
}
"""The number on a card; None for action cards and wilds."""

_ACTION_POINTS: Final = 20
_WILD_POINTS: Final = 50


def _points(card: Card) -> int:
    number = NUMBER[card]
    if number is not None:
        return number
    return _WILD_POINTS if card in WILDS else _ACTION_POINTS


POINTS: Final[Mapping[Card, int]] = {card: _points(card) for card in CARDS}
"""What a card counts when it is left in a hand."""


def hand_points(cards: Iterable[Card]) -> int:
    """What cards count together when they are left in a hand."""
    return sum(POINTS[card] for card in cards)


def _copies(card: Card) -> int:
    if card in WILDS:
        return 4
    return 1 if SYMBOL[card] == "0" else 2


COPIES: Final[Mapping[Card, int]] = {card: _copies(card) for card in CARDS}
"""How often one pack holds a card."""

PACK: Final[tuple[Card, ...]] = tuple(card for card in CARDS for _ in range(COPIES[card]))
"""One pack of 108 cards."""

OF_COLOR: Final[Mapping[Color, frozenset[Card]]] = {
    color: frozenset(card for card in CARDS if COLOR[card] == color) for color in COLORS
}


def _fitting(color: Color, top: Card, *, twins: bool) -> frozenset[Card]:
    symbols = {SYMBOL[top]}
    if twins and symbols & {SKIP, REVERSE}:
        symbols = {SKIP, REVERSE}
    return OF_COLOR[color] | WILDS | {card for card in CARDS if SYMBOL[card] in symbols}


FITS: Final = {color: {top: _fitting(color, top, twins=False) for top in CARDS} for color in COLORS}
"""`FITS[color][top]`: every card that goes on the pile, by colour, number, symbol or as a wild."""

FITS_TWINS: Final = {color: {top: _fitting(color, top, twins=True) for top in CARDS} for color in COLORS}
"""As `FITS`, where Skip and Reverse go on each other."""


def missing(cards: Iterable[Card], among: Iterable[Card]) -> list[Card]:
    """The cards of the first collection that the second one doesn't hold, each as often as it is lacking."""
    rest = list(among)
    lacking = []
    for card in cards:
        if card in rest:
            rest.remove(card)
        else:
            lacking.append(card)
    return lacking


def reachable_points(counts: Mapping[int, int], cards: int) -> int:
    """Which sums of points exactly so many cards can make, as a bit mask (bit p: p points are possible).

    `counts`: how many cards there are of each value in points.
    """
    masks = [1] + [0] * cards
    for value, available in counts.items():
        left = min(available, cards)
        bundle = 1
        while left:
            # Bundles of 1, 2, 4, … and the rest together make every number of cards, in few steps.
            bundle = min(bundle, left)
            left -= bundle
            for size in range(cards, bundle - 1, -1):
                masks[size] |= masks[size - bundle] << (value * bundle)
            bundle *= 2
    return masks[cards]
