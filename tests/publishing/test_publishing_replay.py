"""A game replayed on its page, step by step."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.engine import parse_log
from people.actors import Actor
from tests.support.computed_tournaments import address, palio, sides_of, win
from tests.support.factories import games_of
from tests.support.forms import open_page
from tests.support.notation_reading import read_notation
from tests.support.page_reading import Element
from tests.support.recorded_game import STORY, TURNING, table_log
from tournaments.commands import results
from tournaments.models import MatchGame
from tournaments.projections import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> MatchGame:
    """Superiore 1 against Centro 1, written down card by card."""
    tournament = palio()
    first = games_of(tournament)[0]
    written = results.write_log(first, Actor.command(), [(None, event) for event in table_log()])
    assert written.refusal is None
    standings.compute(tournament.pk)
    return first


def path(game: MatchGame, query: str = "", language: str = "/en") -> str:
    return address(game.match.stage.tournament, f"games/{game.game_id}/", language) + query


def page(client: Client, game: MatchGame, query: str = "") -> Element:
    return open_page(client, path(game, query))


def told(shown: Element) -> str:
    return shown.one(".replay-say").text


def links(shown: Element) -> dict[str, str]:
    """Where the buttons lead, by what they do; those that can't be pressed are left out."""
    buttons = shown.one(".replay-steps").all(".button")
    return {
        button.attributes["data-go"]: button.attributes["href"] for button in buttons if button.tag == "a"
    }


def expected(line: int) -> str:
    return STORY[line - 1].format("Superiore 1", "Centro 1", "Superiore", "Centro")


def test_replay_lists_all_steps_and_turning_points(client: Client, game: MatchGame) -> None:
    lines = page(client, game).one(".steps-list").all("li")
    assert [line.seen for line in lines] == [expected(line) for line in range(1, len(STORY) + 1)]
    assert [line.one("a").attributes["href"] for line in lines] == [
        f"?step={n}" for n in range(1, len(STORY) + 1)
    ]
    # A turning point that was corrected away is none.
    turning = [number for number, line in enumerate(lines, start=1) if "is-turning" in line.classes]
    assert turning == [number for number in TURNING if number != 20]
    assert [number for number, line in enumerate(lines, start=1) if line.has("s")] == [20]


def test_replay_step_shows_the_table_after_it(client: Client, game: MatchGame) -> None:
    shown = page(client, game, "?step=8")
    assert told(shown) == expected(8)
    assert shown.one(".table-view").all("title")[0].text == (
        "Table seen from above: Superiore 1, Centro 1. To play: Superiore 1. Going clockwise. "
        "On the pile: Red Draw Two."
    )
    assert shown.one(".replay-counts").text == "93 cards to draw · 3 discards"
    here = [line for line in shown.one(".steps-list").all("li") if "aria-current" in line.attributes]
    assert [line.text for line in here] == [expected(8)]


def test_replay_shows_a_wild_with_the_colour_that_was_named(client: Client, game: MatchGame) -> None:
    label = page(client, game, "?step=10").one(".table-view").all("title")[0].text
    assert label.endswith("On the pile: Wild (green).")


def test_replay_links_to_first_previous_next_last_and_turning_points(client: Client, game: MatchGame) -> None:
    last = len(STORY)
    assert links(page(client, game, "?step=8")) == {
        "first": "?step=0",
        "previous": "?step=7",
        "next": "?step=9",
        "last": f"?step={last}",
    }
    start = page(client, game, "?step=0")
    assert (told(start), links(start)) == (
        "Before the first card.",
        {"next": "?step=1", "last": f"?step={last}"},
    )
    end = page(client, game)
    assert (told(end), links(end)) == (expected(last), {"first": "?step=0", "previous": f"?step={last - 1}"})
    turning = [a.attributes["href"] for a in page(client, game, "?step=15").one(".replay-turning").all("a")]
    assert turning == ["?step=16"]


@pytest.mark.parametrize("step", ["23", "-1", "x", "", "1e3", "²", "99999999999"])
def test_replay_step_that_does_not_exist_is_not_found(client: Client, game: MatchGame, step: str) -> None:
    assert client.get(path(game, f"?step={step}")).status_code == 404


def test_game_page_without_a_log_shows_the_result_alone(client: Client) -> None:
    only = games_of(palio())[0]
    win(only, sides_of(only)[1])
    shown = page(client, only)

    assert not shown.has(".replay")
    assert [line.text for line in shown.one(".result-only").all("p")] == [
        "Centro 1",
        "Centro won the game.",
        "The referee wrote down the result alone, so there are no cards to look at.",
    ]


def test_game_page_of_a_game_that_was_not_begun_says_so(client: Client) -> None:
    shown = page(client, games_of(palio())[0])
    assert [line.text for line in shown.one(".result-only").all("p")] == ["Not played yet"]


def test_replay_costs_the_same_however_long_the_game(
    client: Client, game: MatchGame, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    short = games_of(game.match.stage.tournament)[1]
    results.write_log(short, Actor.command(), [(None, event) for event in table_log()[:5]])
    for each in (game, short):
        replay = path(each)
        with django_assert_num_queries(9):
            client.get(replay)


def test_game_log_is_downloaded_as_text_and_as_json_lines(client: Client, game: MatchGame) -> None:
    files = page(client, game).one(".log-files").all("a")
    answers = [client.get(link.attributes["href"]) for link in files]
    assert [answer.status_code for answer in answers] == [200, 200]
    text, lines = (answer.content.decode() for answer in answers)
    assert read_notation(text) == parse_log(lines)
    assert len(parse_log(lines)) == len(STORY)
