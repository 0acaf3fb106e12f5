"""Kinds of values that fields of log events hold, and how each is read from JSON.

A field of an event's class is `Annotated` with its kind (`games.engine.events`). JSON, notation, forms, the
API's description and what is offered follow from there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import CARD as BY_CODE
from games.engine.cards import COLORS
from games.engine.phrases import shown
from games.engine.refusals import Refusal
from games.engine.translations import mark

Reader = Callable[[Any], Any]
"""Gives a field's value, or raises a Refusal that says what was expected; `{field}` is the field's name."""


@dataclass(frozen=True, slots=True)
class FieldKind:
    """What a field of an event holds.

    `name` is one of `seat`, `card`, `cards`, `color`, `flag`, `count`, `points`, `text`, `time` and `choice`,
    whose words are `choices`. Objects are `card_by_seat`, `cards_by_seat`, `points_by_seat` and
    `place_by_seat`. `line` is a line of the log; `ruleset`, `people` and `kin` are what only an opening has.

    `label` is what a form calls the field, a msgid; without one it isn't filled in by hand. `clause` is what
    a sentence adds where the field is there, likewise: `{name}` stands for its value.
    """

    name: str
    read: Reader
    choices: tuple[str, ...] = ()
    label: str = ""
    clause: str = ""
    is_secret: bool = False
    """Only who holds the cards sees it: a table log goes without."""
    rule: str = ""
    """The field of the rule set without which no event has it."""
    is_choice: bool = False
    """It needn't be there, and what follows hangs on it: it is offered with each of its values."""


MOST_TOTAL: Final = 2**53 - 1
"""The most points that a seat can have in all: the largest whole number that every language reads alike."""

_SEAT_KEY: Final = re.compile("0|[1-9][0-9]{0,8}", re.ASCII)
_TIME: Final = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]"
    r"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)


def _unreadable(template: str, given: object, **values: Any) -> Refusal:
    return Refusal("malformed", template, given=shown(given), **values)


def _whole(least: int, template: str) -> Reader:
    def read(value: Any) -> int:
        if type(value) is not int or value < least:
            raise _unreadable(template, value)
        return value

    return read


_seat: Final = _whole(0, mark("`{field}` must be a seat: a whole number from 0, not {given}"))
_count: Final = _whole(1, mark("`{field}` must be a whole number from 1, not {given}"))
_points: Final = _whole(0, mark("`{field}` must be points: a whole number from 0, not {given}"))
_place: Final = _whole(1, mark("`{field}` must be places: whole numbers from 1, not {given}"))


def _total(value: Any) -> int:
    total: int = _points(value)
    if total > MOST_TOTAL:
        raise _unreadable(mark("`{field}` must be at most {most}, not {given}"), value, most=MOST_TOTAL)
    return total


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise _unreadable(mark("`{field}` must be true or false, not {given}"), value)
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise _unreadable(mark("`{field}` must be a text, not {given}"), value)
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _unreadable(
            mark("`{field}` must be a text of whole characters: {given} holds half of a surrogate pair"),
            value,
        )
    return value


def _card(value: Any) -> str:
    if type(value) is not str or value not in BY_CODE:
        raise _unreadable(
            mark("`{field}` must be a card such as R7, GS, BR, Y+2, W or W+4, not {given}"), value
        )
    return BY_CODE[value]


def _color(value: Any) -> str:
    if type(value) is not str or value not in COLORS:
        raise _unreadable(mark("`{field}` must be a colour: R, Y, G or B, not {given}"), value)
    return value


def _cards(value: Any) -> tuple[str, ...]:
    if type(value) is not list:
        raise _unreadable(mark("`{field}` must be a list of cards, not {given}"), value)
    for card in value:
        if type(card) is not str or card not in BY_CODE:
            raise _unreadable(
                mark("`{field}` must be a list of cards such as R7, GS, BR, Y+2, W or W+4, without {given}"),
                card,
            )
    return tuple([BY_CODE[card] for card in value])


def _some_cards(value: Any) -> tuple[str, ...]:
    cards = _cards(value)
    if not cards:
        raise _unreadable(mark("`{field}` must be a list of at least one card, not {given}"), value)
    return cards


