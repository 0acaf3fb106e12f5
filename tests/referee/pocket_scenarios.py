"""Scenarios told to the engine, here or on the phone: it stands in for `referee.pocket.game_page` there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.engine import Log, Refusal, dump, event_to_json, legal, parse_event

NAMES = ("Ada", "Bea", "Carlo", "Dino", "Elsa", "Fabio", "Gina", "Ugo", "Ivo", "Lia")


def guided(kit: Mapping[str, Any], language: str) -> list[list[Any]]:
    """What comes of each scenario's lines."""
    return [list(told(texts)) for texts in kit["scenarios"]]


def told(texts: Sequence[str]) -> Iterator[Any]:
    """What comes of each line: the event, or its refusal in both languages; then state and legal moves."""
    log = Log()
    for text in texts:
        try:
            event = parse_event(json.loads(text), line=log.state.events + 1)
            log.add(event)
        except Refusal as refusal:
            italian = refusal.expected("it", seat=NAMES.__getitem__)
            yield [refusal.to_json(), refusal.rule, italian, refusal.expected("en")]
        else:
            yield event_to_json(event)
    yield dump(log.state)
    yield [option.to_json() for option in legal(log.state)]
