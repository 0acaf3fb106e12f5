"""Texts for people as templates with named values, put into English or Italian when somebody reads them.

In a template `{name}` stands for a value as it is, and `{name:kind}` for one that is said in the reader's
words; all other braces are text. The kinds, and what their values are:

    seat, seats            seats by number: "seat 2" unless whoever shows it knows names
    card, cards, either    cards of the log, by their codes unless whoever shows it has other names
    color                  a colour's letter
    count                  a number of cards: "1 card", "2 cards"
    times                  how often: "once", "twice", "3 times"
    event, events          types of log events: in words for people, as they are written for programs
    field                  a field of a rule set (its `name`, `en` and `it`), likewise
    value, values          what such a field is set to, likewise: in words, or as JSON writes it

In Italian a seat is told with its article ("il posto 2"), so templates keep prepositions away from it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import Card
from games.engine.italian import ITALIAN
from games.engine.rule_words import VALUE_WORDS

SeatName = Callable[[int], str]
CardName = Callable[[Card], str]

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)(?::([a-z]+))?\}")

_MOST_BITS: Final = 64
"""Longer whole numbers aren't written out in a text."""

COLOR_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"R": "red", "Y": "yellow", "G": "green", "B": "blue"},
    "it": {"R": "rosso", "Y": "giallo", "G": "verde", "B": "blu"},
}

EVENT_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "game_opened": "the opening of the game",
        "dealer_cut": "the cut for the dealer",
        "dealer_named": "the naming of the dealer",
        "deal_started": "the deal",
        "card_turned": "the first card",
        "color_named": "the naming of the colour",
        "cards_played": "a play",
        "cards_drawn": "a draw",
        "turn_passed": "a pass",
        "uno_called": "a late call of UNO",
        "uno_caught": "a forgotten UNO",
        "challenge_made": "a challenge",
        "penalty_given": "a penalty",
        "zero_gift": "a gift after a 0",
        "pile_reshuffled": "a reshuffle",
        "hand_shown": "a hand that is shown",
        "game_closed": "the end of the game",
        "event_voided": "a correction",
    },
    "it": {
        "game_opened": "l'apertura della partita",
        "dealer_cut": "la pescata per il mazziere",
        "dealer_named": "la nomina del mazziere",
        "deal_started": "la distribuzione delle carte",
        "card_turned": "la prima carta scoperta",
        "color_named": "la scelta del colore",
        "cards_played": "una giocata",
        "cards_drawn": "una pescata",
        "turn_passed": "un passo",
        "uno_called": "un UNO detto in ritardo",
        "uno_caught": "un UNO dimenticato",
        "challenge_made": "una contestazione",
        "penalty_given": "una penalità",
        "zero_gift": "il regalo dopo uno 0",
        "pile_reshuffled": "il rimescolamento degli scarti",
        "hand_shown": "una mano mostrata",
        "game_closed": "la chiusura della partita",
        "event_voided": "una correzione",
    },
}
"""What each type of log event is called in the middle of a sentence."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a text is said: `language` is `it` or `en`; without `seat` and `card` as the log writes them.

    `is_technical` names events and fields as programs know them.
    """

    language: str = "en"
    seat: SeatName | None = None
    card: CardName | None = None
    is_technical: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """A template and its values; a value may be a phrase itself."""

    template: str
    values: Mapping[str, object]

    def said(self, voice: Voice) -> str:
        """The text, in the middle of a sentence. A template that has no Italian is told in English."""
        template = self.template
        if voice.language == "it":
            template = ITALIAN.get(template, template)
        return PLACEHOLDER.sub(lambda found: self._value(found, voice), template)

    def _value(self, found: re.Match[str], voice: Voice) -> str:
        name, kind = found.groups()
        if name not in self.values:
            return found.group()
        value = self.values[name]
        if isinstance(value, Phrase):
            return value.said(voice)
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            # Nobody reads it, and Python writes no number of more than 4,300 digits.
            return "…"
        return str(value) if kind is None else KINDS[kind](value, voice)


def language_of(tag: str) -> str:
    """`it` for Italian and its regions, else `en`: what there are texts for."""
    return "it" if tag.partition("-")[0] == "it" else "en"


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


def _listed(words: Sequence[str], last: str) -> str:
    """`a, b and c`, with the word before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _and(words: Sequence[str], voice: Voice) -> str:
    return _listed(words, "e" if voice.language == "it" else "and")


def _or(words: Sequence[str], voice: Voice) -> str:
    return _listed(words, "o" if voice.language == "it" else "or")


def _seat(value: Any, voice: Voice) -> str:
    if voice.seat is not None:
        return voice.seat(value)
    return f"il posto {value}" if voice.language == "it" else f"seat {value}"


def _seats(value: Any, voice: Voice) -> str:
    return _and([_seat(seat, voice) for seat in value], voice)


def _card(value: Any, voice: Voice) -> str:
    return str(value) if voice.card is None else voice.card(value)


def _cards(value: Any, voice: Voice) -> str:
    return ", ".join(_card(card, voice) for card in value)


def _either(value: Any, voice: Voice) -> str:
    return _or([_card(card, voice) for card in value], voice)


def _color(value: Any, voice: Voice) -> str:
    return COLOR_WORDS[voice.language][value]


def _count(value: Any, voice: Voice) -> str:
    one, many = ("carta", "carte") if voice.language == "it" else ("card", "cards")
    return f"{value} {one if value == 1 else many}"


def _times(value: Any, voice: Voice) -> str:
    if voice.language == "it":
        return f"{value} {'volta' if value == 1 else 'volte'}"
    return {1: "once", 2: "twice"}.get(value, f"{value} times")


def _event(value: Any, voice: Voice) -> str:
    return str(value) if voice.is_technical else EVENT_WORDS[voice.language][value]


def _events(value: Any, voice: Voice) -> str:
    return _or([_event(type_, voice) for type_ in value], voice)


def _field(value: Any, voice: Voice) -> str:
    if voice.is_technical:
        return str(value.name)
    if voice.language == "it":
        return f"«{value.it.rstrip('.')}»"
    return f"“{value.en.rstrip('.')}”"


def value_words(value: object, language: str) -> str:
    """What a rule set's field is set to, in words, in a language (`it`, else English)."""
    return VALUE_WORDS[language_of(language)].get(str(value), str(value))


def _value(value: Any, voice: Voice) -> str:
    if voice.is_technical:
        return shown(value)
    words = value_words(value, voice.language)
    return f"«{words}»" if voice.language == "it" else f"“{words}”"


def _values(value: Any, voice: Voice) -> str:
    return _or([_value(each, voice) for each in value], voice)


KINDS: Final[Mapping[str, Callable[[Any, Voice], str]]] = {
    "seat": _seat,
    "seats": _seats,
    "card": _card,
    "cards": _cards,
    "either": _either,
    "color": _color,
    "count": _count,
    "times": _times,
    "event": _event,
    "events": _events,
    "field": _field,
    "value": _value,
    "values": _values,
}
