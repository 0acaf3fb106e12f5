"""A game's log made ready to be read: a step for each event, with its sentence and the table after it.

The replay pauses where the game turned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import Event, State, parse_event
from games.engine.cards import WILDS
from games.engine.events import CardsPlayed, ChallengeMade, EventVoided, GameClosed, GameOpened, UnoCaught
from games.engine.telling import Names, Part, Teller
from people.models import Team
from rendering.components.component_inputs import ShownSeat
from rendering.text.active_language import reader_language


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One event: its number from 1, how it is told, whether the game turned here, and whether a later
    correction took it out.
    """

    number: int
    told: tuple[Part, ...]
    is_turning: bool
    is_voided: bool

    def __str__(self) -> str:
        return "".join(part.text for part in self.told)


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game; `moments[n]` is the table after n events."""

    steps: tuple[ReplayStep, ...]
    moments: tuple[State, ...]
    names: tuple[str, ...]
    teams: tuple[Team | None, ...]
    is_lost: bool = False
    """Whether the engine can't follow the game to its end: from there on the table stays as it was."""

    def seats(self, number: int) -> list[ShownSeat]:
        """The seats after so many events: cards counted once they are dealt, `out` who left the table."""
        moment = self.moments[number]
        return [
            ShownSeat(
                name,
                team,
                moment.hands[seat] if moment.deal else None,
                out=seat in moment.left,
            )
            for seat, (name, team) in enumerate(zip(self.names, self.teams, strict=True))
            if moment.hands
        ]

    def named_color(self, number: int) -> str | None:
        """The colour that was named with the wild on top."""
        moment = self.moments[number]
        return moment.color if moment.top in WILDS else None


def is_by_result(events: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a log tells nothing but how the game ended: it was opened and closed, corrections aside."""
    return all(event["type"] in _TOLD_BY_RESULT for event in events)


_TOLD_BY_RESULT = frozenset((GameOpened.type, GameClosed.type, EventVoided.type))


def replay(log: Sequence[Mapping[str, Any]], names: Mapping[str, str], teams: Mapping[str, Team]) -> Replay:
    """The game that a stored log tells.

    `names` are the shown names by entry id, `teams` the teams by id, both ids as text.
    """
    events = [parse_event(event) for event in log]
    opening = events[0] if events else None
    seats = opening.seats if isinstance(opening, GameOpened) else ()
    shown_names = tuple(names[seat.name] for seat in seats)
    voided = {event.line: event.reason for event in events if isinstance(event, EventVoided)}
    # Why somebody corrected something isn't for everybody.
    hidden = dict.fromkeys(voided.values(), "")
    shown = Names(shown_names, {key: team.name for key, team in teams.items()}, hidden)
    teller = Teller(reader_language(), shown)
    moments = [teller.moment]
    steps = []
    for number, event in enumerate(events, start=1):
        told = teller.add(event).parts
        turning = is_turning(event, moments[-1], teller.moment)
        steps.append(ReplayStep(number, told, turning, number in voided))
        moments.append(teller.moment)
    return Replay(
        tuple(steps),
        tuple(moments),
        shown_names,
        tuple(teams.get(seat.team or "") for seat in seats),
        teller.is_lost,
    )


MANY_CARDS = 4
"""Who has to draw so many at once stands at a turning point."""


def is_turning(event: Event, before: State, after: State) -> bool:
    """Whether it is a last card, somebody out, a challenge, many cards, or an end."""
    if isinstance(event, ChallengeMade | UnoCaught | GameClosed):
        return True
    if after.over != before.over or len(after.deal_scores) != len(before.deal_scores):
        return not isinstance(event, EventVoided)
    if isinstance(event, CardsPlayed):
        return after.hands[event.seat] <= 1 or after.owed >= MANY_CARDS
    return False
