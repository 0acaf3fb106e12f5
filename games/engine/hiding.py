"""The public view of an event: without the fields that are declared as secret."""

from dataclasses import replace
from typing import Any, Final

from games.engine.events import EVENT_FIELDS, Event

_HIDDEN: Final[dict[type[Event], dict[str, Any]]] = {
    cls: {name: None for name, kind in kinds.items() if kind.is_secret} for cls, kinds in EVENT_FIELDS.items()
}


def hide(event: Event) -> Event:
    """The event as a table log has it: without dealt hands, drawn cards and what a challenger was shown."""
    hidden = _HIDDEN[event.__class__]
    return replace(event, **hidden) if hidden else event
