"""Grammar of a language: cards with their articles, counts, lists, persons."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from games.engine.cards import COLOR, SYMBOL, Card, Color
from games.engine.phrases import COLOR_WORDS
from games.engine.telling.names import Names, one_line
from games.engine.telling.parts import Line, Part, Parts, as_line
from games.engine.words import translate

Texts = Mapping[str, str]
"""A template by language, with values in braces."""

_PLACE: Final = re.compile(r"\{([a-z]+)\}")

SIGNS: Final[Mapping[str, Mapping[str, str]]] = {
    "it": {"S": "Salta", "R": "Inverti", "+2": "Pesca due", "W": "Jolly", "W+4": "Jolly Pesca quattro"},
    "en": {"S": "Skip", "R": "Reverse", "+2": "Draw Two", "W": "Wild", "W+4": "Wild Draw Four"},
}
"""What the cards without a number are called."""

_RED: Final[Mapping[str, Mapping[Color, str]]] = {
    "it": {"R": "rosse", "Y": "gialle", "G": "verdi", "B": "blu"},
    "en": {"R": "red", "Y": "yellow", "G": "green", "B": "blue"},
}
"""A colour with cards, in the plural."""


def card_words(card: Card, language: str) -> str:
    """A card in the middle of a sentence, without an article: "7 rosso", "Salta verde", "red 7"."""
    color = COLOR[card]
    if color is None:
        return SIGNS[language][card]
    symbol = SYMBOL[card]
    sign, word = SIGNS[language].get(symbol, symbol), translate(COLOR_WORDS[color], language)
    return f"{sign} {word}" if language == "it" else f"{word} {sign}"


class Voice:
    """Says things in a language (`it`, else English), with names as the caller gives them."""

    def __init__(self, language: str, names: Names) -> None:
        self.language = "it" if language.partition("-")[0] == "it" else "en"
        self.names = names
        self._italian = self.language == "it"

    def fill(self, texts: Texts, **values: Parts) -> Parts:
        """A template with its values."""
        parts: list[Part] = []
        # Split with a group gives text, name, text, name, … text.
        for place, piece in enumerate(_PLACE.split(texts[self.language])):
            if place % 2:
                parts += values[piece]
            elif piece:
                parts.append(Part(piece))
        return tuple(parts)

    def sentence(self, texts: Texts, **values: Parts) -> Line:
        """A template as a whole sentence."""
        return as_line(self.fill(texts, **values))

    # Who

    def seat(self, seat: int | None) -> Parts:
        """Whoever sits there."""
        if seat is None:
            return ()
        name = self.names.seat(seat, self.language)
        # A number is no name: it begins a sentence with a capital, as words do.
        return (Part(name, seat=seat if 0 <= seat < len(self.names.seats) else None),)

    def to_seat(self, seat: int | None) -> Parts:
        """The same after "a", which is "ad" before another a."""
        parts = self.seat(seat)
        words = "".join(part.text for part in parts)
        return (Part("ad " if words[:1].lower() in "aàá" else "a "), *parts)

    def seats(self, seats: Iterable[int]) -> Parts:
        """Several: "Anna, Bruno ed Elena"."""
        return self.listed([self.seat(seat) for seat in seats])

    def team(self, team: str) -> Parts:
        """A team as it is shown."""
        return (Part(one_line(self.names.teams.get(team, team)), team=team),)

    def reason(self, reason: str) -> Parts:
        """Why something was corrected; nothing where that isn't for who reads this."""
        words = one_line(self.names.reasons.get(reason, reason))
        return (Part(words),) if words else ()

    # What

    def card(self, card: Card) -> Parts:
        """A card without an article."""
        return (Part(card_words(card, self.language), card=card),)

    def a_card(self, card: Card, color: Color | None = None, *, again: bool = False) -> Parts:
        """A card with its article: "il 7 rosso", "l’8 blu", "un Salta verde", "a red 7".

        `color` is what was named with a wild; `again` says that it is one more of the same.
        """
        part = Part(card_words(card, self.language), card=card, color=color)
        if again:
            return (Part("un altro " if self._italian else "another "), part)
        if not self._italian:
            return (Part("a "), part)
        symbol = SYMBOL[card]
        article = {"0": "lo ", "1": "l’", "8": "l’"}.get(symbol, "il " if symbol.isdecimal() else "un ")
        return (Part(article), part)

    def cards(self, cards: Sequence[Card]) -> Parts:
        """Several cards with their articles."""
        return self.listed(
            [self.a_card(card, again=card in cards[:place]) for place, card in enumerate(cards)]
        )

    def color(self, color: Color) -> Parts:
        """A colour."""
        return (Part(translate(COLOR_WORDS[color], self.language), color=color),)

    def color_of_cards(self, color: Color) -> Parts:
        """A colour that goes with "cards"."""
        return (Part(_RED[self.language][color], color=color),)

    def count(self, count: int) -> Parts:
        """`1 carta`, `2 carte`."""
        return self._counted(count, {"it": ("carta", "carte"), "en": ("card", "cards")})

    def points(self, count: int) -> Parts:
        """`1 punto`, `20 punti`."""
        return self._counted(count, {"it": ("punto", "punti"), "en": ("point", "points")})

    def number(self, number: int) -> Parts:
        """A number alone."""
        return (Part(str(number)),)

    def _counted(self, count: int, words: Mapping[str, tuple[str, str]]) -> Parts:
        one, many = words[self.language]
        return (Part(f"{count} {one if count == 1 else many}"),)

    # Lists

    def listed(self, items: Sequence[Parts]) -> Parts:
        """`a, b e c`; "ed" before another e."""
        if self._italian and items and self._begins(items[-1]) in "eèé":
            return self._joined(items, " ed ")
        return self._joined(items, " e " if self._italian else " and ")

    def either(self, items: Sequence[Parts]) -> Parts:
        """`a, b o c`."""
        return self._joined(items, " o " if self._italian else " or ")

    def rows(self, rows: Iterable[tuple[int, Parts]]) -> Parts:
        """Seats with what each has: "Anna – 9 rosso; Bruno – 3 blu"."""
        parts: list[Part] = []
        for seat, what in rows:
            if parts:
                parts.append(Part("; "))
            parts += (*self.seat(seat), Part(" – "), *what)
        return tuple(parts)

    def semicolons(self, items: Sequence[Parts]) -> Parts:
        """`a; b`."""
        return self._joined(items, "; ")

    @staticmethod
    def _begins(item: Parts) -> str:
        return "".join(part.text for part in item)[:1].lower() or " "

    @staticmethod
    def _joined(items: Sequence[Parts], last: str) -> Parts:
        parts: list[Part] = []
        for place, item in enumerate(items):
            if place:
                parts.append(Part(last if place == len(items) - 1 else ", "))
            parts += item
        return tuple(parts)
