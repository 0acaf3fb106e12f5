"""The whole day by hand: set up, check-in, three referees, a correction, a tie, the closing, certificates.

What is played at the other tables, and by two of the referees after their first game, doesn't go by hand: it
is the same again. At every table who is named first
wins each game, so that at the end all teams are level, and lots are drawn.

In English, the language of the code. Whatever goes wrong in a page (an error, a refused script or style)
fails the test.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.actors import Actor
from people.models import Event
from tests.browser.day import PHONE, close, make_event, pair, print_certificates, publish_draw, sign_in
from tests.support.hurried_pages import hurried
from tournaments.commands import results
from tournaments.models import MatchGame, Table, Tournament

FILES = Path(__file__).parent.parent / "data"
TEAMS = ("Superiore", "Centro", "Inferiore")
LISTS = ("iscritti-superiore.csv", "entries-centro.csv", "iscritti-inferiore-con-errori.csv")
REFEREES = {"Anna": "Brusa", "Bruno": "Costa", "Carla": "Donati"}


@pytest.mark.usefixtures("embedded_tasks")
def test_whole_day_from_the_first_entry_to_the_certificates(
    live_server: Any, open_page: Callable[..., Page]
) -> None:
    desk = open_page(locale="en-GB")
    sign_in(desk, live_server.url)
    set_up(desk)
    event = Event.objects.get()
    overview = f"{live_server.url}/en/desk/events/{event.slug}/"
    public = f"{live_server.url}/en/{event.slug}/"
    check_in(desk, open_page)

    watcher = hurried(open_page(locale="en-GB", **PHONE))
    watcher.goto(f"{public}torneo/")
    phones = [open_page(locale="en-GB", **PHONE) for _ in REFEREES]
    names = [f"{first_name} {last_name[0]}." for first_name, last_name in REFEREES.items()]
    tables = [f"{live_server.url}/en/t/{table.code}/" for table in Table.objects.filter(event=event)[:3]]
    pair(dict(zip(names, phones, strict=True)), desk, dict(zip(names, tables, strict=True)))
    phones[0].get_by_role("link", name="Enter game 1").click()
    # The lists are of children who were of age on that day of 2022.
    phones[0].get_by_role("button", name="Yes, real results").click()
    wrong = win(phones[0], second=True)
    expect(watcher.get_by_text("1 of 27 games played")).to_be_visible()
    expect(watcher.locator(".standing").first).to_contain_text(wrong)
    for phone in phones[1:]:
        phone.get_by_role("link", name="Enter game 1").click()
        phone.get_by_role("button", name="Yes, real results").click()
        win(phone)
    for number in (2, 3):
        phones[0].get_by_role("link", name=f"Enter game {number}").click()
        win(phones[0])
    expect(phones[0].get_by_text("This match is done")).to_be_visible()

    correct(desk, overview)
    for game in MatchGame.objects.filter(game__is_over=False).select_related("match__stage__tournament"):
        results.enter_result(game, Actor.command(), seat=0)
    expect(watcher.get_by_text("27 of 27 games played")).to_be_visible()
    # All are level: the desk draws the lots.
    desk.goto(f"{overview}tournaments/torneo/standings/")
    desk.get_by_role("button", name="Draw the lots").click()
    close(desk)
    tournament = Tournament.objects.get()
    assert tournament.status == "closed"
    expect(watcher.locator(".podium")).to_be_visible()
    expect(watcher.get_by_text("Ahead by lot").first).to_be_visible()
    print_certificates(desk, overview)


def set_up(desk: Page) -> None:
    """Follow the desk's own path, step by step, from nothing to a public draw."""
    make_event(desk, TEAMS, [FILES / name for name in LISTS], REFEREES)
    desk.get_by_role("link", name="Overview").click()
    desk.locator("a[href$='/tournaments/new/']").first.click()
    desk.locator("input[name=name]").fill("Torneo")
    desk.locator("input[name=rounds]").fill("1")
    desk.locator("input[name=tie_policy][value=lots]").check()
    desk.get_by_role("button", name="Set up the tournament").click()
    desk.locator("a[href$='/draw/']").first.click()
    publish_draw(desk)


def check_in(desk: Page, open_page: Callable[..., Page]) -> None:
    """One child is here, and the slip opens the page that tells the parents where to go."""
    desk.get_by_role("link", name="Check-in").first.click()
    here = desk.locator(".arrivals li").first
    here.get_by_role("button", name="Here").click()
    here.get_by_role("button", name="Slip").click()
    code = desk.locator("p.slip-code").inner_text()
    parents = open_page(locale="en-GB", **PHONE)
    parents.goto(desk.url.split("/desk/")[0] + "/s/")
    parents.locator("input[name=code]").fill(code)
    parents.locator("input[name=code]").press("Enter")
    expect(parents.get_by_text(re.compile(r"Table \d")).first).to_be_visible()


def win(phone: Page, *, second: bool = False) -> str:
    """Two taps and a confirmation: who is named first (or second) has won; the team's name."""
    winner = phone.locator(".tap.winner").nth(1 if second else 0)
    team = winner.inner_text()
    winner.click()
    phone.get_by_role("button", name="Yes, enter it").click()
    expect(phone.get_by_text(re.compile("Entered last"))).to_be_visible()
    return team


def correct(desk: Page, overview: str) -> None:
    """Game 1 of table 1 was won by who is named first: the desk sees what that changes, and corrects it."""
    match = MatchGame.objects.get(number=1, match__round=1, match__wave=1, match__table__number=1).match_id
    desk.goto(f"{overview}matches/{match}/")
    desk.locator("#game-1").get_by_role("link", name="Correct the result").click()
    desk.get_by_label("The game ends here, won by").check()
    desk.locator(".nested .pick").first.click()
    desk.locator("select[name=reason]").select_option("wrong-winner")
    desk.get_by_role("button", name="See what it changes").click()
    expect(desk.locator(".change")).to_be_visible()
    desk.get_by_role("button", name="Correct it").click()
    expect(desk.locator("#game-1, .messages").first).to_be_visible()
