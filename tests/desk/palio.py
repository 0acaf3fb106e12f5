"""A palio with its organizer."""

from dataclasses import dataclass
from typing import Any

from people.models import Account, Event, Team
from tests.support import factories
from tournaments.models import MatchGame, Tournament


@dataclass
class Palio:
    """A published event with its organizer and teams, and its tournament, drawn and published."""

    organizer: Account
    event: Event
    teams: list[Team]
    tournament: Tournament

    @property
    def games(self) -> list[MatchGame]:
        """The games in the order of play, as they are now."""
        return factories.games_of(self.tournament)


def make_palio(entries: int = 2, **settings: Any) -> Palio:
    """Three teams with so many entries each."""
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    teams = factories.make_field(event, entries=entries)
    return Palio(organizer, event, teams, factories.drawn_tournament(event, **settings))
