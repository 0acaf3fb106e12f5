"""A palio with its organizer, and the organizer's browser."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.test import Client
from django.utils import translation

from people.models import Account, Event, Team
from tests.support import factories
from tests.support.worlds import remembered
from tournaments.models import MatchGame, Tournament


@dataclass
class Palio:
    """A published event with three teams, its tournament drawn and published, two entries a team."""

    organizer: Account
    event: Event
    teams: list[Team]
    tournament: Tournament

    @property
    def games(self) -> list[MatchGame]:
        """The games in the order of play, as they are now."""
        return factories.games_of(self.tournament)


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Pages are read in English: their addresses too."""
    with translation.override("en"):
        yield


@pytest.fixture
def palio(db: None) -> Palio:
    """A palio that can be played."""
    return remembered(make_palio)


def make_palio() -> Palio:
    """Three teams of two entries, drawn and published."""
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    teams = factories.make_field(event)
    return Palio(organizer, event, teams, factories.drawn_tournament(event))


@pytest.fixture
def desk(palio: Palio) -> Client:
    """The browser of the palio's organizer."""
    return browser_of(palio.organizer)


def browser_of(account: Account) -> Client:
    """A browser in which this account is signed in."""
    client = Client()
    client.force_login(account)
    return client
