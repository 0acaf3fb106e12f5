"""The desk in a browser: the board that keeps itself fresh, and a result by keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from people.actors import Actor
from tests import factories
from tests.desk.conftest import Palio
from tests.desk.forms import address
from tournaments import results

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def palio(transactional_db: None) -> Palio:
    """A palio that other connections see."""
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    teams = factories.make_field(event)
    return Palio(organizer, event, teams, factories.drawn_tournament(event))


@pytest.fixture
def at_desk(palio: Palio, live_server: LiveServer, open_page: Callable[..., Page]) -> Page:
    """A page in which the organizer has signed in."""
    page = open_page(locale="en-GB")
    page.goto(live_server.url + address("sign-in"))
    page.get_by_label("Name of the account").fill(palio.organizer.username)
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My events")).to_be_visible()
    return page


def test_the_board_shows_a_result_without_being_loaded_again(
    at_desk: Page, palio: Palio, live_server: LiveServer
) -> None:
    at_desk.goto(live_server.url + address("board", palio.event.slug))
    first = at_desk.locator("a.match").first
    expect(first).to_contain_text("waiting")
    first.focus()
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    expect(first).to_contain_text("playing")
    expect(first).to_be_focused()


def test_a_result_is_entered_by_keyboard(at_desk: Page, palio: Palio, live_server: LiveServer) -> None:
    game = palio.games[0]
    at_desk.goto(live_server.url + address("match", palio.event.slug, game.match_id))
    at_desk.locator("input[name=winner]").first.focus()
    at_desk.keyboard.press("Space")
    at_desk.keyboard.press("Enter")
    expect(at_desk.get_by_text("Game 1 is entered.")).to_be_visible()
    game.game.refresh_from_db()
    assert game.game.is_over
