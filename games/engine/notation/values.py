"""Values in a notation, written and read: numbers, texts, cards, hands, lists by seat, rules.

Of each pair the first writes what the second reads. Readers stand at the value's first character and go over
it; what they give is as in the JSON of the game log. Letters outside of texts are read in either case.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, TypeVar

from games.engine.cards import COLOR, Card, Color
from games.engine.notation.cursor import Cursor
from games.engine.ruleset import Ruleset
from games.engine.words import mark

Value = TypeVar("Value")

NONE: Final = "-"
"""Stands for an empty list and for nobody."""

_COUNTED = 10**9
_NUMBER = re.compile("0|[1-9][0-9]*", re.ASCII)
_WORD = re.compile("[a-z][a-z_]*", re.ASCII | re.IGNORECASE)
_SETTING = re.compile("-?(?:0|[1-9][0-9]*)|[a-z][a-z_]*", re.ASCII | re.IGNORECASE)
_CARD = re.compile(r"(?:[RYGB](?:[0-9SR]|\+2)|W(?:\+4)?)(?![A-Za-z0-9_+])", re.ASCII | re.IGNORECASE)
_COLOR = re.compile(r"[RYGB](?![A-Za-z0-9_+])", re.ASCII | re.IGNORECASE)
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""What nobody sees in a text, or what makes it look like another: it is written as an escape."""


def read_number(cursor: Cursor, what: str = mark("a whole number")) -> int:
    """A whole number from 0."""
    start = cursor.place
    digits = cursor.match(_NUMBER)
    if digits is None:
        cursor.expected(what)
    try:
        return int(digits)
    except ValueError:
        # Python reads no number of thousands of digits.
        cursor.expected(what, start)


def read_count(cursor: Cursor, what: str = mark("a whole number")) -> int:
    """As `read_number`, of something that is counted at a table: nine digits hold it."""
    start = cursor.place
    number = read_number(cursor, what)
    if number >= _COUNTED:
        cursor.expected(what, start)
    return number


def read_seat(cursor: Cursor) -> int:
    """The number of a seat."""
    return read_number(cursor, mark("a seat's number"))


def read_word(cursor: Cursor, words: Collection[str], expected: str = mark("one of {words}")) -> str:
    """One of some words; `expected` says so in a refusal, with what else could stand here."""
    start = cursor.place
    found = (cursor.match(_WORD) or "").lower()
    if found not in words:
        cursor.expected(expected, start, words=", ".join(words))
    return found


