"""Exercises at the practice table, in the order in which a day brings them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine import Event, State, refusal_of
from games.engine.cards import CARDS, WILDS
from games.engine.events import CardsPlayed, GameClosed
from games.engine.state import PLAY

RESULT: Final = "result"
UNDO: Final = "undo"
CARDS_WRITTEN: Final = "cards"
REFUSAL: Final = "refusal"
CORRECTION: Final = "correction"
BELL: Final = "bell"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to try: what, and where it is tapped."""

    key: str
    title: str | Promise
    how: str | Promise


LESSONS: Final = (
    Lesson(RESULT, _("Enter a result"), _("Tap who has won, then “Yes, enter it”.")),
    Lesson(UNDO, _("Take it back"), _("“Undo” is at the foot of the table’s page.")),
    Lesson(CARDS_WRITTEN, _("Write some cards"), _("“Write the cards”, then tap what happens.")),
    Lesson(REFUSAL, _("See a refusal"), _("A card that doesn’t fit: the page says which rule forbids it.")),
    Lesson(
        CORRECTION,
        _("Correct something further back"),
        _("“More”, “All that was entered”, “This is wrong”."),
    ),
    Lesson(BELL, _("End a game with the bell"), _("“Bell, forfeit”, then “Count the cards”.")),
)


class PracticeGuide:
    """The lessons with their ticks."""

    def __init__(self, done: Collection[str]) -> None:
        self.lessons = [(lesson, lesson.key in done) for lesson in LESSONS]
        self.done = sum(is_done for _, is_done in self.lessons)
        self.total = len(self.lessons)

    @property
    def next(self) -> Lesson | None:
        """The first that wasn't tried; None once all were."""
        return next((lesson for lesson, is_done in self.lessons if not is_done), None)


def step_of(event: Event) -> str | None:
    """The lesson that entering this event is; None for none."""
    if isinstance(event, CardsPlayed):
        return CARDS_WRITTEN
    if isinstance(event, GameClosed):
        return BELL if event.reason == "time" else RESULT
    return None


def misfit(state: State) -> CardsPlayed | None:
    """A card that may not be played now, to see what a refusal looks like; None where nobody is to play."""
    if state.phase != PLAY or state.turn is None:
        return None
    tries = (CardsPlayed(state.turn, (card,)) for card in CARDS if card not in WILDS)
    return next((event for event in tries if refusal_of(state, event) is not None), None)
