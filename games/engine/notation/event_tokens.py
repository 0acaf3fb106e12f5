"""One token an event: `2:R7`, `2:W>G`, `2:+1`, `2:pass`, `deal=0` ….

Each type's `notation` says how it is written. In it `{name}` is the field's value, and `{name=yes/no}` that
of a flag in these words, nothing without it. Of `[a|b]` the first part is written whose fields are all
there, or none. Whoever acts stands first, as a seat's number and a colon; what the table does begins with
a word.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engine.events import EVENT_FIELDS, Event
from games.engine.notation.values import print_by_seat, print_cards, print_text

_CHOICE: Final = re.compile(r"\[([^\]]*)\]")
_FIELD: Final = re.compile(r"\{(\w+)(?:=([^/}]*)/([^}]*))?\}")

_PRINTERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "cards": print_cards,
    "cards_by_seat": lambda hands: print_by_seat((seat, print_cards(hand)) for seat, hand in hands.items()),
    **dict.fromkeys(
        ("card_by_seat", "points_by_seat", "place_by_seat"), lambda by_seat: print_by_seat(by_seat.items())
    ),
    "text": print_text,
}
"""How kinds of values are written that are more than a word or a number."""


def print_token(event: Event) -> str:
    """The token of any event but the opening, which is written as headers; without its stamp."""
    kinds = EVENT_FIELDS[event.__class__]

    def is_there(part: str) -> bool:
        return all(getattr(event, found[1]) is not None for found in _FIELD.finditer(part))

    def chosen(choice: re.Match[str]) -> str:
        return next(filter(is_there, choice[1].split("|")), "")

    def written(field: re.Match[str]) -> str:
        name, yes, no = field.groups()
        value = getattr(event, name)
        if yes is None:
            return _PRINTERS.get(kinds[name].name, str)(value)
        return "" if value is None else yes if value else no

    return _FIELD.sub(written, _CHOICE.sub(chosen, event.notation))