def print_text(text: str) -> str:
    """A text in quotes, with the escapes of JSON for what would end it or can't be seen."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def read_text(cursor: Cursor) -> str:
    """A text in straight quotes, on one line."""
    start = cursor.place
    quoted = cursor.match(_TEXT)
    if quoted is None:
        cursor.expected(mark('a text in straight quotes "…", on one line'))
    try:
        text = json.loads(quoted)
    except json.JSONDecodeError as error:
        cursor.wrong(mark("this text holds an escape that JSON doesn't have"), start + error.pos)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        cursor.wrong(mark("this text holds half of a surrogate pair, which can't be stored as UTF-8"), start)
    return str(text)


def sees_card(cursor: Cursor) -> bool:
    """Whether the text goes on with a card."""
    return _CARD.match(cursor.text, cursor.place) is not None


def read_card(cursor: Cursor) -> Card:
    """One card."""
    card = cursor.match(_CARD)
    if card is None:
        cursor.expected(mark("a card such as R7, GS, BR, Y+2, W or W+4"))
    return card.upper()


def read_color(cursor: Cursor) -> Color:
    """One colour."""
    color = cursor.match(_COLOR)
    if color is None:
        cursor.expected(mark("a colour: R, Y, G or B"))
    return color.upper()


def print_cards(cards: Sequence[Card]) -> str:
    """Cards with commas between them; `-` for none."""
    return ",".join(cards) or NONE


def read_cards(cursor: Cursor) -> list[Card]:
    """As many cards as there are."""
    return [] if cursor.take(NONE) else read_list(cursor, read_card)


def print_top(top: Card | None, color: Color | None) -> str:
    """A card on which others go, with the colour in play where it isn't the card's: `R7`, `W>G`; or `-`."""
    if top is None:
        return NONE
    return top if color == COLOR[top] else f"{top}>{color}"


def read_top(cursor: Cursor) -> tuple[Card | None, Color | None]:
    """The card and the colour in play, each None where there is none."""
    if cursor.take(NONE):
        return None, None
    top = read_card(cursor)
    return top, read_color(cursor) if cursor.take(">") else COLOR[top]


def print_hand(known: Sequence[Card], unknown: int) -> str:
    """A hand of which not all may be known: its known cards, and `?` and the number of the others."""
    return ",".join([*known, f"?{unknown}"] if unknown else known) or NONE


def read_hand(cursor: Cursor) -> tuple[list[Card], int]:
    """The known cards of a hand and the number of the others."""
    known: list[Card] = []
    if cursor.take(NONE):
        return known, 0
    while not cursor.take("?"):
        known.append(read_card(cursor))
        if not cursor.take(","):
            return known, 0
    start = cursor.place
    unknown = read_count(cursor, mark("how many cards are unknown"))
    if not unknown:
        cursor.expected(mark("how many cards are unknown, from 1"), start)
    return known, unknown


def read_list(cursor: Cursor, read: Callable[[Cursor], Value], between: str = ",") -> list[Value]:
    """One value or more, with a mark between them."""
    values = [read(cursor)]
    while cursor.take(between):
        values.append(read(cursor))
    return values


def print_by_seat(pairs: Iterable[tuple[int, str]]) -> str:
    """`/seat=value` for each pair, in their order; `/-` for none."""
    return "".join(f"/{seat}={value}" for seat, value in pairs) or f"/{NONE}"


def read_pairs(cursor: Cursor, read: Callable[[Cursor], Value], start: str = "/") -> list[tuple[int, Value]]:
    """What `print_by_seat` wrote, from its first stroke on, or another sign in its place."""
    cursor.need(start)
    if cursor.take(NONE):
        return []

    def pair(inner: Cursor) -> tuple[int, Value]:
        seat = read_seat(inner)
        inner.need("=")
        return seat, read(inner)

    return read_list(cursor, pair, "/")


def read_by_seat(cursor: Cursor, read: Callable[[Cursor], Value], start: str = "/") -> dict[str, Value]:
    """As `read_pairs`, as the object that JSON has; no seat can come twice."""
    begun = cursor.place
    pairs = read_pairs(cursor, read, start)
    found = {str(seat): value for seat, value in pairs}
    if len(found) != len(pairs):
        cursor.wrong(mark("a seat stands twice in this list"), begun)
    return found


def print_ruleset(ruleset: Ruleset) -> str:
    """The preset's name, and `/field=value` for each field that differs from it."""
    written = ruleset.to_json()
    if isinstance(written, str):
        return written
    changed = {name: value for name, value in written.items() if name != "preset"}
    return ruleset.preset + "".join(f"/{name}={_print_setting(value)}" for name, value in changed.items())


def read_ruleset(cursor: Cursor) -> dict[str, Any]:
    """The object that JSON has for a rule set; whether there is such a preset and field isn't looked at."""
    changed: dict[str, Any] = {"preset": _read_name(cursor, mark("a preset's name"))}
    while cursor.take("/"):
        start = cursor.place
        name = _read_name(cursor, mark("a field of the rule set"))
        if name in changed:
            cursor.wrong(mark("the field {name} stands twice"), start, name=name)
        cursor.need("=")
        changed[name] = _read_setting(cursor)
    return changed


def _read_name(cursor: Cursor, what: str) -> str:
    name = cursor.match(_WORD)
    if name is None:
        cursor.expected(what)
    return name.lower()


def _print_setting(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_setting(cursor: Cursor) -> object:
    start = cursor.place
    written = cursor.match(_SETTING)
    if written is None:
        cursor.expected(mark("the field's value: true, false, a whole number or a word"))
    word = written.lower()
    if word in ("true", "false"):
        return word == "true"
    if word[0].isalpha():
        return word
    try:
        return int(word)
    except ValueError:
        cursor.expected(mark("a whole number"), start)


def print_winner(winner: int | None, team: str | None) -> str:
    """Who won: a seat, or a team where only that is known, or `-`."""
    if winner is not None:
        return str(winner)
    return NONE if team is None else print_text(team)


def read_winner(cursor: Cursor) -> tuple[int | None, str | None]:
    """The seat or the team that won, both None for nobody."""
    if cursor.take(NONE):
        return None, None
    if cursor.sees('"'):
        return None, read_text(cursor)
    return read_number(cursor, mark("who won: a seat's number, a team in quotes, or -")), None


def print_kin(kin: Sequence[tuple[int, int]]) -> str:
    """Pairs of seats, such as `0-2,1-3`; `-` for none."""
    return ",".join(f"{pair[0]}-{pair[1]}" for pair in kin) or NONE


def read_kin(cursor: Cursor) -> list[list[int]]:
    """Pairs of seats that are related."""

    def pair(inner: Cursor) -> list[int]:
        one = read_seat(inner)
        inner.need("-")
        return [one, read_seat(inner)]

    return [] if cursor.take(NONE) else read_list(cursor, pair)
