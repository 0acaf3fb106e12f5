"""Telling a log as it is read: one event at a time, with the states before and after each."""

from games.engine.corrections import Log
from games.engine.events import Event, EventVoided, GameOpened
from games.engine.snapshot import dump, load
from games.engine.state import ImpossibleStateError, State
from games.engine.telling.before_and_after import Scene
from games.engine.telling.consequences import following
from games.engine.telling.happening import Glimpse, happened
from games.engine.telling.model import Line, Telling
from games.engine.telling.names import Names
from games.engine.telling.wording import Voice


def say(event: Event, language: str, names: Names, before: State | None = None) -> Line:
    """What happened, in one sentence, without what follows from it.

    It needs no game around the event, so one that was refused can be told too. Where the state `before` it is
    given, it is more exact.
    """
    return happened(event, Glimpse(Voice(language, names), before, None, is_open=False))


def tell(
    before: State,
    event: Event,
    after: State,
    language: str,
    names: Names,
    *,
    was: Line | None = None,
    is_open: bool = False,
) -> Telling:
    """An accepted event between the two states around it, with all that follows.

    `was` is what the line said that a correction takes out. What everybody at the table saw is told; with
    `is_open` also the cards that only their holder did, where the event has them.
    """
    voice = Voice(language, names)
    line = happened(event, Glimpse(voice, before, was, is_open))
    return Telling(line, following(event, before, after, voice))


def outcome(state: State, language: str, names: Names) -> Line:
    """Who has won a game that is over."""
    return Scene(state, state, Voice(language, names)).won().line


class Teller:
    """Reads a log and tells each event. Without `names`, seats are called as the log calls them."""

    def __init__(self, language: str, names: Names | None = None, *, is_open: bool = False) -> None:
        self.language = language
        self.names = Names() if names is None else names
        self.moment = State()
        """How the game stands after what was told so far: a new object with each event."""
        self.is_lost = False
        """Whether the engine came to a state that can't be: from there on each event is told by itself."""
        self._has_names = names is not None
        self._is_open = is_open
        self._log = Log()
        self._told: list[Line] = []

    def add(self, event: Event) -> Telling:
        """Check one event, let it happen and tell it; Refusal, and nothing changed, if it can't be."""
        try:
            if not self.is_lost:
                self._log.add(event)
        except ImpossibleStateError:
            self.is_lost = True
        if self.is_lost:
            return Telling(say(event, self.language, self.names), ())
        before = self.moment
        if not self._has_names and isinstance(event, GameOpened):
            self.names = Names.of_log(event)
        after = self.moment = load(dump(self._log.state))
        was = self._told[event.line - 1] if isinstance(event, EventVoided) else None
        telling = tell(before, event, after, self.language, self.names, was=was, is_open=self._is_open)
        self._told.append(telling.happened)
        return telling
