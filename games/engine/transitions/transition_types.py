"""Parts of the table of all transitions: a type's check and its evolution, by phase.

A module of transitions lists in `HANDLES` the types that it handles. A phase that isn't there for a type
refuses it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from games.engine.events import Event
from games.engine.state import PHASES, ImpossibleStateError, State

Check = Callable[[State, Any], None]
Evolve = Callable[[State, Any], None]
Transition = tuple[Check, Evolve]
UNDER_WAY: Final = PHASES[1:-1]
"""The phases between the opening and the end."""

Handles = Mapping[type[Event], Mapping[str, Transition]]


def never(state: State, event: Event) -> NoReturn:
    """What follows from an event that its check always refuses."""
    raise ImpossibleStateError("a refused event happens")
