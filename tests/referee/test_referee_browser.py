"""A referee's pages on a phone of 360 by 640: big enough to tap, within reach of a thumb, with and without
scripts.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from games.logbook import stored_events
from people.actors import Actor
from people.pairings import COOKIE
from tests.support import factories
from tests.support.accessibility import violations_by_scheme
from tests.support.phone_pages import State, show, without_network
from tests.support.phone_states import states
from tests.support.phones import OVERFLOWS, PHONE, TARGETS, WCAG, pair
from tests.support.rounds_play import published
from tests.support.services.chromium import Problems
from tests.support.stored_games import BEGIN
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db(transaction=True)

TOPS = """() => [...document.querySelectorAll("main .tap:not([disabled]), main .tap.main")]
  .filter((each) => each.offsetParent).map((each) => each.getBoundingClientRect().bottom)"""
ON_TOP = """(each) => {
    const box = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}"""
HEADINGS = "() => [...document.querySelectorAll('h1')].filter((each) => each.offsetParent).length"
MAIN = """() => [...document.querySelectorAll("main .tap.main")].filter((each) => each.offsetParent)
  .map((each) => Math.round(each.getBoundingClientRect().bottom))[0] ?? 0"""
WIDTHS = (320, PHONE["width"])
LONG = (("", False), ("", True), ("/en", False), ("/en", True))
READ_FIRST = (
    *("bell-points", "match-rung-clock-fast", "practice-last", "end", "places-end"),
    *("entries-refused", "entries"),
)
"""What has to be read before it is tapped: the taps come after it."""


@pytest.fixture
def game() -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]


@pytest.fixture
def open_phone(
    open_page: Callable[..., Page], live_server: LiveServer, game: MatchGame
) -> Callable[..., Page]:
    """A paired phone at the table: `open_phone(color_scheme="dark", java_script_enabled=False)`."""

    def opened(path: str = "", language: str = "", **options: Any) -> Page:
        page = open_page(viewport=PHONE, has_touch=True, **options)
        pair(page.context, game, live_server.url)
        page.goto(f"{live_server.url}{language}/t/{game.match.table.code}/{path}")
        return page

    return opened


def kinds(made: list[State], *, are_variants: bool) -> list[State]:
    """The states of which each is a page of another kind, or else those that vary them: `bell`, `bell-level`.

    Where the first word is new, the page is.
    """
    first: dict[str, State] = {}
    for state in made:
        first.setdefault(state.name.partition("-")[0], state)
    return [state for state in made if (first[state.name.partition("-")[0]] is not state) == are_variants]


def assert_usable(page: Page, name: str, *, asks_axe: bool) -> None:
    """By day and by night: one heading above all, targets for a thumb, nothing cut off, the main tap in the
    lower half and in sight; and what axe finds.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        assert (name, width, page.evaluate(OVERFLOWS)) == (name, width, False)
    assert (name, page.evaluate(TARGETS)) == (name, [])
    assert (name, page.evaluate(HEADINGS)) == (name, 1)
    tops = page.evaluate(TOPS)
    if name not in READ_FIRST and tops:
        assert (name, max(tops) > PHONE["height"] / 2) == (name, True)
        main = page.evaluate(MAIN)
        assert (name, main, main <= PHONE["height"]) == (name, main, True)
    if asks_axe:
        assert (name, violations_by_scheme(page, (*WCAG, "best-practice"))) == (name, [])


@pytest.mark.parametrize(
    ("language", "are_variants", "each"),
    [("", False, 16), *(pytest.param(*each, 1, marks=pytest.mark.long) for each in LONG)],
)
def test_every_referee_page_can_be_used_with_one_thumb_and_passes_axe(
    open_page: Callable[..., Page],
    live_server: LiveServer,
    page_problems: Problems,
    language: str,
    are_variants: bool,
    each: int,
) -> None:
    """All of each kind are looked at; axe is asked of one in so many."""
    made = states()
    chosen = kinds(made, are_variants=are_variants)
    page = open_page(viewport=PHONE, has_touch=True)
    for number, state in enumerate(chosen):
        show(page, live_server.url, language, state)
        assert_usable(page, state.name, asks_axe=number % each == 0)
    if not are_variants:
        for number, name in enumerate(without_network(page, live_server.url, language, made)):
            assert_usable(page, name, asks_axe=number % each == 0)
    # Addresses that aren't, forms that are refused, and the network that is away are what this is about.
    page_problems.allow("Failed to load resource")


def test_mistyped_table_code_is_told_above_all_tables(
    open_page: Callable[..., Page], live_server: LiveServer, page_problems: Problems
) -> None:
    game = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=6, tables=6))[0]
    page = open_page(viewport=PHONE, has_touch=True)
    pair(page.context, game, live_server.url)
    page.goto(f"{live_server.url}/en/t/AAAAAA/")
    told = page.get_by_role("alert").filter(has_text="No table has this code")
    assert told.evaluate(ON_TOP)
    page_problems.expect("404")


@pytest.mark.parametrize("scripts", [True, False])
def test_result_is_entered_in_two_taps_with_and_without_scripts(
    open_phone: Callable[..., Page], game: MatchGame, scripts: bool
) -> None:
    page = open_phone(f"games/{game.game_id}/", "/en", java_script_enabled=scripts)
    page.get_by_role("link", name="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    page.get_by_text("Entered last, game 1").wait_for()

    assert [event["type"] for event in stored_events(game.game_id)] == ["game_opened", "game_closed"]


def test_card_tapped_twice_is_entered_once_with_the_phone_s_time(
    open_phone: Callable[..., Page], game: MatchGame
) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    page = open_phone(f"games/{game.game_id}/cards/", "/en")
    page.get_by_role("button", name="Red 7").dblclick()
    page.locator(".last-entry", has_text="red 7").wait_for()
    last = stored_events(game.game_id)[-1]

    assert (last["cards"], "at" in last, len(stored_events(game.game_id))) == (["R7"], True, 5)


def test_waiting_phone_opens_the_table_by_itself(
    open_page: Callable[..., Page], live_server: LiveServer, game: MatchGame
) -> None:
    event = game.match.stage.tournament.event
    pairing, secret = factories.make_pairing(event, admitted=False)
    page = open_page(viewport=PHONE)
    page.context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])
    page.goto(f"{live_server.url}/en/t/{game.match.table.code}/pair/")
    page.get_by_text(pairing.check_word).wait_for()
    pairing.admitted_at = pairing.asked_at
    pairing.save()
    page.get_by_role("link", name="Enter game 1").wait_for()


@pytest.mark.parametrize("scripts", [True, False])
def test_result_between_two_squads_of_one_team_is_entered_by_seat(
    open_page: Callable[..., Page], live_server: LiveServer, scripts: bool
) -> None:
    tournament = published(1, 2, format="round_robin")
    match_game = factories.games_of(tournament)[0]
    page = open_page(viewport=PHONE, has_touch=True, java_script_enabled=scripts)
    pair(page.context, match_game, live_server.url)
    page.goto(f"{live_server.url}/en/t/{match_game.match.table.code}/games/{match_game.game_id}/")
    assert page.evaluate(OVERFLOWS) is False
    page.locator(".tap.winner").nth(1).click()
    page.get_by_role("button", name="Yes, enter it").click()
    page.get_by_text("Entered last, game 1").wait_for()
    assert stored_events(match_game.game_id)[-1]["winner"] == 1
