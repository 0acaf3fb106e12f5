"""Replaying a log from its first event to a state."""

from collections.abc import Iterable
from itertools import islice

from games.engine.corrections import Log
from games.engine.events import Event
from games.engine.refusals import Refusal
from games.engine.state import State


def replay(events: Iterable[Event], until: int | None = None) -> State:
    """The state after all events, or after the first `until`; raises the first Refusal, with its line."""
    log = Log()
    log.extend(islice(events, until))
    return log.state


def replay_while_valid(events: Iterable[Event]) -> tuple[State, int, Refusal | None]:
    """The state after the events that are accepted, how many those are, and the first refusal, if any.

    The events can come straight from `parse_lines`: a line that can't be read is a refusal like any other.
    """
    log = Log()
    refusal = None
    try:
        log.extend(events)
    except Refusal as first:
        refusal = first
    return log.state, len(log.events), refusal
