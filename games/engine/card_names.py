"""Names of cards and colours where they stand alone, such as on a button or beside a drawing."""

from typing import Final

from games.engine.cards import COLOR, SYMBOL, Card, Color
from games.engine.phrases import COLOR_WORDS
from games.engine.translations import mark, translate

SIGNS: Final = {
    "S": mark("Skip"),
    "R": mark("Reverse"),
    "+2": mark("Draw Two"),
    "W": mark("Wild"),
    "W+4": mark("Wild Draw Four"),
}
"""What the cards without a number are called, msgids."""

_TITLES: Final = {
    "R": mark("Red {sign}"),
    "Y": mark("Yellow {sign}"),
    "G": mark("Green {sign}"),
    "B": mark("Blue {sign}"),
}


def card_title(card: Card, language: str, color: Color | None = None) -> str:
    """What a card is called: "7 rosso", "Red 7", "Jolly (verde)"; `color` is that named with a wild."""
    own = COLOR[card]
    if own is not None:
        symbol = SYMBOL[card]
        sign = translate(SIGNS[symbol], language) if symbol in SIGNS else symbol
        return translate(_TITLES[own], language).format(sign=sign)
    sign = translate(SIGNS[card], language)
    if color is None:
        return sign
    return translate("{sign} ({color})", language).format(sign=sign, color=color_name(color, language))


def color_name(color: Color, language: str) -> str:
    """A colour in the middle of a sentence."""
    return translate(COLOR_WORDS[color], language)


def color_letter(color: Color, language: str) -> str:
    """The letter of a colour on its cards: R, G, V, B for rosso, giallo, verde, blu."""
    letters = {
        "R": translate("R", language, "letter of a card"),
        "Y": translate("Y", language, "letter of a card"),
        "G": translate("G", language, "letter of a card"),
        "B": translate("B", language, "letter of a card"),
    }
    return letters[color]
