"""Public pages of a match whose game ranks its sides."""

import pytest
from django.test import Client

from people.actors import Actor
from tests.factories import games_of
from tests.publishing.reading import read
from tests.tournaments.rounds.support import published
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> MatchGame:
    tournament = published(4, 1, format="tables", ruleset="palio")
    tournament.event.is_published = True
    tournament.event.save()
    game = games_of(tournament)[0]
    results.enter_result(game, Actor.command(), places={0: 4, 1: 1, 2: 2, 3: 2})
    return game


def base(game: MatchGame) -> str:
    tournament = game.match.stage.tournament
    return f"/en/{tournament.event.slug}/{tournament.slug}/"


def test_the_page_of_a_match_shows_who_came_where(client: Client, game: MatchGame) -> None:
    page = read(client.get(f"{base(game)}matches/{game.match_id}/"))

    sides = [each.text for each in page.one("ul.three").all("li")]
    by_side = dict(zip(game.sides, ("4th", "1st", "2nd", "2nd"), strict=True))
    assert [f"{by_side[number]} place" in text for number, text in enumerate(sides)] == [True] * 4
    winner = next(each for each in page.one("ul.three").all("li") if "1st place" in each.text)
    assert winner.attributes.get("class") == "is-winner"


def test_the_page_of_a_game_shows_them_in_order(client: Client, game: MatchGame) -> None:
    page = read(client.get(f"{base(game)}games/{game.game_id}/"))

    assert [each.text.split()[0] for each in page.one("ol.came-in").all("li")] == ["1", "2", "2", "4"]
    assert "Nobody wins" not in page.text
