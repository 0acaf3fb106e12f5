"""The shared clock in browsers: counted down alike where a device's own clock is wrong, and rung at once."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from people.actors import Actor
from people.models import Account, Event
from people.pairings import COOKIE
from tests.support import factories
from tests.support.accessibility import violations_by_scheme
from tests.support.computed_tournaments import address, palio, win
from tests.support.hurried_pages import hurried
from tests.support.waiting import wait_for
from tournaments.commands import clock as actions
from tournaments.models import Clock, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

COMMAND = Actor.command()
WRONG = "2031-01-01T00:00:00"
TONES = """
window.tones = 0;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this); };
"""


@pytest.fixture
def organizer() -> Account:
    return factories.make_account()


@pytest.fixture
def event(organizer: Account) -> Event:
    return factories.make_event(organizer, slug="palio")


@pytest.fixture
def tournament(event: Event) -> Tournament:
    """A palio with a result, and a clock that is paused: it shows the same however slow the machine is."""
    made = palio(event=event)
    win(factories.games_of(made)[0], None, "time")
    return made


def paused(tournament: Tournament, left: int) -> None:
    """A clock with so many seconds left."""
    actions.start_clock(tournament, COMMAND, seconds=600)
    now = timezone.now()
    Clock.objects.update(started_at=now - timedelta(seconds=600 - left), paused_at=now, version=2)


def sign_in(page: Page, organizer: Account, address: str) -> None:
    """Give the browser a session, as signing in does."""
    client = Client()
    client.force_login(organizer)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}])


def test_clock_counts_down_and_rings_without_a_network(
    live_server: LiveServer, open_page: Callable[..., Page], tournament: Tournament
) -> None:
    page = open_page(locale="en-GB", viewport={"width": 1920, "height": 1080})
    page.clock.install(time=WRONG)
    actions.start_clock(tournament, COMMAND, seconds=600)
    page.goto(live_server.url + address(tournament, "projector/"))
    big = page.locator(".screen .countdown")
    expect(big.locator(".clock")).to_be_visible()
    # From here no request gets through, and the device counts by itself.
    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('away')); }")
    page.clock.pause_at("2031-01-01T00:01:00")
    minutes, seconds = map(int, big.locator(".clock").inner_text().split(":"))
    before = minutes * 60 + seconds
    assert 480 <= before <= 600
    page.clock.run_for(9_000)
    assert big.locator(".clock").inner_text() == f"{(before - 9) // 60}:{(before - 9) % 60:02d}"
    page.clock.run_for(before * 1000)
    expect(big.get_by_text("The bell has rung")).to_be_visible()
    expect(big.locator(".clock")).to_be_hidden()
    expect(page.locator(".site-header").get_by_text("The bell has rung")).to_be_visible()


def test_clock_set_at_the_desk_is_seen_on_the_projector(
    live_server: LiveServer, open_page: Callable[..., Page], organizer: Account, tournament: Tournament
) -> None:
    projector, desk = (hurried(open_page(locale="en-GB")) for _ in range(2))
    projector.goto(live_server.url + address(tournament, "projector/"))
    head = projector.locator(".site-header .countdown")
    expect(head).to_be_hidden()
    sign_in(desk, organizer, live_server.url)
    desk.goto(f"{live_server.url}/en/desk/events/palio/board/")
    desk.get_by_label("Minutes", exact=True).fill("7")
    # By keyboard alone.
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("The clock is running.")).to_be_visible()
    expect(desk.locator(".clock-panel .clock")).to_contain_text("6:")
    expect(head.locator(".clock")).to_contain_text("6:")
    desk.get_by_role("button", name="Pause").press("Enter")
    expect(head.get_by_text("The clock is paused")).to_be_visible()
    desk.get_by_role("button", name="Ring now").press("Enter")
    expect(head.get_by_text("The bell has rung")).to_be_visible()


def test_board_keeps_a_field_being_filled_in_when_it_changes(
    live_server: LiveServer, open_page: Callable[..., Page], organizer: Account, tournament: Tournament
) -> None:
    desk = hurried(open_page(locale="en-GB"))
    sign_in(desk, organizer, live_server.url)
    desk.goto(f"{live_server.url}/en/desk/events/palio/board/")
    field = desk.get_by_label("Minutes", exact=True)
    field.fill("13")
    win(factories.games_of(tournament)[1], None, "time")
    expect(desk.locator("a.match").first).to_contain_text("2/3")
    expect(field).to_have_value("13")
    expect(field).to_be_focused()


def test_bell_turns_the_table_page_and_sounds_only_where_asked(
    live_server: LiveServer, open_page: Callable[..., Page], event: Event, tournament: Tournament
) -> None:
    actions.start_clock(tournament, COMMAND, seconds=600)
    table = event.tables.get(number=1)
    phones = []
    for _ in range(2):
        phone = hurried(open_page(locale="en-GB", viewport={"width": 360, "height": 640}))
        phone.add_init_script(TONES)
        secret = factories.make_pairing(event)[1]
        phone.context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])
        phone.goto(f"{live_server.url}/en/t/{table.code}/")
        expect(phone.locator(".referee-clock")).to_contain_text("9:")
        phones.append(phone)
    asked, silent = phones
    asked.get_by_role("button", name="Sound when it rings").click()
    expect(asked.get_by_role("button", name="Sound when it rings")).to_have_attribute("aria-pressed", "true")
    actions.ring_bell(tournament, COMMAND)
    for phone in phones:
        expect(phone.get_by_role("link", name="The bell has rung: count game 2")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    # Playwright's own waiting evaluates a text, which the page's policy forbids.
    wait_for(lambda: asked.evaluate("tones") == 2)

    assert silent.evaluate("tones") == 0


@pytest.mark.long
def test_clock_pages_are_accessible(
    live_server: LiveServer, open_page: Callable[..., Page], tournament: Tournament
) -> None:
    paused(tournament, 90)
    page = open_page(reduced_motion="reduce")
    for path in (address(tournament), address(tournament, "projector/"), "/en/palio/"):
        page.goto(live_server.url + path)
        expect(page.locator(".countdown .clock").first).to_have_text("1:30")
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert (path, width, violations_by_scheme(page)) == (path, width, [])
