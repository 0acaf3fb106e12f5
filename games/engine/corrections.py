"""Corrections: a log reads as if a voided event were not there, and nothing is ever erased."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.engine.events import Event, EventVoided
from games.engine.refusals import Refusal
from games.engine.state import ImpossibleStateError, State
from games.engine.transitions import advance


class Log:
    """A log that grows, with the state that it leads to.

    Adding an event costs the same however long the log is. A correction costs one replay, and a run of
    corrections from the end back costs one replay together.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        """All events, voided ones and corrections included: line n is `events[n - 1]`."""
        self._voided: set[int] = set()
        self._kept: list[int] = []
        self._looked_at = 0
        self._state: State | None = State()

    @classmethod
    def of(cls, events: Iterable[Event], state: State | None) -> "Log":
        """A log of events that were all accepted before, and lead to `state`; None: to be worked out."""
        log = cls()
        log.events = list(events)
        log._voided = {event.line for event in log.events if isinstance(event, EventVoided)}
        log._state = state
        return log

    @classmethod
    def past(cls, fault: ImpossibleStateError, events: Sequence[Event]) -> "Log":
        """The log up to the correction that takes out the line of a fault; raises the fault where none does.

        What the engine can't follow doesn't matter any more once it doesn't hold.
        """
        for number, event in enumerate(events, start=1):
            if isinstance(event, EventVoided) and event.line == fault.line:
                return cls.of(events[:number], None)
        raise fault

    @property
    def state(self) -> State:
        """The state after all events."""
        if self._state is None:
            self._state = self._replay(self._effective_lines())
        return self._state

    def effective(self) -> list[tuple[int, Event]]:
        """What is left of the log, as (line, event): neither voided events nor corrections."""
        return [(line, self.events[line - 1]) for line in self._effective_lines()]

    def _effective_lines(self) -> list[int]:
        """The lines that are neither voided nor corrections; each line is looked at once, when asked for."""
        start = self._looked_at
        self._kept += [
            line
            for line, event in enumerate(self.events[start:], start=start + 1)
            if line not in self._voided and event.__class__ is not EventVoided
        ]
        self._looked_at = len(self.events)
        return self._kept

    def add(self, event: Event) -> None:
        """Check one event and let it happen; Refusal, and nothing changed, if it can't be."""
        self.extend((event,))

    def extend(self, events: Iterable[Event]) -> None:
        """Check each event and let it happen; stops before the first that can't be, with its Refusal."""
        append = self.events.append
        for event in events:
            if event.__class__ is EventVoided:
                self._void(event)
            else:
                advance(self._state or self.state, event)
            append(event)

    def _void(self, event: EventVoided) -> None:
        line = event.line
        self.check_voidable(line)
        lines = self._effective_lines()
        if line == lines[-1]:
            # The rest was replayed when it was entered; its state is worked out when it is asked for.
            self._state = None
        else:
            try:
                self._state = self._replay([other for other in lines if other != line])
            except Refusal as refusal:
                raise Refusal(
                    "void",
                    "without line {taken}, line {later} can't be: {why}; void from the last line back",
                    line=len(self.events) + 1,
                    type=event.type,
                    taken=line,
                    later=refusal.line,
                    why=refusal.phrase,
                ) from None
            self._state.events += 1
        lines.remove(line)
        self._voided.add(line)

    def check_voidable(self, line: int) -> None:
        """Refusal `void` if that line can never be voided, whatever comes after it."""
        count = len(self.events)
        if not 1 <= line <= count:
            problem = Refusal(
                "void", "there is no line {given}: the log has {count} so far", given=line, count=count
            )
        elif line == 1:
            problem = Refusal("void", "line 1 opens the game and can't be voided")
        elif line in self._voided:
            problem = Refusal("void", "line {given} is voided already", given=line)
        elif isinstance(self.events[line - 1], EventVoided):
            problem = Refusal(
                "void", "line {given} is a correction, which stays: enter again what it took out", given=line
            )
        else:
            return
        raise problem.at(count + 1, EventVoided.type)

    def _replay(self, lines: Sequence[int]) -> State:
        state = State()
        for line in lines:
            state.events = line - 1
            advance(state, self.events[line - 1])
        state.events = len(self.events)
        return state


def effective_log(events: Sequence[Event]) -> list[tuple[int, Event]]:
    """What is left of a log as (line, event): neither voided events nor corrections."""
    return Log.of(events, State()).effective()


@dataclass(frozen=True, slots=True)
class Correction:
    """What putting a line right appends to a log, and what becomes of the lines after it.

    `appended` are the corrections from the end back, the right events, and the later events that still hold.
    `kept` are the former lines of the latter. `dropped` are line and refusal of those that don't hold.
    """

    appended: tuple[Event, ...]
    kept: tuple[int, ...]
    dropped: tuple[tuple[int, Refusal], ...]


def correct(log: Log, right: Sequence[Event], void: EventVoided) -> Correction:
    """Put right the line that `void` names, and keep of what came later whatever can still be.

    First it adds `void` to `log`: from the end back for each later line, then for that line. Then it adds
    `right`, which may be empty, and each later event that is still legal. Raises Refusal `void` if the line
    can't be voided. Raises the Refusal of an event in `right`, whose `line` is then its place there, from 1;
    `log` is of no more use after that.
    """
    count = len(log.events)
    log.check_voidable(void.line)
    later = [(line, event) for line, event in log.effective() if line > void.line]
    for line in (*(line for line, _ in reversed(later)), void.line):
        log.add(replace(void, line=line))
    for place, event in enumerate(right, start=1):
        try:
            log.add(event)
        except Refusal as refusal:
            raise refusal.at(place, event.type) from None
    kept, dropped = [], []
    for line, event in later:
        try:
            log.add(event)
        except Refusal as refusal:
            dropped.append((line, refusal))
        else:
            kept.append(line)
    return Correction(tuple(log.events[count:]), tuple(kept), tuple(dropped))
