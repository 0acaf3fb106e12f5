"""Log events and their JSON objects: reading with `malformed` for whatever can't be read, and writing.

What the fields of each type hold, and so how they are read, is declared as data in `EVENT_FIELDS`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, NoReturn

from games.engine.cards import CARD, COLORS
from games.engine.events import (
    CLOSE_REASONS,
    PENALTY_REASONS,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    Event,
    EventVoided,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    Seat,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.phrases import shown
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset
from games.engine.words import mark

Reader = Callable[[Any], Any]
"""Gives a field's value, or raises a Refusal that says what was expected; `{field}` is the field's name."""


@dataclass(frozen=True, slots=True)
class FieldKind:
    """What a field of an event holds: the name of that, how it is read, and the words of a `choice`."""

    name: str
    read: Reader
    choices: tuple[str, ...] = ()


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
    if type(value) is not str or value not in CARD:
        raise _unreadable(
            mark("`{field}` must be a card such as R7, GS, BR, Y+2, W or W+4, not {given}"), value
        )
    return CARD[value]


def _color(value: Any) -> str:
    if type(value) is not str or value not in COLORS:
        raise _unreadable(mark("`{field}` must be a colour: R, Y, G or B, not {given}"), value)
    return value


def _cards(value: Any) -> tuple[str, ...]:
    if type(value) is not list:
        raise _unreadable(mark("`{field}` must be a list of cards, not {given}"), value)
    for card in value:
        if type(card) is not str or card not in CARD:
            raise _unreadable(
                mark("`{field}` must be a list of cards such as R7, GS, BR, Y+2, W or W+4, without {given}"),
                card,
            )
    return tuple([CARD[card] for card in value])


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


def _one_of(words: tuple[str, ...]) -> FieldKind:
    def read(value: Any) -> str:
        if type(value) is not str or value not in words:
            raise _unreadable(
                mark("`{field}` must be one of {choices}, not {given}"), value, choices=", ".join(words)
            )
        return value

    return FieldKind("choice", read, words)


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


def _people(value: Any) -> tuple[Seat, ...]:
    if type(value) is not list:
        raise _unreadable(mark("`{field}` must be a list of seats, not {given}"), value)
    seats = []
    for entry in value:
        if not isinstance(entry, Mapping) or "name" not in entry or not entry.keys() <= {"name", "team"}:
            raise _unreadable(
                mark(
                    '`{field}` must be a list of seats such as {"name": "Ada", "team": "Centro"}, not {given}'
                ),
                entry,
            )
        seats.append(Seat(_text(entry["name"]), _text(entry["team"]) if "team" in entry else None))
    return tuple(seats)


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


_SEAT: Final = FieldKind("seat", _seat)
_CARD: Final = FieldKind("card", _card)
_CARDS: Final = FieldKind("cards", _cards)
_SOME_CARDS: Final = FieldKind("cards", _some_cards)
_COLOR: Final = FieldKind("color", _color)
_FLAG: Final = FieldKind("flag", _flag)
_TEXT: Final = FieldKind("text", _text)

_OWN_FIELDS: Final[Mapping[type[Event], Mapping[str, FieldKind]]] = {
    GameOpened: {
        "ruleset": FieldKind("ruleset", Ruleset.read),
        "seats": FieldKind("people", _people),
        "kin": FieldKind("kin", _kin),
    },
    DealerCut: {"cards": FieldKind("card_by_seat", _by_seat(_card))},
    DealerNamed: {"seat": _SEAT},
    DealStarted: {"dealer": _SEAT, "hands": FieldKind("cards_by_seat", _by_seat(_cards))},
    CardTurned: {"card": _CARD},
    ColorNamed: {"seat": _SEAT, "color": _COLOR},
    CardsPlayed: {"seat": _SEAT, "cards": _SOME_CARDS, "color": _COLOR, "uno": _FLAG},
    CardsDrawn: {"seat": _SEAT, "count": FieldKind("count", _count), "cards": _CARDS},
    TurnPassed: {"seat": _SEAT},
    UnoCalled: {"seat": _SEAT},
    UnoCaught: {"seat": _SEAT, "catcher": _SEAT},
    ChallengeMade: {"seat": _SEAT, "upheld": _FLAG, "hand": _CARDS},
    PenaltyGiven: {"seat": _SEAT, "reason": _one_of(PENALTY_REASONS), "card": _CARD},
    ZeroGift: {"seat": _SEAT, "to": _SEAT},
    PileReshuffled: {},
    HandShown: {"seat": _SEAT, "cards": _CARDS, "points": FieldKind("points", _points)},
    GameClosed: {
        "reason": _one_of(CLOSE_REASONS),
        "winner": FieldKind("seat", _seat_or_null),
        "team": _TEXT,
        "scores": FieldKind("points_by_seat", _by_seat(_points)),
        "places": FieldKind("place_by_seat", _by_seat(_place)),
    },
    EventVoided: {"line": FieldKind("line", _count), "reason": _TEXT},
}
EVENT_FIELDS: Final[Mapping[type[Event], Mapping[str, FieldKind]]] = {
    cls: {**own, "at": FieldKind("time", _time), "by": _TEXT} for cls, own in _OWN_FIELDS.items()
}
"""The fields of each class, in the order in which they are written."""
NEEDED: Final = {
    cls: frozenset(field.name for field in fields(cls) if field.default is MISSING) for cls in EVENT_FIELDS
}
"""The fields of each class without which there is no event."""


def parse_event(obj: object, *, line: int | None = None) -> Event:
    """The event that a JSON object (as a mapping) stands for; Refusal `malformed` if it is none.

    `line` is only named in the refusal. A seat's being at the table is checked when the event is applied.
    """
    if not isinstance(obj, Mapping):
        raise Refusal("malformed", "an event is a JSON object with a `type`", line=line)
    obj = dict(obj)
    type_ = obj.pop("type", None)
    found = _BY_TYPE.get(type_) if type(type_) is str else None
    if found is None:
        _refuse_type(type_, line)
    cls, readers, agrees = found
    try:
        event = cls(**{name: readers[name](value) for name, value in obj.items()})
    except (KeyError, TypeError, Refusal):
        _refuse_fields(obj, cls, readers, line)
    if agrees is not None:
        try:
            agrees(event)
        except Refusal as refusal:
            raise refusal.at(line, type_) from None
    return event


def _refuse_type(type_: object, line: int | None) -> NoReturn:
    if type(type_) is str:
        raise Refusal(
            "malformed",
            "there is no type {given}; there are {types}",
            line=line,
            type=type_,
            given=shown(type_),
            types=", ".join(_BY_TYPE),
        )
    raise Refusal("malformed", "an event needs a `type`, a text", line=line)


def _refuse_fields(
    obj: Mapping[Any, Any], cls: type[Event], readers: Mapping[str, Reader], line: int | None
) -> NoReturn:
    """Say which field is unknown, missing or unreadable; reading goes without asking, until it fails."""
    for name in obj:
        if name not in readers:
            raise Refusal(
                "malformed",
                "`{event}` has no field {given}; its fields are {fields}",
                line=line,
                type=cls.type,
                event=cls.type,
                given=shown(name),
                fields=", ".join(readers),
            )
    for name in readers:
        if name not in obj:
            if name in NEEDED[cls]:
                raise Refusal(
                    "malformed",
                    "`{event}` needs `{field}`",
                    line=line,
                    type=cls.type,
                    event=cls.type,
                    field=name,
                )
            continue
        try:
            readers[name](obj[name])
        except Refusal as refusal:
            refusal.values.setdefault("field", name)
            raise refusal.at(line, cls.type) from None
    raise AssertionError("fields that can't be read one by one can't be read together")


# What has to agree between the fields of one event, whatever the game.


def _draw_agrees(event: CardsDrawn) -> None:
    if event.cards is not None and len(event.cards) != event.count:
        raise Refusal(
            "malformed",
            "`cards` must list as many cards as `count` says: {count}, not {given}",
            count=event.count,
            given=len(event.cards),
        )


def _penalty_agrees(event: PenaltyGiven) -> None:
    if event.card is not None and event.reason != "wrong_card":
        raise Refusal("malformed", "`card` names a wrong card: a penalty for prompting has none")


def _hand_agrees(event: HandShown) -> None:
    if (event.cards is None) == (event.points is None):
        raise Refusal("malformed", "`hand_shown` needs either `cards` or `points`")


def _close_agrees(event: GameClosed) -> None:
    if event.winner is not None and event.team is not None:
        raise Refusal("malformed", "`team` is given only where no seat is: `winner` must then be null")
    if event.places is not None:
        _places_agree(event, event.places)
    elif event.reason == "result" and event.winner is None and event.team is None:
        raise Refusal("malformed", "a result names who won: `winner` a seat, or `team`")


def _places_agree(event: GameClosed, places: Mapping[int, int]) -> None:
    if event.team is not None:
        raise Refusal("malformed", "`places` ranks seats, so the winner is a seat too: leave out `team`")
    taken = sorted(places.values())
    for number, place in enumerate(taken):
        if place != number + 1 and (not number or place != taken[number - 1]):
            raise Refusal("malformed", "`places` counts from 1 and skips after ties, such as 1, 1, 3")
    first = [seat for seat, place in places.items() if place == 1]
    winner = first[0] if len(first) == 1 else None
    if event.winner != winner:
        raise Refusal(
            "malformed",
            "`winner` must be {due}: the only seat with place 1 in `places`, or null where several share it",
            due=shown(winner),
        )


def _catch_agrees(event: UnoCaught) -> None:
    if event.catcher == event.seat:
        raise Refusal("malformed", "`catcher` must be another seat than the one that forgot")


_AGREES: Final[dict[type[Event], Callable[[Any], None]]] = {
    CardsDrawn: _draw_agrees,
    PenaltyGiven: _penalty_agrees,
    HandShown: _hand_agrees,
    GameClosed: _close_agrees,
    UnoCaught: _catch_agrees,
}


_BY_TYPE: Final[dict[str, tuple[type[Event], dict[str, Reader], Callable[[Any], None] | None]]] = {
    cls.type: (cls, {name: kind.read for name, kind in kinds.items()}, _AGREES.get(cls))
    for cls, kinds in EVENT_FIELDS.items()
}


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON object of an event: only what is set, `type` first, then its fields, `at` and `by`."""
    obj: dict[str, Any] = {"type": event.type}
    cls = event.__class__
    for name in EVENT_FIELDS[cls]:
        value = getattr(event, name)
        if value is not None or name in NEEDED[cls]:
            obj[name] = _plain(value)
    return obj


def _plain(value: Any) -> Any:
    if isinstance(value, Ruleset):
        return value.to_json()
    if isinstance(value, Seat):
        return {"name": value.name} if value.team is None else {"name": value.name, "team": value.team}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
