"""Replaying a log from its first event to a state."""

from collections.abc import Iterable
from itertools import chain, islice

from games.engine.corrections import Log
from games.engine.events import Event, EventVoided
from games.engine.refusals import Refusal
from games.engine.state import State
from games.engine.transitions import advance


def replay(events: Iterable[Event], until: int | None = None) -> State:
    """The state after all events, or after the first `until`; raises the first Refusal, with its line."""
    if until is not None:
        events = islice(events, until)
    state = State()
    read: list[Event] = []
    iterator = iter(events)
    for event in iterator:
        if event.__class__ is EventVoided:
            # From the first correction on the log itself is needed.
            log = Log.of(read, state)
            for rest in chain((event,), iterator):
                log.add(rest)
            return log.state
        advance(state, event)
        read.append(event)
    return state


def replay_while_valid(events: Iterable[Event]) -> tuple[State, int, Refusal | None]:
    """The state after the events that are accepted, how many those are, and the first refusal, if any.

    The events can come straight from `parse_lines`: a line that can't be read is a refusal like any other.
    """
    log = Log()
    try:
        for event in events:
            log.add(event)
    except Refusal as refusal:
        return log.state, len(log.events), refusal
    return log.state, len(log.events), None
