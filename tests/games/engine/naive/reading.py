"""Reading a line: the event as a JSON object, or `malformed`."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.games.engine.naive.rules import CARDS, COLORS, rules_of
from tests.games.engine.naive.table import Event, Refused

Test = Callable[[Any], bool]


def whole(least: int) -> Test:
    return lambda value: type(value) is int and value >= least


def one_of(*words: str) -> Test:
    return lambda value: isinstance(value, str) and value in words


def list_of(test: Test, least: int = 0) -> Test:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(test, value))


def by_seat(test: Test) -> Test:
    return lambda value: (
        isinstance(value, dict)
        and all(re.fullmatch("0|[1-9][0-9]*", key) and test(content) for key, content in value.items())
    )


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def text(value: Any) -> bool:
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def time(value: Any) -> bool:
    form = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
    if not isinstance(value, str) or re.fullmatch(form, value) is None:
        return False
    # A leap second is a second, too; and a year 0 has as many days as a year 4.
    shortened = re.sub(r"\.[0-9]+", "", value).replace(":60", ":59").replace("0000-", "0004-", 1)
    try:
        datetime.fromisoformat(shortened.upper())
    except ValueError:
        return False
    return True


def person(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "name" in value
        and set(value) <= {"name", "team"}
        and all(map(text, value.values()))
    )


def pair(value: Any) -> bool:
    return list_of(seat)(value) and len(value) == 2 and bool(value[0] != value[1])


seat = whole(0)
card = one_of(*CARDS)
color = one_of(*COLORS)

# For each type its fields; a question mark after the name: may be left out.
FIELDS: dict[str, dict[str, Test]] = {
    "game_opened": {
        "ruleset": lambda value: rules_of(value) is not None,
        "seats": list_of(person),
        "kin?": list_of(pair),
    },
    "dealer_cut": {"cards": by_seat(card)},
    "dealer_named": {"seat": seat},
    "deal_started": {"dealer": seat, "hands?": by_seat(list_of(card))},
    "card_turned": {"card": card},
    "color_named": {"seat": seat, "color": color},
    "cards_played": {"seat": seat, "cards": list_of(card, 1), "color?": color, "uno?": flag},
    "cards_drawn": {"seat": seat, "count": whole(1), "cards?": list_of(card)},
    "turn_passed": {"seat": seat},
    "uno_called": {"seat": seat},
    "uno_caught": {"seat": seat, "catcher?": seat},
    "challenge_made": {"seat": seat, "upheld": flag, "hand?": list_of(card)},
    "penalty_given": {"seat": seat, "reason": one_of("prompting", "wrong_card"), "card?": card},
    "zero_gift": {"seat": seat, "to": seat},
    "pile_reshuffled": {},
    "hand_shown": {"seat": seat, "cards?": list_of(card), "points?": whole(0)},
    "game_closed": {
        "reason": one_of("result", "time", "forfeit", "abandoned"),
        "winner": lambda value: value is None or seat(value),
        "team?": text,
        "scores?": by_seat(whole(0)),
        "places?": by_seat(whole(1)),
    },
    "event_voided": {"line": whole(1), "reason": text},
}


def agrees(event: Event) -> bool:
    """Whether the fields of one event go together."""
    match event["type"]:
        case "cards_drawn":
            return "cards" not in event or bool(len(event["cards"]) == event["count"])
        case "penalty_given":
            return "card" not in event or bool(event["reason"] == "wrong_card")
        case "hand_shown":
            return ("cards" in event) != ("points" in event)
        case "uno_caught":
            return bool(event.get("catcher") != event["seat"])
        case "game_closed":
            named = [event["winner"] is not None, "team" in event]
            if "places" in event:
                places = list(event["places"].values())
                first = [int(seat) for seat, place in event["places"].items() if place == 1]
                ranked = all(place == 1 + sum(each < place for each in places) for place in places)
                winner = first[0] if len(first) == 1 else None
                return ranked and "team" not in event and bool(event["winner"] == winner)
            return not all(named) and bool(event["reason"] != "result" or any(named))
    return True


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object none of whose keys stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def no_constant(name: str) -> None:
    raise ValueError(name)


def read_line(line: str) -> Event:
    """The event on a line; Refused `malformed`."""
    try:
        event = json.loads(line, object_pairs_hook=once, parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise Refused("malformed") from None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str) or event["type"] not in FIELDS:
        raise Refused("malformed")
    fields = {**FIELDS[event["type"]], "at?": time, "by?": text, "type": text}
    for field, test in fields.items():
        name = field.rstrip("?")
        if name in event:
            if not test(event[name]):
                raise Refused("malformed")
        elif name == field:
            raise Refused("malformed")
    if not set(event) <= {field.rstrip("?") for field in fields} or not agrees(event):
        raise Refused("malformed")
    return event
