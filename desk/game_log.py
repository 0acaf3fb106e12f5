"""A log's lines for the desk: what each says, and whether it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from games.engine import effective_log, parse_event
from games.engine.telling import Names, Part, Teller, Telling, say
from games.stored_log import event_of
from ledger import read
from people.display_names import NameBook
from people.models import Team
from rendering.text.active_language import reader_language
from tournaments.facts.reasons import LOG_REASONS
from tournaments.models import MatchGame


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log. `stands` is false for what was taken out and for corrections."""

    number: int
    event: Mapping[str, Any]
    telling: Telling
    recorded_at: datetime
    stands: bool
    can_change: bool


class LogSheet:
    """A game's stored log with names; three queries. Organizers see every card that is written down."""

    def __init__(self, game: MatchGame, book: NameBook, teams: Mapping[UUID, Team]) -> None:
        stored = read.facts(game.game_id)
        bodies = [event_of(fact.body) for fact in stored]
        events = [parse_event(body) for body in bodies]
        standing = {line for line, _event in effective_log(events)}
        self.teams = teams
        self.seats: dict[int, tuple[str, Team]] = {
            seat.number: (book[seat.entry], teams[seat.team]) for seat in game.game.seats.order_by("number")
        }
        self.names = Names(
            [name for name, _team in self.seats.values()],
            {str(key): team.name for key, team in teams.items()},
            {code: str(words) for code, words in LOG_REASONS.items()},
        )
        teller = Teller(reader_language(), self.names, is_open=True)
        self.lines = [
            LogEntry(
                number=number,
                event=body,
                telling=teller.add(event),
                recorded_at=fact.recorded_at,
                stands=number in standing,
                can_change=number in standing and number > 1,
            )
            for number, (body, event, fact) in enumerate(zip(bodies, events, stored, strict=True), start=1)
        ]

    def player(self, seat: int) -> str:
        """The name of who sits at a seat."""
        return self.seats[seat][0]

    def line(self, number: int) -> LogEntry | None:
        """A line by its number from 1; None if there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None

    def said(self, event: Mapping[str, Any]) -> tuple[Part, ...]:
        """The words of an event that isn't in the log yet; Refusal `malformed` if it can't be read."""
        return say(parse_event(event), reader_language(), self.names).parts
