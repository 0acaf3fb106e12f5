"""A festival with one row of everything that a program can ask for."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from integrations.models import Webhook
from integrations.webhooks import registration
from people.actors import Actor
from people.announcements import announce
from people.models import Account, Announcement, Entry, Event, Pairing, Referee, Team
from tests.support import factories
from tournaments.models import Match, MatchGame, Squad, Table, Tournament


@dataclass
class Festival:
    """One published event with a drawn and published tournament, and one row of everything."""

    event: Event
    organizer: Account
    teams: list[Team]
    entry: Entry
    referee: Referee
    pairing: Pairing
    tournament: Tournament
    match: Match
    games: list[MatchGame]
    table: Table
    squad: Squad
    announcement: Announcement
    webhook: Webhook

    @property
    def game(self) -> MatchGame:
        """The first game that is played."""
        return self.games[0]


def make_festival(**event: Any) -> Festival:
    """A festival of three teams with two entries each."""
    organizer = factories.make_account()
    made = factories.make_event(organizer, **event)
    teams = factories.make_field(made)
    tournament = factories.drawn_tournament(made)
    referee = factories.make_referee(made)
    pairing, _secret = factories.make_pairing(made, referee)
    return Festival(
        event=made,
        organizer=organizer,
        teams=teams,
        entry=teams[0].entries.get(number=1),
        referee=referee,
        pairing=pairing,
        tournament=tournament,
        match=factories.matches_of(tournament)[0],
        games=factories.games_of(tournament),
        table=made.tables.get(number=1),
        announcement=announce(made, Actor.command(), {"it": "Ciao"}, timezone.now() + timedelta(hours=1)),
        webhook=registration.register(made, Actor.command(), "https://example.org/", ["result.entered"])[0],
        squad=tournament.stages.get().squads.order_by("pk")[0],
    )
