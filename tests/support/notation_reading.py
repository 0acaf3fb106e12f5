"""The events of a log in notation: what proves that nothing is lost when a log is printed in it.

It is plain on purpose, and takes nothing from `games.engine.notation`. Of a text that isn't notation it says
nothing sensible.
"""

import json
import re
from typing import Any

from games.engine import Event, parse_event

Fields = dict[str, Any]

TEXT = r'"(?:[^"\\]|\\.)*"'
PART = re.compile(rf'\[(?:[^"\]]|{TEXT})*\]|(?:[^\s"\[]|{TEXT})+')
HEADER = re.compile(r"\[(\w+) (.*)\]")
STAMPED = re.compile(rf'(?P<token>(?:[^"@~]|{TEXT})+)(?:@(?P<at>[^~]+))?(?P<by>~(?:{TEXT})?)?')
TIME = re.compile(r"([0-9-]{10}[Tt])[0-9:.]+([Zz]|[+-][0-9:]{5})")
PLAYED = re.compile(r"([A-Z0-9+,]+)(?:>([RYGB]))?([!?]?)")
CARD = re.compile("-|[RYGBW]")
END = re.compile(rf"(\w+)/({TEXT}|-|\d+)([^>]*)(?:>(.*))?")


def read_notation(text: str | bytes) -> list[Event]:
    """All events of a log; AssertionError where their numbers, or those of the deals, are wrong."""
    return _Reading(text.decode() if isinstance(text, bytes) else text).events


class _Reading:
    """One text, and what its stamps have said so far."""

    def __init__(self, text: str) -> None:
        self.events: list[Event] = []
        self.day, self.zone, self.by = "", "", ""
        self.deals: set[int] = set()
        opening: Fields | None = None
        for part in PART.findall(text):
            header = HEADER.fullmatch(part)
            if header is not None:
                opening = self.header(header[1], header[2], opening)
                continue
            self.take(opening)
            opening = None
            if part[0] == "#":
                assert int(part[1:]) == len(self.deals) + 1, part
            elif part[-1] == "." and part[:-1].isdigit():
                assert int(part[:-1]) == len(self.events) + 1, part
            else:
                self.take(self.stamped(part))
        self.take(opening)

    def take(self, fields: Fields | None) -> None:
        if fields is None:
            return
        self.events.append(parse_event(fields))
        if fields["type"] == "deal_started":
            self.deals.add(len(self.events))
        elif fields["type"] == "event_voided":
            self.deals.discard(fields["line"])

    def header(self, name: str, value: str, opening: Fields | None) -> Fields:
        if name == "Rules":
            self.take(opening)
            return {"type": "game_opened", "ruleset": _rules(value), "seats": []}
        assert opening is not None, name
        if name == "Seat":
            number, seat, *team = re.findall(rf"\d+|{TEXT}", value)
            assert int(number) == len(opening["seats"]), value
            opening["seats"].append(
                {"name": json.loads(seat), **({"team": json.loads(team[0])} if team else {})}
            )
        elif name == "Kin":
            opening["kin"] = [[int(seat) for seat in pair.split("-")] for pair in _cards(value)]
        elif name == "At":
            opening["at"] = self.time(value)
        elif name == "By":
            opening["by"] = self.person(value)
        else:
            assert (name, len(self.events)) == ("Winner", 0), name
        return opening

    def stamped(self, part: str) -> Fields:
        found = STAMPED.fullmatch(part)
        assert found is not None, part
        fields = _token(found["token"])
        if found["at"]:
            fields["at"] = self.time(found["at"])
        if found["by"]:
            fields["by"] = self.person(found["by"][1:])
        return fields

    def time(self, written: str) -> str:
        full = TIME.fullmatch(written)
        if full is None:
            return self.day + written + self.zone
        self.day, self.zone = full.groups()
        return written

    def person(self, written: str) -> str:
        self.by = json.loads(written) if written else self.by
        return self.by


def _rules(value: str) -> Fields:
    preset, *settings = value.split("/")
    changed = dict(setting.split("=") for setting in settings)
    plain = {
        name: word if word.isidentifier() and word not in ("true", "false") else json.loads(word)
        for name, word in changed.items()
    }
    return {"preset": preset, **plain}


def _token(token: str) -> Fields:
    seat, colon, act = token.partition(":")
    if colon and seat.isdigit():
        fields = _act(act)
        return {"type": fields.pop("type"), "seat": int(seat), **fields}
    word, value = re.fullmatch(r"([a-z]+)(.*)", token, re.DOTALL).groups()  # type: ignore[union-attr]
    return _at_table(word, value.removeprefix("="))


def _act(act: str) -> Fields:
    if act[0] == "+":
        count, _, cards = act[1:].partition("=")
        return {"type": "cards_drawn", "count": int(count), **({"cards": _cards(cards)} if cards else {})}
    if act[0] == ">":
        return {"type": "color_named", "color": act[1:]}
    played = PLAYED.fullmatch(act)
    if played is not None:
        fields: Fields = {"type": "cards_played", "cards": _cards(played[1])}
        fields |= {"color": played[2]} if played[2] else {}
        return fields | ({"uno": played[3] == "!"} if played[3] else {})
    word, _, value = act.partition("=")
    first, _, second = value.partition("/")
    match word:
        case "pass":
            return {"type": "turn_passed"}
        case "uno":
            return {"type": "uno_called"}
        case "caught":
            return {"type": "uno_caught", **({"catcher": int(value)} if value else {})}
        case "challenge":
            shown = {"hand": _cards(second)} if second else {}
            return {"type": "challenge_made", "upheld": first == "upheld", **shown}
        case "penalty":
            return {"type": "penalty_given", "reason": first, **({"card": second} if second else {})}
        case "gift":
            return {"type": "zero_gift", "to": int(value)}
    assert word == "shows", act
    fields = {"type": "hand_shown"}
    return fields | ({"cards": _cards(value)} if CARD.match(value) else {"points": int(value)})


def _at_table(word: str, value: str) -> Fields:
    first, stroke, rest = value.partition("/")
    match word:
        case "cut":
            return {"type": "dealer_cut", "cards": _by_seat(rest)}
        case "dealer":
            return {"type": "dealer_named", "seat": int(value)}
        case "deal":
            dealt = {seat: _cards(cards) for seat, cards in _by_seat(rest).items()}
            return {"type": "deal_started", "dealer": int(first), **({"hands": dealt} if stroke else {})}
        case "top":
            return {"type": "card_turned", "card": value}
        case "reshuffle":
            return {"type": "pile_reshuffled"}
        case "void":
            return {"type": "event_voided", "line": int(first), "reason": json.loads(rest)}
    assert word == "end", word
    reason, winner, scores, places = END.fullmatch(value).groups()  # type: ignore[union-attr]
    fields: Fields = {"type": "game_closed", "reason": reason, "winner": None}
    if winner[0] == '"':
        fields["team"] = json.loads(winner)
    elif winner != "-":
        fields["winner"] = int(winner)
    for name, written in (("scores", scores[1:]), ("places", places)):
        if written:
            fields[name] = {seat: int(number) for seat, number in _by_seat(written).items()}
    return fields


def _by_seat(written: str) -> dict[str, str]:
    return {} if written in ("", "-") else dict(pair.split("=") for pair in written.split("/"))


def _cards(written: str) -> list[str]:
    return [] if written == "-" else written.split(",")
