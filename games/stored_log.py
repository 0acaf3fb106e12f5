"""Stored log events, read as events of the current version of the format.

A fact's text is the event's JSON object. Where it was written in another version of the game log than the
first, it also holds `format`, that version. So each fact says by itself, under its hash, how it is to be
read. A log that was begun before an upgrade can go on after it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID

import orjson

from games.engine import Event, Refusal, parse_event
from games.engine.versions import CURRENT, lift
from ledger import read

FORMAT: Final = "format"
"""No event has a field of this name, so it can't be one that was sent."""

_FIRST: Final = 1


def event_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The current event that a fact's body stands for; Refusal `malformed` for an unknown version."""
    event = dict(body)
    return lift(event, event.pop(FORMAT, _FIRST))


def stored_log(game_id: UUID, *, until: int | None = None) -> list[Event]:
    """The stored log as events, none for a game that wasn't begun; one query.

    Refusal `malformed`, with its line, for a text that is no event: it was altered where it is stored.
    """
    return log_of(text for _type, text in read.texts(game_id, until=until))


def log_of(texts: Iterable[str]) -> list[Event]:
    """The texts of a log's facts as events; Refusal as `stored_log`."""
    return [_event_in(text, line) for line, text in enumerate(texts, start=1)]


def _event_in(text: str, line: int) -> Event:
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Refusal("malformed", "an event is a JSON object with a `type`", line=line) from None
    if (CURRENT != _FIRST or FORMAT in body) and isinstance(body, dict):
        body = event_of(body)
    return parse_event(body, line=line)
