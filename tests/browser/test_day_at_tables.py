"""A day of 24 at tables of four by hand: set up, six referees' phones, half of them without a network for a
while, the standings, the closing, certificates.

What the public reads is compared with what was tapped alone: places are added up here once more.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.models import Event
from tests.browser.day import PHONE, close, make_event, pair, print_certificates, publish_draw, sign_in
from tests.support import factories
from tests.support.offline_phone import KEPT, line, types_of
from tests.support.pdf_text import text_of
from tests.support.services.chromium import Problems
from tournaments.models import Table, Tournament

TEAMS = {
    "Superiore": ("Ada", "Berto", "Cino", "Delia", "Enea", "Fosca", "Gino", "Ilde"),
    "Centro": ("Luca", "Mara", "Nino", "Olga", "Pia", "Quinto", "Rosa", "Saro"),
    "Inferiore": ("Tina", "Ugo", "Vera", "Zeno", "Alba", "Bice", "Carlo", "Dina"),
}
NUMBERED = {name: f"{team} {n}" for team, names in TEAMS.items() for n, name in enumerate(names, 1)}
"""How the public is told of each: by number."""
REFEREES = dict.fromkeys(("Anna", "Bruno", "Carla", "Dario", "Elsa", "Fabio"), "Costa")
SEED = "six tables"
SCALE = (4, 2, 1, 0)
ROUNDS = (
    ("c a b d", "d b c a", "a bd c", "b d a c", "ac d b", "d c b a"),
    ("b a c d", "ab cd", "d a b c", "c d a b", "a c bd", "b c ad"),
    ("d a c b", "b c d a", "c ab d", "a d c b", "cd ba", "a b d c"),
)
"""Who came where at each table, round by round: seats by letter, those together who share a place."""

Places = dict[str, int]


@pytest.mark.usefixtures("embedded_tasks")
def test_day_of_24_at_tables_from_the_draw_to_the_certificates(
    live_server: Any, open_page: Callable[..., Page], page_problems: Problems, tmp_path: Path
) -> None:
    # Requests of a phone without a network.
    page_problems.allow("Failed to load resource")
    desk = open_page(locale="en-GB")
    sign_in(desk, live_server.url)
    set_up(desk, tmp_path / "entries.csv")
    event = Event.objects.get()
    overview = f"{live_server.url}/en/desk/events/{event.slug}/"
    watcher = open_page(locale="en-GB")
    watcher.goto(f"{live_server.url}/en/{event.slug}/torneo/")
    phones = [open_page(locale="en-GB", **PHONE) for _ in REFEREES]
    for number, (phone, name) in enumerate(zip(phones, REFEREES, strict=True), 1):
        code = Table.objects.get(event=event, number=number).code
        pair(phone, desk, f"{live_server.url}/en/t/{code}/", f"{name} C.")
        phone.get_by_role("link", name="Enter game 1").click()
        # The list is of children who were of age on that day of 2022.
        phone.get_by_role("button", name="Yes, real results").click()

    # The phones at tables 4 and 5 have no network in round 2, the one at table 6 has none in round 3 either.
    tables = [enter_places(phone, order) for phone, order in zip(phones, ROUNDS[0], strict=True)]
    expect(watcher.get_by_text("6 of 18 games played")).to_be_visible()
    for phone in phones[3:]:
        phone.locator(KEPT).wait_for()
        phone.evaluate("() => navigator.serviceWorker.ready")
        phone.context.set_offline(True)
    tables += enter_round(phones, ROUNDS[1])
    for phone in phones[3:]:
        expect(line(phone)).to_have_text("1 waits, will be sent")
    expect(watcher.get_by_text("9 of 18 games played")).to_be_visible()
    for phone in phones[3:5]:
        phone.context.set_offline(False)
    expect(watcher.get_by_text("11 of 18 games played")).to_be_visible()
    phones[5].reload()
    tables += enter_round(phones, ROUNDS[2])
    expect(line(phones[5])).to_have_text("2 wait, will be sent")
    expect(watcher.get_by_text("16 of 18 games played")).to_be_visible()
    phones[5].context.set_offline(False)
    expect(watcher.get_by_text("18 of 18 games played")).to_be_visible()
    for phone in phones:
        expect(line(phone)).to_have_text("all saved")
    shown = rows(watcher)
    logs = [types_of(game) for game in factories.games_of(Tournament.objects.get())]

    desk.goto(f"{overview}tournaments/torneo/standings/")
    close(desk)
    expect(watcher.locator(".podium")).to_be_visible()
    certificates = text_of(print_certificates(desk, overview))
    told = re.findall(r"Attestato (\w+) Rossi .*? (\d+)º posto", certificates)

    assert logs == [["game_opened", "game_closed"]] * 18
    assert shown == standings(tables)
    assert rows(watcher) == shown
    places = {label: place.rstrip("=") for place, label, _points in shown}
    assert told == [(name, places[label]) for name, label in NUMBERED.items()]


def set_up(desk: Page, file: Path) -> None:
    """From nothing to a public draw of three rounds."""
    entries = [f"Rossi;{name};05/03/2011;{team}" for team, names in TEAMS.items() for name in names]
    file.write_text("\n".join(["Last name;First name;Date of birth;Team", *entries]))
    make_event(desk, TEAMS, [file], REFEREES)
    desk.get_by_role("link", name="Overview").click()
    desk.locator("a[href$='/tournaments/new/']").first.click()
    desk.locator("input[name=name]").fill("Torneo")
    desk.locator("input[name=format][value=tables]").check()
    desk.locator("input[name=tables_rounds]").fill("3")
    desk.get_by_role("button", name="Set up the tournament").click()
    desk.get_by_text("A seed of your own").click()
    desk.get_by_label("Seed").fill(SEED)
    desk.get_by_role("button", name="Preview").click()
    publish_draw(desk)


def enter_round(phones: list[Page], orders: tuple[str, ...]) -> list[Places]:
    """Enter the next match of each table."""
    tables = []
    for phone, order in zip(phones, orders, strict=True):
        phone.get_by_role("link", name="Next match at this table").click()
        phone.get_by_role("link", name="Enter game 1").click()
        tables.append(enter_places(phone, order))
    return tables


def enter_places(phone: Page, order: str) -> Places:
    """Tap who came where on the page of a game; the places by first names."""
    seats = phone.locator(".tap.ranked")
    seats.first.wait_for()
    names = [each.split()[0] for each in seats.all_inner_texts()]
    places: Places = {}
    for level in order.split():
        place = 1 + len(places)
        for seat in map("abcd".index, level):
            seats.nth(seat).click()
            if place in places.values():
                phone.locator("[data-tool=share]").click()
            places[names[seat]] = place
    phone.get_by_role("button", name="Yes, enter it").click()
    phone.get_by_text("Entered last").wait_for()
    expect(phone.locator(".game-list .team")).to_contain_text(names)
    return places


def standings(tables: list[Places]) -> list[tuple[str, str, str]]:
    """Place, name and points of everybody, from the places at the tables.

    Who is ahead on points, then wins, then the sum of places, then the points of those met.
    """
    points: dict[str, Fraction] = defaultdict(Fraction)
    wins: dict[str, int] = defaultdict(int)
    sums: dict[str, Fraction] = defaultdict(Fraction)
    met: dict[str, set[str]] = defaultdict(set)
    for places in tables:
        for name, place in places.items():
            sharing = list(places.values()).count(place)
            points[name] += Fraction(sum(SCALE[place - 1 : place - 1 + sharing]), sharing)
            wins[name] += place == 1 and sharing == 1
            sums[name] += place + Fraction(sharing - 1, 2)
            met[name] |= places.keys() - {name}
    ranks = {
        name: (-points[name], -wins[name], sums[name], -sum(points[other] for other in met[name]))
        for name in NUMBERED
    }
    ordered = sorted(ranks, key=lambda name: ranks[name])
    found = []
    for name in ordered:
        level = list(ranks.values()).count(ranks[name])
        place = 1 + sum(other < ranks[name] for other in ranks.values())
        whole, half = divmod(points[name], 1)
        told = f"{whole or ''}½" if half else f"{whole}"
        found.append((f"{place}=" if level > 1 else f"{place}", NUMBERED[name], told))
    return found


def rows(watcher: Page) -> list[tuple[str, str, str]]:
    """Place, name and points of each row of the public standings."""
    cells = (".place", ".standing-name", ".standing-points b")
    found = (watcher.locator(f".standing {cell}").all_inner_texts() for cell in cells)
    # After a shared place stands a word for who hears the page.
    return [(place.split()[0], name, points) for place, name, points in zip(*found, strict=True)]
