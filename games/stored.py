"""What is stored of a game's log, as events of the current version of the format.

A fact's text is the event's JSON object; where it was written in another version of the game log than the
first it also holds `format`, that version. So each fact says by itself, under its hash, how it is to be read,
and a log that was begun before an upgrade can go on after it.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from games.engine.versions import CURRENT, lift
from ledger import read

FORMAT: Final = "format"
"""No event has a field of this name, so it can't be one that was sent."""

_FIRST: Final = 1
_MARK: Final = f'"{FORMAT}":'
"""How the field begins in a canonical text; within a string the quotes would be escaped."""


def event_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The current event that a fact's body stands for; Refusal `malformed` for an unknown version."""
    event = dict(body)
    return lift(event, event.pop(FORMAT, _FIRST))


def stored_lines(game_id: UUID, *, until: int | None = None) -> list[str]:
    """The stored log as lines of the current format; one query."""
    return [_line_of(text) for _, text in read.texts(game_id, until=until)]


def _line_of(text: str) -> str:
    if CURRENT == _FIRST and _MARK not in text:
        return text
    return json.dumps(event_of(json.loads(text)), ensure_ascii=False)
