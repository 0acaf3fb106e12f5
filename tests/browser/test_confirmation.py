"""A result that needs a second person: entered on one phone, confirmed or disputed on another, settled at
the desk; each sees what the others do without loading anything.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from people.pairings import COOKIE
from tests.support import factories
from tests.support.clients import sign_in
from tests.support.hurried_pages import hurried
from tournaments.models import MatchGame
from tournaments.projections.standings import compute

pytestmark = pytest.mark.django_db(transaction=True)


def played(games: list[MatchGame]) -> int:
    """How many games the standings count."""
    version = compute(games[0].match.stage.tournament_id)
    assert version is not None
    return version.games_played


def enter(phone: Page, number: int) -> None:
    """Enter a result by two taps: the first of the two has won."""
    phone.get_by_role("link", name=f"Enter game {number}").click()
    phone.locator("a.winner").first.click()
    phone.get_by_role("button", name="Yes, enter it").click()
    phone.get_by_text(f"Entered last, game {number}").wait_for()


def test_result_is_confirmed_or_disputed_by_a_second_phone(
    open_page: Callable[..., Page], live_server: LiveServer
) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event, entries=1, confirmation="second_person")
    games = factories.games_of(tournament)
    phones = (open_page(viewport={"width": 360, "height": 640}, has_touch=True) for _ in range(2))
    first, second = map(hurried, phones)
    for phone in (first, second):
        secret = factories.make_pairing(event)[1]
        phone.context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])
        phone.goto(f"{live_server.url}/en/t/{games[0].match.table.code}/")
    desk = hurried(open_page(locale="en-GB"))
    board = f"/en/desk/events/{event.slug}/board/"
    sign_in(desk, live_server.url, organizer, board)
    expect(desk.locator(".figures")).to_contain_text("0/3")

    # Who entered it can't confirm it; the other phone, which was left alone, offers it by itself.
    enter(first, 1)
    expect(second.get_by_role("link", name="Confirm game 1")).to_be_visible()
    expect(first.get_by_role("link", name="Confirm game 1")).to_have_count(0)
    assert played(games) == 0
    second.get_by_role("link", name="Confirm game 1").click()
    second.get_by_role("button", name="Yes, confirm it").click()
    expect(second.get_by_role("link", name="Confirm game 1")).to_have_count(0)
    expect(first.locator(".game-list li").first).not_to_contain_text("to be confirmed")
    assert played(games) == 1

    enter(first, 2)
    second.get_by_role("link", name="Confirm game 2").click()
    second.get_by_role("link", name="It isn’t right").click()
    second.get_by_role("button", name="Somebody else has won").click()
    expect(first.locator(".game-list li").nth(1)).to_contain_text("disputed")
    settle = desk.get_by_role("link", name="Settle it")
    expect(desk.locator(".checks .is-disputed")).to_contain_text("Somebody else has won")
    assert played(games) == 1
    settle.click()
    desk.get_by_role("button", name="Keep the result").click()
    expect(desk.locator("#game-2")).to_contain_text("confirmed")
    for phone in (first, second):
        expect(phone.locator(".game-list li").nth(1)).not_to_contain_text("disputed")
    assert played(games) == 2
