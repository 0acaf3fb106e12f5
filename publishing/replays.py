"""A game's log made ready to be read: a step for each event, with its sentence and the table after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import parse_event
from games.engine.cards import WILDS
from games.engine.events import EventVoided, GameClosed, GameOpened
from people.models import Team
from publishing.moments import Moment, moments
from publishing.stories import Scene, Story, tell


@dataclass(frozen=True, slots=True)
class Step:
    """One event: its number from 1, its story, and whether a later correction took it out."""

    number: int
    story: Story
    is_voided: bool


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat of the drawn table."""

    name: str
    team: Team | None
    hand: int | None
    out: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game; `moments[n]` is the table after n events."""

    steps: tuple[Step, ...]
    moments: tuple[Moment, ...]
    names: tuple[str, ...]
    teams: tuple[Team | None, ...]

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
    seen = moments(events)
    opening = events[0] if events else None
    seats = opening.seats if isinstance(opening, GameOpened) else ()
    shown_names = tuple(names[seat.name] for seat in seats)
    voided = {event.line for event in events if isinstance(event, EventVoided)}
    team_names = {key: team.name for key, team in teams.items()}
    steps = tuple(
        Step(
            number,
            tell(Scene(event, seen[number - 1], seen[number], shown_names, team_names)),
            number in voided,
        )
        for number, event in enumerate(events, start=1)
    )
    return Replay(steps, tuple(seen), shown_names, tuple(teams.get(seat.team or "") for seat in seats))
