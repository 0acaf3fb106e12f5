"""A day of 24 at tables of four by hand: the draw, three referees' phones, two of them without a network for
a while, the standings, the closing, certificates.

What is the same as in `test_whole_day` doesn't go by hand (entries, pairing), nor do results of the other
three tables. What the public reads is compared with what was entered alone: places are added up here once
more.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.actors import Actor
from people.models import Account, Entry, Event
from people.pairings import COOKIE
from tests.browser.day import PHONE, close, print_certificates, publish_draw, sign_in
from tests.support import factories
from tests.support.hurried_pages import hurried
from tests.support.offline_phone import KEPT, line
from tests.support.pdf_text import text_of
from tests.support.services.chromium import Problems
from tests.support.stored_games import types_of
from tournaments.commands.results import enter_result
from tournaments.models import MatchGame, Table, Tournament

TEAMS = {
    "Superiore": ("Ada", "Berto", "Cino", "Delia", "Enea", "Fosca", "Gino", "Ilde"),
    "Centro": ("Luca", "Mara", "Nino", "Olga", "Pia", "Quinto", "Rosa", "Saro"),
    "Inferiore": ("Tina", "Ugo", "Vera", "Zeno", "Alba", "Bice", "Carlo", "Dina"),
}
NUMBERED = {name: f"{team} {n}" for team, names in TEAMS.items() for n, name in enumerate(names, 1)}
"""How the public is told of each: by number."""
PHONES = (1, 4, 6)
"""The tables at which there is one."""
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
    live_server: Any, open_page: Callable[..., Page], page_problems: Problems
) -> None:
    # Requests of a phone without a network.
    page_problems.allow("Failed to load resource")
    desk = open_page(locale="en-GB")
    sign_in(desk, live_server.url)
    event = make_event()
    overview = f"{live_server.url}/en/desk/events/{event.slug}/"
    draw(desk, overview)
    watcher = hurried(open_page(locale="en-GB"))
    watcher.goto(f"{live_server.url}/en/{event.slug}/torneo/")
    phones = {table: open_page(locale="en-GB", **PHONE) for table in PHONES}
    for number, phone in phones.items():
        code = Table.objects.get(event=event, number=number).code
        secret = factories.make_pairing(event)[1]
        phone.context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])
        phone.goto(f"{live_server.url}/en/t/{code}/")
        phone.get_by_role("link", name="Enter game 1").click()

    # The phones at tables 4 and 6 have no network in round 2, the one at table 6 has none in round 3 either.
    tables = enter_round(phones, 1)
    expect(watcher.get_by_text("6 of 18 games played")).to_be_visible()
    for table in (4, 6):
        phones[table].locator(KEPT).wait_for()
        phones[table].evaluate("() => navigator.serviceWorker.ready")
        phones[table].context.set_offline(True)
    tables += enter_round(phones, 2)
    for table in (4, 6):
        expect(line(phones[table])).to_have_text("1 waits, will be sent")
    expect(watcher.get_by_text("10 of 18 games played")).to_be_visible()
    phones[4].context.set_offline(False)
    expect(watcher.get_by_text("11 of 18 games played")).to_be_visible()
    phones[6].reload()
    tables += enter_round(phones, 3)
    expect(line(phones[6])).to_have_text("2 wait, will be sent")
    expect(watcher.get_by_text("16 of 18 games played")).to_be_visible()
    phones[6].context.set_offline(False)
    expect(watcher.get_by_text("18 of 18 games played")).to_be_visible()
    for phone in phones.values():
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


def make_event() -> Event:
    """An event of a day in 2022, which isn't public yet, with its teams and their entries."""
    # The children are of age on that day.
    day = date(2022, 9, 17)
    organizer = Account.objects.get()
    event = factories.make_event(organizer, starts_on=day, ends_on=day, is_published=False)
    for team, names in TEAMS.items():
        made = factories.make_team(event, name=team)
        for name in names:
            factories.make_entry(made, first_name=name, last_name="Rossi", birth_date=date(2011, 3, 5))
    return event


def draw(desk: Page, overview: str) -> None:
    """Set up a tournament of three rounds, draw it and publish it."""
    desk.goto(f"{overview}tournaments/new/")
    desk.locator("input[name=name]").fill("Torneo")
    desk.locator("input[name=format][value=tables]").check()
    desk.locator("input[name=tables_rounds]").fill("3")
    desk.get_by_role("button", name="Set up the tournament").click()
    desk.get_by_text("A seed of your own").click()
    desk.get_by_label("Seed").fill(SEED)
    desk.get_by_role("button", name="Preview").click()
    publish_draw(desk)


def enter_round(phones: dict[int, Page], number: int) -> list[Places]:
    """Enter the match of a round at each table: where there is a phone on it, at the others at once."""
    tables = []
    for table, order in enumerate(ROUNDS[number - 1], 1):
        if table not in phones:
            tables.append(enter_at_once(number, table, order))
            continue
        phone = phones[table]
        if number > 1:
            phone.get_by_role("link", name="Next match at this table").click()
            phone.get_by_role("link", name="Enter game 1").click()
        tables.append(enter_places(phone, order))
    return tables


def places_in(order: str) -> dict[int, int]:
    """The place of each seat: those together share the first that is free."""
    places: dict[int, int] = {}
    for level in order.split():
        places |= dict.fromkeys(map("abcd".index, level), 1 + len(places))
    return places


def enter_at_once(number: int, table: int, order: str) -> Places:
    """Enter who came where in a round at a table; the places by first names."""
    game = MatchGame.objects.get(match__round=number, match__table__number=table)
    places = places_in(order)
    enter_result(game, Actor.command(), places=places)
    names = dict(Entry.objects.values_list("pk", "person__first_name"))
    return {names[seat.entry]: places[seat.number] for seat in game.game.seats.all()}


def enter_places(phone: Page, order: str) -> Places:
    """Tap who came where on the page of a game; the places by first names."""
    seats = phone.locator(".tap.ranked")
    seats.first.wait_for()
    names = [each.split()[0] for each in seats.all_inner_texts()]
    places = places_in(order)
    for level in order.split():
        for at, seat in enumerate(map("abcd".index, level)):
            seats.nth(seat).click()
            if at:
                phone.locator("[data-tool=share]").click()
    phone.get_by_role("button", name="Yes, enter it").click()
    phone.get_by_text("Entered last").wait_for()
    expect(phone.locator(".game-list .team")).to_contain_text(names)
    return {names[seat]: place for seat, place in places.items()}


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
