"""Replaying a log from its first event to a state."""

from collections.abc import Iterable
from itertools import islice, tee

from games.engine.corrections import Log
from games.engine.events import Event
from games.engine.refusals import Refusal
from games.engine.state import ImpossibleStateError, State


def replay(events: Iterable[Event], until: int | None = None) -> State:
    """The state after all events, or after the first `until`; raises the first Refusal, with its line.

    Where the engine can't follow a line that a later one takes out, it goes on from there; else it raises
    `ImpossibleStateError`.
    """
    first, again = tee(islice(events, until))
    log, known = Log(), None
    while True:
        try:
            log.extend(first if known is None else known[len(log.events) :])
            return log.state
        except ImpossibleStateError as fault:
            known = list(again) if known is None else known
            log = Log.past(fault, known)


def replay_while_valid(events: Iterable[Event]) -> tuple[State, int, Refusal | None]:
    """The state after the events that are accepted, how many those are, and the first refusal, if any.

    The events can come straight from `parse_lines`: a line that can't be read is a refusal like any other.
    It is for programs that use the engine by itself, as docs/reference/game-log.md shows.
    """
    log = Log()
    refusal = None
    try:
        log.extend(events)
    except Refusal as first:
        refusal = first
    return log.state, len(log.events), refusal
