"""The overview, the board and the standings count the games that are over in the same way."""

import re
from typing import Any

import pytest
from django.test import Client

from people.actors import Actor
from people.models import Event
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, open_page
from tests.support.rounds_play import play_out, squad_named
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.confirm import confirm_what_is_there
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import create_tournament
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import Tournament
from tournaments.projections import standings
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


@pytest.fixture
def event() -> Event:
    found = factories.make_event(factories.make_account())
    factories.make_field(found, 4, 2)
    return found


@pytest.fixture
def desk(event: Event) -> Client:
    return browser_of(event.organizers.get().account)


def drawn(event: Event, name: str, **settings: Any) -> Tournament:
    made = create_tournament(event, ACTOR, name, settings)
    make_draw(made, ACTOR, factories.SEED)
    publish_draw(made, ACTOR)
    compute_standings(str(made.pk))
    made.refresh_from_db()
    return made


def on_overview(client: Client, event: Event) -> str:
    """What the step of playing says."""
    steps = open_page(client, address("event", event.slug)).one("ol.way").all("li")
    return next(step.one("p").text for step in steps if step.one("h2").text == "Play")


def on_board(client: Client, event: Event) -> str:
    """The board's figure of games."""
    return open_page(client, address("board", event.slug)).one("ul.figures").all("li")[-1].text


def in_standings(event: Event) -> tuple[int, int]:
    """Over and all, added up over the tournaments' newest standings."""
    versions = [standings.current(each) for each in event.tournaments.all()]
    return sum(each.games_played for each in versions), sum(each.games_total for each in versions)


def test_games_over_include_closed_tournaments_and_earlier_stages(event: Event, desk: Client) -> None:
    later = [
        {
            "format": "single_elimination",
            "match": {"length": "best_of", "games": 3},
            "qualification": {"first_of_each_group": 2},
        }
    ]
    cup = drawn(event, "Coppa", format="round_robin", later=later)
    swiss = drawn(event, "Svizzera", format="swiss", options={"rounds": 2})
    mini = drawn(event, "Palio")
    play_out(swiss, "Ada")
    close_tournament(swiss, ACTOR)
    play_out(cup, "Ada")
    results.enter_result(factories.games_of(mini)[0], ACTOR, seat=0)

    over, games = in_standings(event)

    assert over > 20
    assert on_overview(desk, event) == f"{over} of {games} games are over."
    assert re.sub(r"\s", "", on_board(desk, event)) == f"{over}/{games}gamesover"


def test_games_of_a_match_that_can_end_early_are_counted_as_at_most(event: Event, desk: Client) -> None:
    best_of_three = {"length": "best_of", "games": 3}
    cup = drawn(event, "Coppa", format="round_robin", match=best_of_three)
    game = factories.games_of(cup)[0]
    results.enter_result(game, ACTOR, seat=game.sides.index(0))

    over, games = in_standings(event)

    assert (over, games) == (1, 84)
    assert on_overview(desk, event) == "1 of at most 84 games is over."
    assert on_board(desk, event) == "1 game over, of at most 84"
    standings_page = open_page(desk, address("standings", event.slug, cup.slug)).text
    assert "1 of at most 84 games." in standings_page
    assert "At most 83 games are still to be played, or entered as forfeit or abandoned" in standings_page


@pytest.mark.parametrize("settings", [{}, {"format": "round_robin"}], ids=["mini", "round robin"])
def test_annulled_games_are_not_counted_as_over(event: Event, desk: Client, settings: dict[str, Any]) -> None:
    tournament = drawn(event, "Torneo", **settings)
    results.enter_result(factories.games_of(tournament)[0], ACTOR, seat=0)
    remove_squad(tournament, ACTOR, squad_named(tournament, (1, 1)), "withdrawn", "annulled")

    over, games = in_standings(event)

    assert games < len(factories.games_of(tournament))
    assert on_overview(desk, event).startswith(f"{over} of {games} ")
    assert on_board(desk, event).startswith(f"{over}/{games}")


@pytest.mark.parametrize("settings", [{}, {"format": "round_robin"}], ids=["mini", "round robin"])
def test_result_to_be_confirmed_is_told_beside_those_that_count(
    event: Event, desk: Client, settings: dict[str, Any]
) -> None:
    tournament = drawn(event, "Torneo", confirmation="organizer", **settings)
    results.enter_result(factories.games_of(tournament)[0], ACTOR, seat=0)

    over, games = in_standings(event)

    assert over == 0
    assert on_overview(desk, event) == f"0 of {games} games are over. 1 waits to be confirmed."
    assert on_board(desk, event) == f"0/{games} games over 1 waits to be confirmed"
    page = open_page(desk, address("standings", event.slug, tournament.slug))
    assert f"0 of {games} games. 1 waits to be confirmed." in page.text


def test_table_is_all_over_once_its_results_count(event: Event, desk: Client) -> None:
    unconfirmed = drawn(event, "Torneo", rounds=1, tables=1, confirmation="organizer")
    for game in factories.games_of(unconfirmed):
        results.enter_result(game, ACTOR, seat=0)

    def now() -> list[str]:
        page = open_page(desk, address("board", event.slug))
        return [each.all(".chip")[-1].text for each in page.one("ul.tables-now").all("li")]

    assert now() == ["to be confirmed"]
    confirm_what_is_there(unconfirmed, ACTOR)
    assert now() == ["all over"]
