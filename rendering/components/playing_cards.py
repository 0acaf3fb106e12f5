"""Cards and colours drawn with their names and letters in a language."""

from games.engine.card_names import card_title, color_letter, color_name
from games.engine.cards import COLOR
from rendering.svg.card import card, color_sign


def drawn_card(code: str, language: str, color: str | None = None) -> str:
    """SVG of a card; `color` is the colour that was named with a wild. KeyError for what is no card."""
    shown = COLOR[code] or color
    letter = color_letter(shown, language) if shown else ""
    return card(code, color, label=card_title(code, language, color), letter=letter)


def drawn_color(color: str, language: str) -> str:
    """SVG of a colour alone, as it is tapped to name one."""
    return color_sign(color, label=color_name(color, language), letter=color_letter(color, language))
