"""Log events and their JSON Lines: reading with `malformed` for whatever can't be read, and printing.

Reading is declared as data: for each type its fields, in the order of its class, each with a reader that
gives the field's value or says what was expected.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
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


class _UnreadableError(Exception):
    """A value is not what its field holds; the template says what was expected, `{field}` which field it is.

    `given` is what was found in its place.
    """

    def __init__(self, template: str, given: object, **values: object) -> None:
        super().__init__(template)
        self.template = template
        self.values: dict[str, Any] = {"given": shown(given), **values}


Reader = Callable[[Any], Any]

_SEAT_KEY: Final = re.compile("0|[1-9][0-9]{0,8}", re.ASCII)
_TIME: Final = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]"
    r"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)


def _seat(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise _UnreadableError("`{field}` must be a seat: a whole number from 0, not {given}", value)
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise _UnreadableError("`{field}` must be a whole number from 1, not {given}", value)
    return value


def _points(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise _UnreadableError("`{field}` must be points: a whole number from 0, not {given}", value)
    return value


def _flag(value: Any) -> bool:
    if value is True or value is False:
        return bool(value)
    raise _UnreadableError("`{field}` must be true or false, not {given}", value)


def _text(value: Any) -> str:
    if type(value) is not str:
        raise _UnreadableError("`{field}` must be a text, not {given}", value)
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _UnreadableError(
            "`{field}` must be a text of whole characters: {given} holds half of a surrogate pair", value
        )
    return value


def _card(value: Any) -> str:
    if type(value) is not str or value not in CARD:
        raise _UnreadableError(
            "`{field}` must be a card such as R7, GS, BR, Y+2, W or W+4, not {given}", value
        )
    return CARD[value]


def _color(value: Any) -> str:
    if type(value) is not str or value not in COLORS:
        raise _UnreadableError("`{field}` must be a colour: R, Y, G or B, not {given}", value)
    return value


def _cards(value: Any) -> tuple[str, ...]:
    if type(value) is not list:
        raise _UnreadableError("`{field}` must be a list of cards, not {given}", value)
    for card in value:
        if type(card) is not str or card not in CARD:
            raise _UnreadableError(
                "`{field}` must be a list of cards such as R7, GS, BR, Y+2, W or W+4, without {given}", card
            )
    return tuple([CARD[card] for card in value])


def _some_cards(value: Any) -> tuple[str, ...]:
    cards = _cards(value)
    if not cards:
        raise _UnreadableError("`{field}` must be a list of at least one card, not {given}", value)
    return cards


def _by_seat(reader: Reader) -> Reader:
    def read(value: Any) -> dict[int, Any]:
        if not isinstance(value, Mapping):
            raise _UnreadableError(
                '`{field}` must be an object with seats "0", "1", … as keys, not {given}', value
            )
        found = {}
        for key, content in value.items():
            if not isinstance(key, str) or _SEAT_KEY.fullmatch(key) is None:
                raise _UnreadableError(
                    '`{field}` must be an object with seats "0", "1", … as keys, without {given}', key
                )
            found[int(key)] = reader(content)
        return found

    return read


def _one_of(words: tuple[str, ...]) -> Reader:
    def read(value: Any) -> str:
        if type(value) is not str or value not in words:
            raise _UnreadableError(
                "`{field}` must be one of {choices}, not {given}", value, choices=", ".join(words)
            )
        return value

    return read


def _seat_or_null(value: Any) -> int | None:
    return None if value is None else _seat(value)


def _time(value: Any) -> str:
    found = _TIME.fullmatch(value) if type(value) is str else None
    if found is None or not _in_calendar(found[1], found[2], found[3]):
        raise _UnreadableError(
            "`{field}` must be a time such as 2026-09-19T14:05:00+02:00, not {given}", value
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
        raise _UnreadableError("`{field}` must be a list of seats, not {given}", value)
    seats = []
    for entry in value:
        if not isinstance(entry, Mapping) or "name" not in entry or not entry.keys() <= {"name", "team"}:
            raise _UnreadableError(
                '`{field}` must be a list of seats such as {"name": "Ada", "team": "Centro"}, not {given}',
                entry,
            )
        seats.append(Seat(_text(entry["name"]), _text(entry["team"]) if "team" in entry else None))
    return tuple(seats)


def _kin(value: Any) -> tuple[tuple[int, int], ...]:
    if type(value) is not list:
        raise _UnreadableError("`{field}` must be a list of pairs of seats, not {given}", value)
    pairs = []
    for pair in value:
        if type(pair) is not list or len(pair) != 2 or pair[0] == pair[1]:
            raise _UnreadableError(
                "`{field}` must be a list of pairs of two seats such as [[0, 2]], without {given}", pair
            )
        pairs.append((_seat(pair[0]), _seat(pair[1])))
    return tuple(pairs)


# How the fields of each class are read; which of them are needed says the class itself.
_READERS: Final[dict[type[Event], dict[str, Reader]]] = {
    GameOpened: {"ruleset": Ruleset.read, "seats": _people, "kin": _kin},
    DealerCut: {"cards": _by_seat(_card)},
    DealerNamed: {"seat": _seat},
    DealStarted: {"dealer": _seat, "hands": _by_seat(_cards)},
    CardTurned: {"card": _card},
    ColorNamed: {"seat": _seat, "color": _color},
    CardsPlayed: {"seat": _seat, "cards": _some_cards, "color": _color, "uno": _flag},
    CardsDrawn: {"seat": _seat, "count": _count, "cards": _cards},
    TurnPassed: {"seat": _seat},
    UnoCalled: {"seat": _seat},
    UnoCaught: {"seat": _seat, "catcher": _seat},
    ChallengeMade: {"seat": _seat, "upheld": _flag, "hand": _cards},
    PenaltyGiven: {"seat": _seat, "reason": _one_of(PENALTY_REASONS), "card": _card},
    ZeroGift: {"seat": _seat, "to": _seat},
    PileReshuffled: {},
    HandShown: {"seat": _seat, "cards": _cards, "points": _points},
    GameClosed: {
        "reason": _one_of(CLOSE_REASONS),
        "winner": _seat_or_null,
        "team": _text,
        "scores": _by_seat(_points),
    },
    EventVoided: {"line": _count, "reason": _text},
}


def parse_event(obj: object, *, line: int | None = None) -> Event:
    """The event that a JSON object (as a mapping) stands for; Refusal `malformed` if it is none.

    `line` is only named in the refusal. A seat's being at the table is checked when the event is applied.
    """
    if not isinstance(obj, Mapping):
        raise Refusal("malformed", "an event is a JSON object with a `type`", line=line)
    return _read(dict(obj), line)


def _read(obj: dict[Any, Any], line: int | None) -> Event:
    """As `parse_event`; the object is used up."""
    type_ = obj.pop("type", None)
    found = _BY_TYPE.get(type_) if type(type_) is str else None
    if found is None:
        _refuse_type(type_, line)
    cls, readers, agrees = found
    try:
        event = cls(**{name: readers[name](value) for name, value in obj.items()})
    except (KeyError, TypeError, _UnreadableError, Refusal):
        _refuse_fields(obj, cls, readers, line)
    wrong = None if agrees is None else agrees(event)
    if wrong is not None:
        raise wrong.at(line, type_)
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
    for field in fields(cls):
        name = field.name
        if name not in obj:
            if field.default is MISSING:
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
        except _UnreadableError as unread:
            raise Refusal(
                "malformed", unread.template, line=line, type=cls.type, field=name, **unread.values
            ) from None
        except Refusal as refusal:
            raise refusal.at(line, cls.type) from None
    raise AssertionError("fields that can't be read one by one can't be read together")


# What has to agree between the fields of one event, whatever the game.


def _draw_agrees(event: CardsDrawn) -> Refusal | None:
    if event.cards is not None and len(event.cards) != event.count:
        return Refusal(
            "malformed",
            "`cards` must list as many cards as `count` says: {count}, not {given}",
            count=event.count,
            given=len(event.cards),
        )
    return None


def _penalty_agrees(event: PenaltyGiven) -> Refusal | None:
    if event.card is not None and event.reason != "wrong_card":
        return Refusal("malformed", "`card` names a wrong card: a penalty for prompting has none")
    return None


def _hand_agrees(event: HandShown) -> Refusal | None:
    if (event.cards is None) == (event.points is None):
        return Refusal("malformed", "`hand_shown` needs either `cards` or `points`")
    return None


def _close_agrees(event: GameClosed) -> Refusal | None:
    if event.winner is not None and event.team is not None:
        return Refusal("malformed", "`team` is given only where no seat is: `winner` must then be null")
    if event.reason == "result" and event.winner is None and event.team is None:
        return Refusal("malformed", "a result names who won: `winner` a seat, or `team`")
    return None


def _catch_agrees(event: UnoCaught) -> Refusal | None:
    if event.catcher == event.seat:
        return Refusal("malformed", "`catcher` must be another seat than the one that forgot")
    return None


_AGREES: Final[dict[type[Event], Callable[[Any], Refusal | None]]] = {
    CardsDrawn: _draw_agrees,
    PenaltyGiven: _penalty_agrees,
    HandShown: _hand_agrees,
    GameClosed: _close_agrees,
    UnoCaught: _catch_agrees,
}


_BY_TYPE: Final[dict[str, tuple[type[Event], dict[str, Reader], Callable[[Any], Refusal | None] | None]]] = {
    cls.type: (cls, {**readers, "at": _time, "by": _text}, _AGREES.get(cls))
    for cls, readers in _READERS.items()
}


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_decode = _DECODER.raw_decode
_BLANK: Final = " \t\r\n"


def parse_line(text: str | bytes, *, line: int | None = None) -> Event:
    """The event that one line of a log stands for; Refusal `malformed` if it is none."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        if text[:1] == "{":
            obj, end = _decode(text)
            if end != len(text) and text[end:].strip(_BLANK):
                raise Refusal("malformed", "more than one JSON object on the line", line=line)
        elif not text.strip(_BLANK):
            raise Refusal("malformed", "a blank line; every line holds one event", line=line)
        else:
            obj = _DECODER.decode(text)
    except UnicodeDecodeError:
        raise Refusal("malformed", "the line isn't UTF-8", line=line) from None
    except _TwiceError as twice:
        raise Refusal(
            "malformed", "the field {given} stands twice in one object", line=line, given=shown(str(twice))
        ) from None
    except json.JSONDecodeError as error:
        raise Refusal(
            "malformed", "the line isn't JSON from character {place} on", line=line, place=error.pos + 1
        ) from None
    except RecursionError:
        raise Refusal("malformed", "the line is nested too deeply", line=line) from None
    except ValueError:
        # What is left: NaN and infinities, and numbers of thousands of digits.
        raise Refusal("malformed", "a number on the line is no JSON, or too long", line=line) from None
    return _read(obj, line) if obj.__class__ is dict else parse_event(obj, line=line)


def split_lines(text: str | bytes) -> Sequence[str | bytes]:
    """The lines of a log: split at line feeds only, the last of which may be missing."""
    if isinstance(text, bytes):
        lines = text.split(b"\n")
        return lines[:-1] if lines[-1] == b"" else lines
    parts = text.split("\n")
    return parts[:-1] if parts[-1] == "" else parts


def parse_lines(lines: Iterable[str | bytes]) -> Iterator[Event]:
    """One event after the other; Refusal `malformed` at the first that can't be read, or if there is none."""
    number = 0
    for number, text in enumerate(lines, start=1):
        yield parse_line(text, line=number)
    if number == 0:
        raise Refusal("malformed", "a log has at least one line", line=1)


def parse_log(source: str | bytes | Iterable[str | bytes]) -> list[Event]:
    """All events of a log, given as its text, its bytes or its lines; Refusal `malformed` with its line."""
    lines = split_lines(source) if isinstance(source, (str, bytes)) else source
    return list(parse_lines(lines))


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON object of an event: only what is set, `type` first, then its fields, `at` and `by`."""
    obj: dict[str, Any] = {"type": event.type}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is not None or field.default is MISSING:
            obj[field.name] = _plain(value)
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


def print_event(event: Event) -> str:
    """One line of a log, without its line feed."""
    return json.dumps(event_to_json(event), ensure_ascii=False)


def print_log(events: Iterable[Event]) -> str:
    """A log's text: one event a line, each ended by a line feed."""
    return "".join(print_event(event) + "\n" for event in events)
