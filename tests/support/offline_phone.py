"""A referee's phone in a browser that has what it takes to go on without a network."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page
from pytest_django.live_server_helper import LiveServer

from tests.support.hurried_pages import SENT_AGAIN, hurried
from tests.support.phones import PHONE, pair
from tournaments.models import MatchGame

# A kit and the page that others are drawn on are on the phone.
KEPT = "html[data-kept]"

Opens = Callable[..., Page]


def opens(open_page: Opens, live_server: LiveServer, game: MatchGame) -> Opens:
    """What opens a page of the game's table on a paired phone, and waits until its kit is there:
    `opens(…)("games/<id>/", service_workers="block")`.
    """

    def opened(path: str = "", **options: Any) -> Page:
        page = open_page(viewport=PHONE, has_touch=True, **options)
        hurried(page.context, 10, SENT_AGAIN)
        pair(page.context, game, live_server.url)
        page.goto(f"{live_server.url}/en/t/{game.match.table.code}/{path}")
        page.locator(KEPT).wait_for()
        return page

    return opened


def line(page: Page) -> Locator:
    """How the entries of this phone stand."""
    return page.locator("#line")


def enter(page: Page, number: int, team: str) -> None:
    """The result of a game of the match that is shown, in two taps; it is tapped once this returns."""
    page.locator(".game-list a").nth(number - 1).click()
    page.locator(".tap.winner", has_text=team).click()
    page.get_by_role("button", name="Yes, enter it").click()
