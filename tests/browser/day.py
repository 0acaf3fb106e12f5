"""Steps of a day by hand in a browser, in English: what the desk does, and how it lets a phone in."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.support import factories

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def sign_in(desk: Page, address: str) -> None:
    """Make the account `organizer` and sign it in."""
    account = factories.make_account("organizer")
    desk.goto(f"{address}/en/desk/")
    desk.locator("input[name=username]").fill(account.username)
    desk.locator("input[name=password]").fill(factories.PASSWORD)
    desk.locator("input[name=password]").press("Enter")


def make_event(desk: Page, teams: Iterable[str], lists: Iterable[Path], referees: Mapping[str, str]) -> None:
    """Make an event of a day in 2022: teams, the entries of lists whose rows are good, referees by first name
    and last name.
    """
    desk.get_by_role("link", name="New event").first.click()
    desk.get_by_label("Name", exact=True).fill("Palio delle contrade")
    desk.locator("input[name=starts_on]").fill("2022-09-17")
    desk.get_by_role("button", name="Make the event").click()
    desk.get_by_role("link", name="Teams").first.click()
    for name in teams:
        desk.get_by_label("Name", exact=True).fill(name)
        desk.get_by_role("button", name="Add").click()
    for file in lists:
        desk.get_by_role("link", name="Entries").first.click()
        desk.locator("a[href$='/import/']").first.click()
        desk.locator("input[type=file]").set_input_files(file)
        desk.get_by_role("button", name="Preview").click()
        desk.locator("button[name=confirm]").click()
    desk.get_by_role("link", name="Referees").first.click()
    for first_name, last_name in referees.items():
        desk.locator("input[name=first_name]").fill(first_name)
        desk.locator("input[name=last_name]").fill(last_name)
        desk.locator("form:has(input[name=first_name]) button").click()


def publish_draw(desk: Page) -> None:
    """Keep and publish the draw that is previewed, and open the event to the public."""
    desk.get_by_role("button", name="Keep this draw").click()
    desk.get_by_role("button", name="Publish this draw").click()
    desk.get_by_role("link", name="Overview").click()
    desk.locator("form:has(input[name=public][value=yes]) button").first.click()


def pair(phones: Mapping[str, Page], desk: Page, tables: Mapping[str, str]) -> None:
    """Each referee asks by name, the desk lets the phones in, and the tables open by themselves."""
    words = {}
    for referee, phone in phones.items():
        phone.goto(tables[referee])
        phone.get_by_role("link", name="Pair this phone").click()
        phone.get_by_role("button", name=referee).click()
        words[referee] = phone.locator(".check-word").inner_text()
    desk.get_by_role("link", name="Referees").first.click()
    for referee in phones:
        asking = desk.locator(".asking li", has_text=words[referee])
        asking.locator("form[action$='/admit/'] button").click()
    for phone in phones.values():
        expect(phone.get_by_role("link", name="Enter game 1")).to_be_visible()


def close(desk: Page) -> None:
    """Close the tournament whose standings are open."""
    desk.locator("form[action$='/close/'] button").click()
    expect(desk.locator("form[action$='/reopen/']")).to_be_visible()


def print_certificates(desk: Page, overview: str) -> bytes:
    """The certificates of all players, as one file."""
    desk.goto(f"{overview}print/")
    with desk.expect_response(re.compile(r"certificates\.pdf")) as answered:
        desk.get_by_role("button", name="Certificates as PDF").click()
    assert (answered.value.status, answered.value.headers["content-type"]) == (200, "application/pdf")
    # What a browser shows as a PDF isn't its to give back.
    return desk.request.get(answered.value.url).body()
