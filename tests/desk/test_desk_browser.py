"""The desk in a browser: the board that keeps itself fresh, and a result by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from people.actors import Actor
from tests.desk.palio import Palio
from tests.support.forms import address
from tournaments.commands import results

pytestmark = pytest.mark.django_db(transaction=True)


def test_board_shows_a_result_without_being_loaded_again(
    at_desk: Page, palio: Palio, live_server: LiveServer
) -> None:
    at_desk.goto(live_server.url + address("board", palio.event.slug))
    first = at_desk.locator("table.board a.match").first
    expect(first).to_contain_text("next")
    first.focus()
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    expect(first).to_contain_text("playing")
    expect(first).to_be_focused()


def test_call_list_and_paper_slips_are_worked_by_keyboard_alone(
    at_desk: Page, palio: Palio, live_server: LiveServer
) -> None:
    """From the board to the call list and back, and a round of slips."""
    keys = at_desk.keyboard
    at_desk.goto(live_server.url + address("board", palio.event.slug))
    keys.press("g")
    keys.press("c")
    expect(at_desk.get_by_role("heading", name="Call list")).to_be_visible()
    first, second = at_desk.locator("#call-1"), at_desk.locator("#call-2")
    first.focus()
    keys.press("ArrowDown")
    expect(second).to_be_focused()
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(at_desk.locator("#table-1")).to_contain_text("called")
    expect(second).to_be_focused()
    at_desk.goto(live_server.url + address("paper-now", palio.event.slug, palio.tournament.slug))
    fields = at_desk.locator("input[data-answers]")
    expect(fields.nth(0)).to_be_focused()
    keys.type("a")
    # Who has won by that is named beside it.
    side = at_desk.locator(".slip-sides li > span").first
    expect(at_desk.locator(".slip-note").first).to_have_text(side.inner_text())
    keys.press("Enter")
    expect(fields.nth(1)).to_be_focused()
    keys.type("a")
    keys.press("Enter")
    # The second game is between B and C: it is marked, and the way on waits.
    expect(fields.nth(1)).to_be_focused()
    expect(fields.nth(1)).to_have_attribute("aria-invalid", "true")
    keys.press("Escape")
    keys.type("cf")
    keys.press("ArrowDown")
    expect(fields.nth(2)).to_be_focused()
    keys.press("Control+Enter")
    expect(at_desk.get_by_text("2 results are entered.")).to_be_visible()
    expect(fields).to_have_count(len(palio.games) - 2)
    at_desk.get_by_role("heading", name="Paper slips").click()
    keys.press("Tab")
    at_desk.evaluate("document.activeElement.blur()")
    keys.press("?")
    expect(at_desk.get_by_role("heading", name="Keys", exact=True)).to_be_visible()


def test_control_enter_stores_paper_slips_from_the_button_too(
    at_desk: Page, palio: Palio, live_server: LiveServer
) -> None:
    at_desk.goto(live_server.url + address("paper-now", palio.event.slug, palio.tournament.slug))
    at_desk.locator("input[data-answers]").last.fill("1")
    at_desk.locator("input[data-answers]").last.press("Enter")
    expect(at_desk.get_by_role("button", name="Store what is typed")).to_be_focused()

    at_desk.keyboard.press("Control+Enter")

    expect(at_desk.get_by_text("1 result is entered.")).to_be_visible()


def test_result_is_entered_by_keyboard(at_desk: Page, palio: Palio, live_server: LiveServer) -> None:
    game = palio.games[0]
    at_desk.goto(live_server.url + address("match", palio.event.slug, game.match_id))
    at_desk.locator("input[name=winner]").first.focus()
    at_desk.keyboard.press("Space")
    at_desk.keyboard.press("Enter")
    expect(at_desk.get_by_text("Game 1 is entered.")).to_be_visible()
    game.game.refresh_from_db()

    assert game.game.is_over
