"""Public pages of a match whose game ranks its sides."""

import pytest
from django.test import Client

from people.actors import Actor
from tests.support.factories import games_of
from tests.support.page_reading import read
from tests.support.rounds_play import published
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


def test_match_page_shows_places_and_points_of_its_sides(client: Client, game: MatchGame) -> None:
    page = read(client.get(f"{base(game)}matches/{game.match_id}/"))

    sides = [each.text for each in page.one("ul.three").all("li")]
    expected = (
        "1st place · 4 points",
        "2nd place · 1½ points",
        "2nd place · 1½ points",
        "4th place · 0 points",
    )
    assert [text.endswith(told) for text, told in zip(sides, expected, strict=True)] == [True] * 4
    winner = next(each for each in page.one("ul.three").all("li") if "1st place" in each.text)
    assert winner.attributes.get("class") == "is-winner"


def test_game_page_lists_sides_by_place(client: Client, game: MatchGame) -> None:
    page = read(client.get(f"{base(game)}games/{game.game_id}/"))

    told = [each.one(".score").text for each in page.one("ol.came-in").all("li")]
    assert [each.split()[0] for each in told] == ["1st", "2nd", "2nd", "4th"]
    assert "Nobody wins" not in page.text
