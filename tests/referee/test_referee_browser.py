"""A referee's pages on a phone of 360 by 640: big enough to tap, within reach of a thumb, with and without
scripts.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from games.logbook import stored_events
from people.actors import Actor
from people.pairings import COOKIE
from tests import factories
from tests.services.access import SCHEMES, violations_in
from tests.services.chromium import Problems
from tests.tournaments.rounds.support import published
from tournaments import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 640}
WCAG = ("wcag2a", "wcag2aa", "wcag2aaa", "wcag21aa", "wcag22aa")
BEGIN: tuple[dict[str, Any], ...] = (
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R5"},
)
TARGETS = """() => [...document.querySelectorAll("main a, main button, main select, main input, header a")]
  .filter((each) => each.type !== "hidden" && each.offsetParent)
  .map((each) => [each.getBoundingClientRect(), each.textContent.trim() || each.name])
  .filter(([box]) => box.width < 44 || box.height < 44).map(([box, name]) => name)"""
TOPS = """() => [...document.querySelectorAll("main .tap:not([disabled]), main .tap.main")]
  .filter((each) => each.offsetParent).map((each) => each.getBoundingClientRect().bottom)"""
OVERFLOWS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
ON_TOP = """(each) => {
    const box = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}"""
READ = ("/log/", "/t/phone/", "/t/practice/")
"""Lists, as long as what they tell: nothing has to be tapped there."""
MAIN_HEIGHT = "() => document.querySelector('main').getBoundingClientRect().bottom + scrollY"


@pytest.fixture
def game() -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]


def pair(context: BrowserContext, game: MatchGame, address: str) -> None:
    """Give the phone a pairing that is in."""
    event = game.match.stage.tournament.event
    context.add_cookies([{"name": COOKIE, "value": factories.make_pairing(event)[1], "url": address}])


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


def every_page(game: MatchGame) -> list[str]:
    """Pages of a begun game, and of another that wasn't, at the same table."""
    other = game.match.match_games.get(number=2).game_id
    team = game.match.match_games.get(number=2).game.seats.get(number=0).team
    table = f"/t/{game.match.table.code}/"
    begun, fresh = f"{table}games/{game.game_id}/", f"{table}games/{other}/"
    return [
        "/t/",
        "/t/phone/",
        "/t/practice/",
        table,
        fresh,
        f"{fresh}end/",
        f"{fresh}bell/",
        f"{fresh}confirm/?team={team}",
        f"{fresh}cards/",
        f"{fresh}cards/?do=cut",
        f"{fresh}cards/?do=cut&color=R",
        f"{begun}cards/",
        f"{begun}cards/?card=W",
        f"{begun}cards/?do=more",
        f"{begun}log/",
        f"{begun}instead/?line=4",
        f"{begun}wrong/?line=4",
    ]


def strange_pages(game: MatchGame) -> list[str]:
    """Pages of the same table for a phone that nobody knows."""
    table = f"/t/{game.match.table.code}/"
    return [table, f"{table}pair/", f"{table}pair/pin/"]


def steps_of_friends(game: MatchGame) -> list[str]:
    """Steps that only rules with cards together have, and the last card but one."""
    cards = f"/t/{game.match.table.code}/games/{game.game_id}/cards/"
    return [
        cards,
        *(cards + step for step in ("?several=1", "?several=1&card=R7", "?uno=1", "?uno=0&card=W")),
    ]


def assert_usable(page: Page, path: str) -> None:
    """By day and by night: targets for a thumb, nothing cut off, main taps in the lower half; and what axe
    says.
    """
    broken: list[tuple[str, str, str]] = []
    for scheme in SCHEMES:
        broken += violations_in(page, scheme, WCAG)
        assert (path, page.evaluate(TARGETS)) == (path, [])
        assert (path, page.evaluate(OVERFLOWS)) == (path, False)
        if not path.endswith(READ):
            assert (path, page.evaluate(MAIN_HEIGHT) <= PHONE["height"] + 60) == (path, True)
            # The last tap, which is the main one or beside it, lies in the lower half.
            assert (path, max(page.evaluate(TOPS)) > PHONE["height"] / 2) == (path, True)
    assert (path, broken) == (path, [])


@pytest.mark.parametrize("language", ["", pytest.param("/en", marks=pytest.mark.long)])
def test_every_page_can_be_used_with_one_thumb_and_by_everybody(
    open_phone: Callable[..., Page],
    live_server: LiveServer,
    game: MatchGame,
    language: str,
) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    page = open_phone(language=language)
    for path in every_page(game):
        page.goto(live_server.url + language + path)
        assert_usable(page, path)
    page.context.clear_cookies()
    for path in strange_pages(game):
        page.goto(live_server.url + language + path)
        assert_usable(page, path)


def test_a_mistyped_code_is_told_above_all_tables(
    open_page: Callable[..., Page], live_server: LiveServer, page_problems: Problems
) -> None:
    game = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=6, tables=6))[0]
    page = open_page(viewport=PHONE, has_touch=True)
    pair(page.context, game, live_server.url)
    page.goto(f"{live_server.url}/en/t/AAAAAA/")
    told = page.get_by_role("alert").filter(has_text="No table has this code")
    assert told.evaluate(ON_TOP)
    page_problems.expect("404")


def test_cards_together_and_the_last_but_one_can_be_tapped_too(
    open_page: Callable[..., Page], live_server: LiveServer
) -> None:
    rules = {"preset": "house", "hand_size": 3}
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, tables=1, ruleset=rules)
    game = factories.games_of(tournament)[0]
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    page = open_page(viewport=PHONE, has_touch=True)
    pair(page.context, game, live_server.url)
    for path in steps_of_friends(game)[:3]:
        page.goto(live_server.url + path)
        assert_usable(page, path)
    played = [
        {"type": "cards_played", "seat": seat, "cards": [card]} for seat, card in ((1, "R7"), (0, "R1"))
    ]
    results.write_log(game, Actor.command(), [(None, event) for event in played])
    for path in steps_of_friends(game)[3:]:
        page.goto(live_server.url + path)
        assert_usable(page, path)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_result_in_two_taps(open_phone: Callable[..., Page], game: MatchGame, scripts: bool) -> None:
    page = open_phone(f"games/{game.game_id}/", "/en", java_script_enabled=scripts)
    page.get_by_role("link", name="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    page.get_by_text("Entered last, game 1").wait_for()
    assert [event["type"] for event in stored_events(game.game_id)] == ["game_opened", "game_closed"]


def test_a_card_with_the_phones_time(open_phone: Callable[..., Page], game: MatchGame) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    page = open_phone(f"games/{game.game_id}/cards/", "/en")
    page.get_by_role("button", name="Red 7").dblclick()
    page.locator(".last-entry", has_text="red 7").wait_for()
    last = stored_events(game.game_id)[-1]
    assert (last["cards"], "at" in last, len(stored_events(game.game_id))) == (["R7"], True, 5)


def test_the_waiting_phone_opens_the_table_by_itself(
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


@pytest.mark.parametrize("scripts", [pytest.param(True, marks=pytest.mark.long), False])
def test_a_result_between_two_squads_of_one_team(
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
