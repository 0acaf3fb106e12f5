"""The shared clock at a table: what is left, and after the bell the way to the count stands first."""

from datetime import timedelta

import pytest
from django.test import Client

from people.actors import Actor
from tests.support import factories
from tests.support.computed_tournaments import enter
from tests.support.phones import Page, address, phone, read, table_of
from tournaments.commands import clock as actions
from tournaments.models import Clock, MatchGame, Tournament

pytestmark = pytest.mark.django_db

COMMAND = Actor.command()


@pytest.fixture
def games() -> list[MatchGame]:
    """Two rounds on one table, three games each."""
    return factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1, rounds=2))


def at_table(client: Client, game: MatchGame, language: str = "/en") -> Page:
    return read(client, f"{language}/t/{table_of(game).code}/")


def tournament_of(game: MatchGame) -> Tournament:
    return game.match.stage.tournament


def taps(page: Page) -> list[str]:
    """Where the page leads at this table, in its order."""
    return [link for link in page.links if "/games/" in link and page.links.count(link) >= 1][3:]


def test_table_page_without_a_clock_shows_no_bell(games: list[MatchGame]) -> None:
    page = at_table(phone(table_of(games[0]).event), games[0])
    assert "data-clock" in page.html
    assert "bell" not in page.text.casefold().replace("the bell", "", 1)
    assert taps(page) == [address(games[0], "", "/en")]


@pytest.mark.usefixtures("stopped_clock")
def test_clock_shows_the_time_left_on_every_page_of_a_game(games: list[MatchGame]) -> None:
    client = phone(table_of(games[0]).event)
    actions.start_clock(tournament_of(games[0]), COMMAND, seconds=600)
    Clock.objects.update(started_at=Clock.objects.get().started_at - timedelta(seconds=59))  # type: ignore[operator]  # it was started
    actions.pause_clock(tournament_of(games[0]), COMMAND)

    for path in ("", "end/", "bell/", "cards/"):
        assert "9:01" in read(client, address(games[0], path, "/en")).text
    assert "9:01" in at_table(client, games[0]).text


def test_bell_that_has_rung_puts_the_count_first(games: list[MatchGame]) -> None:
    game = games[0]
    client = phone(table_of(game).event)
    actions.start_clock(tournament_of(game), COMMAND)
    assert taps(at_table(client, game)) == [address(game, "", "/en")]
    actions.ring_bell(tournament_of(game), COMMAND)
    page = at_table(client, game)
    assert "The bell has rung: count game 1" in page.text
    assert taps(page) == [address(game, "bell/", "/en"), address(game, "", "/en")]
    assert "The bell has rung: count the cards" in read(client, address(game, "", "/en")).text
    assert "La campana è suonata: conta la partita 1" in at_table(client, game, "").text


def test_bell_that_was_counted_is_not_asked_of_the_next_game(games: list[MatchGame]) -> None:
    client = phone(table_of(games[0]).event)
    actions.start_clock(tournament_of(games[0]), COMMAND)
    actions.ring_bell(tournament_of(games[0]), COMMAND)
    enter(games[0], None, "time")
    page = at_table(client, games[0])

    assert "Enter game 2" in page.text
    assert "count game" not in page.text


def test_bell_of_an_earlier_round_is_not_for_a_table_that_is_ahead(games: list[MatchGame]) -> None:
    client = phone(table_of(games[0]).event)
    for game in games[:3]:
        enter(game, None, "time")
    actions.start_clock(tournament_of(games[0]), COMMAND, round=1, wave=1)
    actions.ring_bell(tournament_of(games[0]), COMMAND)
    assert "Enter game 1" in at_table(client, games[3]).text
    actions.start_clock(tournament_of(games[0]), COMMAND, round=2, wave=1)
    actions.ring_bell(tournament_of(games[0]), COMMAND)
    assert "The bell has rung: count game 1" in at_table(client, games[3]).text
