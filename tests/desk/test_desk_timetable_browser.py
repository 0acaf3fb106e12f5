"""The timetable in a browser: dragged, moved by keyboard, late, worked out in the background, taken back."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.desk.palio import Palio, make_palio
from tests.support.clients import sign_in
from tests.support.forms import address
from tournaments.models import Match, Place
from tournaments.queries.timetable.match_starts import hours

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def palio(transactional_db: None) -> Palio:
    """Three teams of two on two tables, one round: both matches at 14:00."""
    return make_palio(tables=2, rounds=1)


def places(palio: Palio) -> list[tuple[str, int]]:
    """Hour and table of each match, by the table where it was drawn."""
    found = hours(palio.tournament)
    rome = ZoneInfo("Europe/Rome")
    return [
        (f"{found[each.pk].begins_at.astimezone(rome):%H:%M}", each.table.number)
        for each in Match.objects.order_by("drawn_table").select_related("table")
    ]


def drag(page: Page, match: Locator, cell: Locator) -> None:
    """Drag a match to a cell with the mouse."""
    match.hover()
    page.mouse.down()
    cell.hover()
    page.mouse.up()


def test_timetable_is_changed_by_hand_and_worked_out(
    palio: Palio, live_server: LiveServer, open_page: Callable[..., Page]
) -> None:
    page = open_page(locale="en-GB", viewport={"width": 1280, "height": 1000})
    sign_in(page, live_server.url, palio.organizer)
    page.goto(live_server.url + address("timetable", palio.event.slug))

    drag(page, page.locator("[data-table='2'] .match"), page.locator("[data-begins='14:35'][data-table='2']"))
    expect(page.get_by_text("Moved.")).to_be_visible()
    assert places(palio) == [("14:00", 1), ("14:35", 2)]

    # What is in conflict is said, and a swap is offered.
    drag(page, page.locator("[data-table='2'] .match"), page.locator("[data-table='1'] .match"))
    expect(page.get_by_text("Two matches at table 1 at once").first).to_be_visible()
    page.get_by_role("button", name="Swap with 14:00, table 1").click()
    expect(page.get_by_text("The two matches are swapped.")).to_be_visible()
    assert places(palio) == [("14:35", 2), ("14:00", 1)]

    page.locator("[data-table='1'] .match").focus()
    for key in ("m", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("Moved.")).to_be_visible()
    assert places(palio) == [("14:35", 2), ("14:00", 2)]

    page.get_by_label("Minutes late").fill("10")
    page.get_by_label("From").fill("14:00")
    page.get_by_role("button", name="See what shifts").click()
    page.get_by_role("button", name="Apply the delay").click()
    expect(page.get_by_text("matches shifted")).to_be_visible()
    assert places(palio) == [("14:45", 2), ("14:10", 2)]
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Taken back.")).to_be_visible()
    assert places(palio) == [("14:35", 2), ("14:00", 2)]

    page.get_by_role("button", name="Work out the timetable", exact=True).click()
    keep = page.get_by_role("button", name="Keep this timetable")
    expect(keep).to_be_visible()
    keep.click()
    expect(page.get_by_text("Kept: pages, phones and calendars")).to_be_visible()
    assert sorted(places(palio)) == [("14:00", 1), ("14:00", 2)]
    assert Place.objects.count() == 2