def _by_seat(reader: Reader) -> Reader:
    def read(value: Any) -> dict[int, Any]:
        if not isinstance(value, Mapping):
            raise _unreadable(
                mark('`{field}` must be an object with seats "0", "1", … as keys, not {given}'), value
            )
        found = {}
        for key, content in value.items():
            if not isinstance(key, str) or _SEAT_KEY.fullmatch(key) is None:
                raise _unreadable(
                    mark('`{field}` must be an object with seats "0", "1", … as keys, without {given}'), key
                )
            found[int(key)] = reader(content)
        return found

    return read


def one_of(words: tuple[str, ...], label: str = "") -> FieldKind:
    """One of these words."""

    def read(value: Any) -> str:
        if type(value) is not str or value not in words:
            raise _unreadable(
                mark("`{field}` must be one of {choices}, not {given}"), value, choices=", ".join(words)
            )
        return value

    return FieldKind("choice", read, words, label)


def _seat_or_null(value: Any) -> Any:
    return None if value is None else _seat(value)


def _time(value: Any) -> str:
    found = _TIME.fullmatch(value) if type(value) is str else None
    if found is None or not _in_calendar(found[1], found[2], found[3]):
        raise _unreadable(
            mark("`{field}` must be a time such as 2026-09-19T14:05:00+02:00, not {given}"), value
        )
    return found.string


def _in_calendar(year: str, month: str, day: str) -> bool:
    """Whether a month that has at most 31 days has this one."""
    if day <= "28":
        return True
    if month == "02":
        leap = int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
        return leap and day == "29"
    return day <= "30" or month not in ("04", "06", "09", "11")


def people(seat: Callable[[str, str | None], Any]) -> FieldKind:
    """Who sits where; `seat` makes a seat of a name and a team."""

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise _unreadable(mark("`{field}` must be a list of seats, not {given}"), value)
        seats = []
        for entry in value:
            if not isinstance(entry, Mapping) or "name" not in entry or not entry.keys() <= {"name", "team"}:
                raise _unreadable(
                    mark(
                        "`{field}` must be a list of seats such as "
                        '{"name": "Ada", "team": "Centro"}, not {given}'
                    ),
                    entry,
                )
            seats.append(seat(_text(entry["name"]), _text(entry["team"]) if "team" in entry else None))
        return tuple(seats)

    return FieldKind("people", read)


def _kin(value: Any) -> tuple[tuple[int, int], ...]:
    if type(value) is not list:
        raise _unreadable(mark("`{field}` must be a list of pairs of seats, not {given}"), value)
    pairs = []
    for pair in value:
        if type(pair) is not list or len(pair) != 2 or pair[0] == pair[1]:
            raise _unreadable(
                mark("`{field}` must be a list of pairs of two seats such as [[0, 2]], without {given}"), pair
            )
        pairs.append((_seat(pair[0]), _seat(pair[1])))
    return tuple(pairs)


SEAT: Final = FieldKind("seat", _seat, label=mark("Who"))
SEAT_OR_NOBODY: Final = FieldKind("seat", _seat_or_null)
CARD: Final = FieldKind("card", _card, label=mark("Card"))
CARDS: Final = FieldKind("cards", _cards, label=mark("Cards"))
SOME_CARDS: Final = FieldKind("cards", _some_cards, label=mark("Cards"))
COLOR: Final = FieldKind("color", _color, label=mark("Colour"))
FLAG: Final = FieldKind("flag", _flag)
COUNT: Final = FieldKind("count", _count, label=mark("How many cards"))
POINTS: Final = FieldKind("points", _points, label=mark("Points"))
TEXT: Final = FieldKind("text", _text)
TIME: Final = FieldKind("time", _time)
LINE: Final = FieldKind("line", _count)
KIN: Final = FieldKind("kin", _kin)
CARD_BY_SEAT: Final = FieldKind("card_by_seat", _by_seat(_card))
CARDS_BY_SEAT: Final = FieldKind("cards_by_seat", _by_seat(_cards))
POINTS_BY_SEAT: Final = FieldKind("points_by_seat", _by_seat(_total))
PLACE_BY_SEAT: Final = FieldKind("place_by_seat", _by_seat(_place))
