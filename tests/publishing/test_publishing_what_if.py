"""Standings under assumed results are those that do follow, and nothing is stored."""

from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ledger.models import Fact
from people.actors import Actor
from tests.support.computed_tournaments import address, palio, play, sides_of, win
from tests.support.factories import drawn_tournament, games_of, make_event
from tests.support.forms import open_page
from tests.support.page_reading import Element, read, rows
from tournaments.commands.close import close_tournament
from tournaments.models import StandingsVersion, Tournament

pytestmark = pytest.mark.django_db


def ask(client: Client, tournament: Tournament, chosen: dict[Any, Any], status: int = 200) -> Element:
    return open_page(client, f"{address(tournament, 'open/what-if/')}?{urlencode(chosen)}", status)


def places(page: Element) -> list[tuple[str, str, str]]:
    return [row[:3] for row in rows(page)]


def test_what_if_standings_are_those_that_follow(client: Client) -> None:
    tournament = palio()
    games = games_of(tournament)
    winners = {game.game_id: max(sides_of(game), key=lambda team: team.number) for game in games}
    facts, versions = Fact.objects.count(), StandingsVersion.objects.count()
    answer = ask(client, tournament, {game: team.pk for game, team in winners.items()})
    assert (Fact.objects.count(), StandingsVersion.objects.count()) == (facts, versions)
    assert "A game of thought: nothing here is a result" in answer.one(".notice").text
    assert [each.text for each in answer.all("h2")] == ["The standings that would follow"]
    for game in games:
        win(game, winners[game.game_id])
    assert places(answer) == places(read(client.get(address(tournament))))
    assert [row[:2] for row in places(answer)] == [("1", "Inferiore"), ("2", "Centro"), ("3", "Superiore")]


def test_what_if_without_a_choice_shows_the_current_standings(client: Client) -> None:
    tournament = palio()
    win(games_of(tournament)[0], sides_of(games_of(tournament)[0])[1])
    page = ask(client, tournament, {})

    assert [each.text for each in page.all("h2")] == ["The standings as they are"]
    assert places(page) == places(read(client.get(address(tournament))))
    assert [len(select.all("option")) for select in page.all("select")] == [3, 3]


def test_what_if_asks_only_about_the_next_games(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for teams in (3, 8):
        tournament = drawn_tournament(make_event(), teams=teams, entries=2, tables=8)
        there = address(tournament, "open/what-if/")
        with django_assert_num_queries(5):
            page = read(client.get(there))
        names = [select.attributes["name"] for select in page.all("select")]
        assert names == [str(game.game_id) for game in games_of(tournament)[:6]]


def test_what_if_winner_who_does_not_play_is_a_bad_request(client: Client) -> None:
    tournament = palio()
    game = games_of(tournament)[0]
    [other] = set(tournament.event.teams.all()) - set(sides_of(game))
    for wrong in (other.pk, uuid4(), "x", "\x00"):
        shown = ask(client, tournament, {game.game_id: wrong}, 400)
        assert shown.one("h1").text == "That team doesn’t play in this game"


def test_what_if_ignores_a_game_that_was_played_since(client: Client) -> None:
    tournament = palio()
    game = games_of(tournament)[0]
    left, right = sides_of(game)
    win(game, left)

    assert places(ask(client, tournament, {game.game_id: right.pk, "x": "y"})) == places(
        read(client.get(address(tournament)))
    )


def test_what_if_is_empty_before_the_draw_and_after_the_end(client: Client) -> None:
    hidden = drawn_tournament(make_event(), entries=1, published=False)
    assert ask(client, hidden, {}).has(".empty")
    tournament = palio()
    play(tournament, ("Superiore", "Centro", "Inferiore"))
    assert ask(client, tournament, {}).has(".empty")
    close_tournament(tournament, Actor.command())
    assert ask(client, tournament, {}).has(".empty")


def test_what_if_is_written_in_italian(client: Client) -> None:
    page = read(client.get(address(palio(), "open/what-if/", "")))
    assert page.one("h1").text == "E se le prossime partite finissero così?"
    assert page.one(".notice").text.startswith("Un gioco di pensiero: qui niente è un risultato")
