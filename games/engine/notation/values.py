"""Values in a notation: texts, cards, lists by seat, rules, winners, pairs of seats."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from games.engine.cards import Card
from games.engine.ruleset import Ruleset

NONE: Final = "-"
"""Stands for an empty list and for nobody."""

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""What nobody sees in a text, or what makes it look like another: it is written as an escape."""


def print_text(text: str) -> str:
    """A text in quotes, with the escapes of JSON for what would end it or can't be seen."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def print_cards(cards: Sequence[Card]) -> str:
    """Cards with commas between them; `-` for none."""
    return ",".join(cards) or NONE


def print_by_seat(pairs: Iterable[tuple[int, object]]) -> str:
    """`seat=value` for each pair, in their order, with strokes between them; `-` for none."""
    return "/".join(f"{seat}={value}" for seat, value in pairs) or NONE


def print_ruleset(ruleset: Ruleset) -> str:
    """The preset's name, and `/field=value` for each field that differs from it."""
    written = ruleset.to_json()
    if isinstance(written, str):
        return written
    changed = {name: value for name, value in written.items() if name != "preset"}
    return ruleset.preset + "".join(f"/{name}={_print_setting(value)}" for name, value in changed.items())


def _print_setting(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def print_winner(winner: int | None, team: str | None) -> str:
    """Who won: a seat, or a team where only that is known, or `-`."""
    if winner is not None:
        return str(winner)
    return NONE if team is None else print_text(team)


def print_kin(kin: Sequence[tuple[int, int]]) -> str:
    """Pairs of seats, such as `0-2,1-3`; `-` for none."""
    return ",".join(f"{pair[0]}-{pair[1]}" for pair in kin) or NONE
