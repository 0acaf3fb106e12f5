"""The whole way by hand: the organizer sets up, the referee enters by the table's link, the public sees it.

What is played at the other tables doesn't go by hand: it is the same again.

In English, the language of the code. Whatever goes wrong in a page (an error, a refused script or style)
fails the test.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.models import Event
from tests import factories
from tests.tournaments.rounds.support import play
from tournaments.models import Table, Tournament

FILES = Path(__file__).parent.parent / "data"
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
PATIENCE = 15_000
"""Milliseconds that a page may take on a busy machine before the test gives up."""


@pytest.mark.usefixtures("embedded_tasks")
def test_from_the_first_entry_to_the_final_table(live_server: Any, open_page: Callable[..., Page]) -> None:
    factories.make_account("organizer")
    desk = open_page(locale="en-GB")
    desk.set_default_timeout(PATIENCE)
    sign_in(desk, live_server.url)
    set_up(desk)
    event = Event.objects.get()
    public = f"{live_server.url}/en/{event.slug}/"

    phone = open_page(locale="en-GB", **PHONE)
    phone.set_default_timeout(PATIENCE)
    pair(phone, desk, f"{live_server.url}/en/t/{Table.objects.get(event=event, number=1).code}/")
    phone.get_by_role("link", name="Enter game 1").click()
    # The lists are of children who were of age on that day of 2022.
    phone.get_by_role("button", name="Yes, real results").click()
    ahead = win(phone)

    watcher = open_page(locale="en-GB", **PHONE)
    watcher.goto(f"{public}torneo/")
    expect(watcher.get_by_text("1 of 27 games played")).to_be_visible(timeout=PATIENCE)
    first = watcher.locator(".standing").first
    expect(first).to_contain_text(ahead)

    for number in (2, 3):
        phone.get_by_role("link", name=f"Enter game {number}").click()
        win(phone)
    expect(phone.get_by_text("This match is done")).to_be_visible(timeout=PATIENCE)
    play(Tournament.objects.get(), random.Random(1))
    close(desk, f"{live_server.url}/en/desk/events/{event.slug}/")
    watcher.reload()
    expect(watcher.locator(".podium")).to_be_visible(timeout=PATIENCE)
    assert Tournament.objects.get().status == "closed"


def sign_in(desk: Page, address: str) -> None:
    """Open the desk's door."""
    desk.goto(f"{address}/en/desk/")
    desk.locator("input[name=username]").fill("organizer")
    desk.locator("input[name=password]").fill(factories.PASSWORD)
    desk.locator("input[name=password]").press("Enter")


def set_up(desk: Page) -> None:
    """Follow the desk's own path, step by step, from nothing to a public draw."""
    desk.get_by_role("link", name="New event").first.click()
    desk.get_by_label("Name", exact=True).fill("Palio delle contrade")
    desk.locator("input[name=starts_on]").fill("2022-09-17")
    desk.get_by_role("button", name="Make the event").click()
    desk.get_by_role("link", name="Teams").first.click()
    for name in ("Superiore", "Centro", "Inferiore"):
        desk.get_by_label("Name", exact=True).fill(name)
        desk.get_by_role("button", name="Add").click()
    for file in ("iscritti-superiore.csv", "entries-centro.csv", "iscritti-inferiore-con-errori.csv"):
        desk.get_by_role("link", name="Entries").first.click()
        desk.locator("a[href$='/import/']").first.click()
        desk.locator("input[type=file]").set_input_files(FILES / file)
        desk.get_by_role("button", name="Preview").click()
        desk.locator("button[name=confirm]").click()
    desk.get_by_role("link", name="Referees").first.click()
    desk.locator("input[name=first_name]").fill("Anna")
    desk.locator("input[name=last_name]").fill("Brusa")
    desk.locator("form:has(input[name=first_name]) button").click()
    desk.get_by_role("link", name="Overview").click()
    desk.locator("a[href$='/tournaments/new/']").first.click()
    desk.locator("input[name=name]").fill("Torneo")
    desk.locator("input[name=rounds]").fill("1")
    desk.get_by_role("button", name="Set up the tournament").click()
    desk.locator("a[href$='/draw/']").first.click()
    desk.get_by_role("button", name="Keep this draw").click()
    desk.get_by_role("button", name="Publish this draw").click()
    desk.get_by_role("link", name="Overview").click()
    desk.locator("form:has(input[name=public][value=yes]) button").first.click()


def pair(phone: Page, desk: Page, table: str) -> None:
    """The referee asks by name, the desk lets the phone in, and the table opens by itself."""
    phone.goto(table)
    phone.get_by_role("link", name="Pair this phone").click()
    phone.get_by_role("button", name="Anna B.").click()
    words = phone.locator(".check-word").inner_text()
    desk.get_by_role("link", name="Referees").first.click()
    asking = desk.locator(".asking li", has_text=words)
    asking.locator("form[action$='/admit/'] button").click()
    expect(phone.get_by_role("link", name="Enter game 1")).to_be_visible(timeout=PATIENCE)


def win(phone: Page) -> str:
    """Two taps and a confirmation: whoever is named first has won; the team's name."""
    winner = phone.locator(".tap.winner").first
    team = winner.inner_text()
    winner.click()
    phone.get_by_role("button", name="Yes, enter it").click()
    expect(phone.get_by_text(re.compile("Entered last"))).to_be_visible(timeout=PATIENCE)
    return team


def close(desk: Page, overview: str) -> None:
    """The desk closes the tournament from its standings."""
    desk.goto(overview)
    desk.locator("a[href$='/torneo/standings/']").first.click()
    desk.locator("form[action$='/close/'] button").click()
    expect(desk.locator("form[action$='/reopen/']")).to_be_visible(timeout=PATIENCE)
