"""What is still open, for programs: as the standings are public, with everything that a page says."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from people.actors import Actor
from tests.support import factories
from tests.support.festival import Festival
from tests.support.rounds_play import published
from tournaments.commands import results
from tournaments.models import Outlook, Tournament
from tournaments.projections import standings
from tournaments.tasks import compute_outlooks
from tournaments.verification.verify import verify

pytestmark = pytest.mark.django_db


def address(tournament: Tournament) -> str:
    return f"/api/v1/tournaments/{tournament.pk}/outlook/"


def test_outlook_not_computed_is_not_found(festival: Festival, public: APIClient) -> None:
    answer = public.get(address(festival.tournament))
    assert (answer.status_code, answer.json()["code"]) == (404, "no-outlook")


def test_outlook_tells_the_public_the_places_of_every_team(festival: Festival, public: APIClient) -> None:
    version = standings.compute(festival.tournament.pk)
    assert version is not None
    compute_outlooks()
    answer = public.get(address(festival.tournament)).json()
    assert answer == {
        "tournament": str(festival.tournament.pk),
        "version": 1,
        "computed_at": answer["computed_at"],
        "is_newest": True,
        "open_games": len(festival.games),
        "can_be_told": True,
        "method": "exact",
        "samples": 0,
        "seed": "",
        "overtaken": 0,
        "first_is_decided": False,
        "is_settled": False,
        "teams": [
            {
                "team": str(team.pk),
                "team_name": team.name,
                "squad": None,
                "places": [1, 2, 3],
                "undecided": [],
                "seen": [],
                "is_settled": False,
            }
            for team in festival.teams
        ],
    }
    results.enter_result(festival.game, Actor.command(), seat=0)
    standings.compute(festival.tournament.pk)
    behind = public.get(address(festival.tournament)).json()
    assert (behind["version"], behind["is_newest"]) == (1, False)


def test_outlook_is_not_told_while_rounds_are_to_be_drawn(festival: Festival, public: APIClient) -> None:
    Outlook.objects.create(tournament=festival.tournament, number=1, open_games=3, teams=[])
    standings.compute(festival.tournament.pk)
    answer = public.get(address(festival.tournament)).json()
    assert (answer["can_be_told"], answer["method"], answer["teams"]) == (False, None, [])


def test_outlook_of_an_earlier_release_counts_the_games_of_its_standings(public: APIClient) -> None:
    """Up to then the row had one game where nothing but a later round or stage was to come."""
    tournament = published(4, 1, format="swiss", options={"rounds": 2}, draws_itself=False)
    for game in factories.games_of(tournament):
        results.enter_result(game, Actor.command(), seat=0)
    standings.compute(tournament.pk)
    compute_outlooks()
    assert Outlook.objects.get().open_games == 1

    answer = public.get(address(tournament)).json()

    assert (answer["open_games"], answer["is_settled"]) == (0, False)
    assert list(verify(tournament.event)) == []


def test_outlook_costs_the_same_for_many_teams() -> None:
    costs = []
    for teams in (3, 8):
        tournament = factories.drawn_tournament(factories.make_event(), teams=teams, entries=1, tables=8)
        standings.compute(tournament.pk)
        compute_outlooks()
        with CaptureQueriesContext(connection) as captured:
            answer = APIClient().get(address(tournament))
        assert len(answer.json()["teams"]) == teams
        costs.append(len(captured))
    assert costs == [4, 4]
