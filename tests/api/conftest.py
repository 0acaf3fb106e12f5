"""A festival with its people, a client for each role, and every answer compared with the description."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from integrations.models import Webhook
from integrations.webhooks import registration
from people.actors import Actor
from people.announcements import announce
from people.models import Account, Announcement, Entry, Event, Pairing, Referee, Team
from tests.api.described import faults_of_answer
from tests.support import factories
from tests.support.worlds import remembered
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


def client_of_token(account: Account, scope: str = "manage", **fields: Any) -> APIClient:
    """A program that acts for an account."""
    client = APIClient()
    _token, secret = factories.make_token(account, scope, **fields)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def client_of_phone(event: Event, *, admitted: bool = True) -> APIClient:
    """A referee's phone."""
    client = APIClient()
    _pairing, secret = factories.make_pairing(event, admitted=admitted)
    client.credentials(HTTP_AUTHORIZATION=f"Pairing {secret}")
    return client


@pytest.fixture(autouse=True)
def answers_are_as_described() -> Iterator[None]:
    """Compare every answer of the API with its description, whatever a test asks for."""
    request_of_client = APIClient.request

    def request(self: APIClient, **sent: Any) -> Any:
        answer: Any = request_of_client(self, **sent)
        found = faults_of_answer(sent["REQUEST_METHOD"], sent["PATH_INFO"], answer)
        assert found == [], f"{sent['REQUEST_METHOD']} {sent['PATH_INFO']}: {answer.status_code} {found}"
        return answer

    with mock.patch.object(APIClient, "request", request):
        yield


@pytest.fixture
def festival(db: None) -> Festival:
    """A published festival."""
    return remembered(make_festival)


@pytest.fixture
def public() -> APIClient:
    """Somebody of whom nothing is known."""
    return APIClient()


@pytest.fixture
def organizer(festival: Festival) -> APIClient:
    """A program of the festival's organizer, with a token for writing."""
    return client_of_token(festival.organizer)


@pytest.fixture
def phone(festival: Festival) -> APIClient:
    """An admitted phone of the festival."""
    return client_of_phone(festival.event)
