"""Parts of sentences in a language: cards with their articles, counts, lists, persons."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from games.engine.card_names import SIGNS, color_name
from games.engine.cards import COLOR, SYMBOL, Card, Color
from games.engine.field_kinds import FieldKind
from games.engine.telling.model import Part, Parts
from games.engine.telling.names import Names, one_line
from games.engine.translations import mark, mark_plural, translate, translate_plural

_PLACE: Final = re.compile(r"\{([a-z]+)\}")

_A_CARD: Final = {
    "0": mark("a {card}", "with the number 0"),
    "1": mark("a {card}", "with the number 1"),
    "8": mark("a {card}", "with the number 8"),
    **dict.fromkeys(SIGNS, mark("a {card}", "with a sign")),
}
"""A card with its article, where a language may have another one than for most numbers."""

_OF_CARDS: Final = {
    "R": mark("red", "of cards"),
    "Y": mark("yellow", "of cards"),
    "G": mark("green", "of cards"),
    "B": mark("blue", "of cards"),
}
"""A colour with cards, in the plural."""

_AND: Final = {"": mark("{items} and {last}"), "e": mark("{items} and {last}", 'before "e"')}
"""How the last of a list is joined, by its first letter where that matters to a language."""

_VOWELS: Final = {"à": "a", "á": "a", "è": "e", "é": "e"}


def card_words(card: Card, language: str) -> str:
    """A card in the middle of a sentence, without an article: "7 rosso", "Salta verde", "red 7"."""
    color, symbol = COLOR[card], SYMBOL[card]
    sign = translate(SIGNS[symbol], language) if symbol in SIGNS else symbol
    if color is None:
        return sign
    return translate("{color} {sign}", language).format(color=color_name(color, language), sign=sign)


class Voice:
    """Says things in a language, with names as the caller gives them."""

    def __init__(self, language: str, names: Names) -> None:
        self.language = language
        self.names = names

    def fill(self, template: str, **values: Parts) -> Parts:
        """A template in the language, with its values."""
        return _filled(translate(template, self.language), values)

    def fill_plural(self, templates: tuple[str, str], count: int, **values: Parts) -> Parts:
        """The template for so many, with its values; `{count}` is the number."""
        one, many = templates
        template = translate_plural(one, many, count, self.language)
        return _filled(template.replace("{count}", str(count)), values)

    # Who

    def seat(self, seat: int | None) -> Parts:
        """Whoever sits there."""
        if seat is None:
            return ()
        name = self.names.seat(seat, self.language)
        # A number is no name: it begins a sentence with a capital, as words do.
        return (Part(name, seat=seat if 0 <= seat < len(self.names.seats) else None),)

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
            return self.fill(mark("another {card}"), card=(part,))
        return self.fill(_A_CARD.get(SYMBOL[card], mark("a {card}")), card=(part,))

    def cards(self, cards: Sequence[Card]) -> Parts:
        """Several cards with their articles."""
        return self.listed(
            [self.a_card(card, again=card in cards[:place]) for place, card in enumerate(cards)]
        )

    def color(self, color: Color) -> Parts:
        """A colour."""
        return (Part(color_name(color, self.language), color=color),)

    def color_of_cards(self, color: Color) -> Parts:
        """A colour that goes with "cards"."""
        return (Part(translate(_OF_CARDS[color], self.language), color=color),)

    def count(self, count: int) -> Parts:
        """`1 carta`, `2 carte`."""
        return self.fill_plural(mark_plural("{count} card", "{count} cards"), count)

    def points(self, count: int) -> Parts:
        """`1 punto`, `20 punti`."""
        return self.fill_plural(mark_plural("{count} point", "{count} points"), count)

    def number(self, number: int) -> Parts:
        """A number alone."""
        return (Part(str(number)),)

    def value(self, kind: FieldKind, value: Any) -> Parts:
        """What a log event's field holds."""
        said = _VALUES.get(kind.name)
        return (Part(one_line(str(value))),) if said is None else said(self, value)

    # Lists

    def listed(self, items: Sequence[Parts]) -> Parts:
        """`a, b e c`; "ed" before another e."""
        template = _AND.get(first_letter(items[-1]), _AND[""]) if items else ""
        return self._joined(items, template)

    def either(self, items: Sequence[Parts]) -> Parts:
        """`a, b o c`."""
        return self._joined(items, mark("{items} or {last}"))

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
        return _separated(items, "; ")

    def _joined(self, items: Sequence[Parts], template: str) -> Parts:
        if len(items) < 2:
            return _separated(items, "")
        return self.fill(template, items=_separated(items[:-1], ", "), last=items[-1])


_VALUES: Final[Mapping[str, Callable[[Voice, Any], Parts]]] = {
    "seat": Voice.seat,
    "card": Voice.a_card,
    "cards": Voice.cards,
    "color": Voice.color,
    "count": Voice.count,
    "points": Voice.points,
    "card_by_seat": lambda voice, cards: voice.rows(
        (seat, voice.card(card)) for seat, card in sorted(cards.items())
    ),
}
"""How kinds of values are told that are more than a word or a number."""


def first_letter(parts: Parts) -> str:
    """The letter that the parts begin with, small and without an accent; empty where they are."""
    letter = "".join(part.text for part in parts)[:1].lower()
    return _VOWELS.get(letter, letter)


def _filled(template: str, values: Mapping[str, Parts]) -> Parts:
    parts: list[Part] = []
    # Split with a group gives text, name, text, name, … text.
    for place, piece in enumerate(_PLACE.split(template)):
        if place % 2:
            parts += values[piece]
        elif piece:
            parts.append(Part(piece))
    return tuple(parts)


def _separated(items: Sequence[Parts], between: str) -> Parts:
    parts: list[Part] = []
    for place, item in enumerate(items):
        if place:
            parts.append(Part(between))
        parts += item
    return tuple(parts)
