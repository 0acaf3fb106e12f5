"""Texts for people as templates with named values, translated when somebody reads them.

In a template `{name}` stands for a value as it is, and `{name:kind}` for one that is said in the reader's
words. All other braces are text. The kinds, and what their values are:

    seat, seats            Seats by number: "seat 2" unless whoever shows it knows names.
    card, cards, either    Cards of the log, by their codes unless whoever shows it has other names.
    color                  A colour's letter.
    count                  A number of cards: "1 card", "2 cards".
    points                 A number of points, likewise.
    times                  How often: "once", "twice", "3 times".
    event, events          Classes of log events: in words for people, by their types for programs.
    field                  A field of a rule set, likewise.
    value, values          What such a field is set to, a `Setting`: in words, or as JSON writes it.

A language may tell a seat with its article ("il posto 2"), so templates keep prepositions away from it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import Card
from games.engine.translations import SOURCE_LANGUAGE, mark, translate, translate_plural

SeatName = Callable[[int], str]
CardName = Callable[[Card], str]

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)(?::([a-z]+))?\}")

_MOST_BITS: Final = 64
"""Longer whole numbers aren't written out in a text."""

COLOR_WORDS: Final = {"R": mark("red"), "Y": mark("yellow"), "G": mark("green"), "B": mark("blue")}
"""Msgids of the colours."""

_TIMES: Final = {1: mark("once"), 2: mark("twice")}


@dataclass(frozen=True, slots=True)
class Wording:
    """How a text is worded: in which language; without `seat` and `card` as the log writes them.

    `is_technical` names events and fields as programs know them.
    """

    language: str = SOURCE_LANGUAGE
    seat: SeatName | None = None
    card: CardName | None = None
    is_technical: bool = False

    def phrase(self, template: str, **values: object) -> str:
        """A template with its values."""
        return _filled(translate(template, self.language), values, self)

    def phrase_counted(self, one: str, many: str, count: int, **values: object) -> str:
        """The template for so many, with its values; `{count}` is the number."""
        template = translate_plural(one, many, count, self.language)
        return _filled(template, {"count": count, **values}, self)

    def cards(self, count: int) -> str:
        """A number of cards."""
        return self.phrase_counted("{count} card", "{count} cards", count)

    def points(self, count: int) -> str:
        """A number of points."""
        return self.phrase_counted("{count} point", "{count} points", count)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A template and its values; a value may be a phrase itself."""

    template: str
    values: Mapping[str, object]

    def said(self, wording: Wording) -> str:
        """The text, in the middle of a sentence."""
        return _filled(translate(self.template, wording.language), self.values, wording)


def _filled(template: str, values: Mapping[str, object], wording: Wording) -> str:
    return PLACEHOLDER.sub(lambda found: _value_in(found, values, wording), template)


def _value_in(found: re.Match[str], values: Mapping[str, object], wording: Wording) -> str:
    name, kind = found.groups()
    if name not in values:
        return found.group()
    value = values[name]
    if isinstance(value, Phrase):
        return value.said(wording)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        # Nobody reads it, and Python writes no number of more than 4,300 digits.
        return "…"
    return str(value) if kind is None else KINDS[kind](value, wording)


def as_sentence(text: str) -> str:
    """With a capital and a full stop."""
    end = "" if text[-1:] in ".!?…" else "."
    return text[:1].upper() + text[1:] + end


def shown(value: object) -> str:
    """What somebody gave, as JSON writes it, in at most 40 characters; of lists and objects the kind."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _MOST_BITS else "…"
    if isinstance(value, (str, float)):
        # What can't be shown as it is, such as half of a surrogate pair, is escaped.
        text = json.dumps(value, ensure_ascii=isinstance(value, float) or not value.isprintable())
        return text if len(text) <= 40 else text[:36] + "…" + text[-1]
    return "{…}" if isinstance(value, Mapping) else "[…]"


def _listed(words: Sequence[str], template: str, wording: Wording) -> str:
    """`a, b and c`: the template says how the last one is joined."""
    if len(words) < 2:
        return "".join(words)
    return wording.phrase(template, items=", ".join(words[:-1]), last=words[-1])


def _and(words: Sequence[str], wording: Wording) -> str:
    return _listed(words, mark("{items} and {last}"), wording)


def _or(words: Sequence[str], wording: Wording) -> str:
    return _listed(words, mark("{items} or {last}"), wording)


def _seat(value: Any, wording: Wording) -> str:
    if wording.seat is not None:
        return wording.seat(value)
    return wording.phrase("seat {number}", number=value)


def _seats(value: Any, wording: Wording) -> str:
    return _and([_seat(seat, wording) for seat in value], wording)


def _card(value: Any, wording: Wording) -> str:
    return str(value) if wording.card is None else wording.card(value)


def _cards(value: Any, wording: Wording) -> str:
    return ", ".join(_card(card, wording) for card in value)


def _either(value: Any, wording: Wording) -> str:
    return _or([_card(card, wording) for card in value], wording)


def _color(value: Any, wording: Wording) -> str:
    return translate(COLOR_WORDS[value], wording.language)


def _count(value: Any, wording: Wording) -> str:
    return wording.cards(value)


def _points(value: Any, wording: Wording) -> str:
    return wording.points(value)


def _times(value: Any, wording: Wording) -> str:
    return wording.phrase(_TIMES.get(value, mark("{count} times")), count=value)


def _event(value: Any, wording: Wording) -> str:
    return str(value.type) if wording.is_technical else translate(value.words, wording.language)


def _events(value: Any, wording: Wording) -> str:
    return _or([_event(each, wording) for each in value], wording)


def _field(value: Any, wording: Wording) -> str:
    if wording.is_technical:
        return str(value.name)
    return _quoted(value.told(wording.language).rstrip("."), wording)


def _value(value: Any, wording: Wording) -> str:
    return shown(value.value) if wording.is_technical else _quoted(value.told(wording.language), wording)


def _quoted(words: str, wording: Wording) -> str:
    return wording.phrase("“{words}”", words=words)


def _values(value: Any, wording: Wording) -> str:
    return _or([_value(each, wording) for each in value], wording)


KINDS: Final[Mapping[str, Callable[[Any, Wording], str]]] = {
    "seat": _seat,
    "seats": _seats,
    "card": _card,
    "cards": _cards,
    "either": _either,
    "color": _color,
    "count": _count,
    "points": _points,
    "times": _times,
    "event": _event,
    "events": _events,
    "field": _field,
    "value": _value,
    "values": _values,
}
