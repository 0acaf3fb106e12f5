"""The public view of an event: the one place that hides secret cards."""

from dataclasses import replace
from typing import Final

from games.engine.events import CardsDrawn, ChallengeMade, DealStarted, Event

_SECRET: Final[dict[type[Event], str]] = {DealStarted: "hands", CardsDrawn: "cards", ChallengeMade: "hand"}


def hide(event: Event) -> Event:
    """The event as a table log has it: without dealt hands, drawn cards and what a challenger was shown."""
    name = _SECRET.get(event.__class__)
    return event if name is None else replace(event, **{name: None})
