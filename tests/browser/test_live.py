"""Pages that follow each other: what is entered on one phone is seen on all open pages, and nothing that
somebody is in the middle of is taken away.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect
from pytest_django.live_server_helper import LiveServer

from people import pairings
from people.actors import Actor
from people.models import Account, Pairing
from people.pairings import COOKIE
from tests.support import factories
from tests.support.clients import sign_in
from tests.support.hurried_pages import hurried
from tests.support.services.chromium import Problems
from tests.support.stored_games import BEGIN
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.projections.standings import compute

pytestmark = pytest.mark.django_db(transaction=True)

COMMAND = Actor.command()
SHORT = {"width": 360, "height": 640}
POLLS = "/live/"
# A page asks again at once, and soon where it would after seconds.
FASTER = """() => {
  const now = performance.now.bind(performance);
  performance.now = () => 10 * now();
  document.querySelector("[data-asks]").dataset.every = "0.1";
}"""


@pytest.fixture
def organizer() -> Account:
    return factories.make_account()


@pytest.fixture
def tournament(organizer: Account) -> Tournament:
    return factories.drawn_tournament(factories.make_event(organizer), entries=1)


@pytest.fixture
def games(tournament: Tournament) -> list[MatchGame]:
    return factories.games_of(tournament)


@pytest.fixture
def open_page(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Pages that ask more often whether anything has changed."""
    return lambda **options: hurried(open_page(**options))


@pytest.fixture
def open_at(open_page: Callable[..., Page], live_server: LiveServer) -> Callable[..., Page]:
    """`open_at(path, **options)`: a page of somebody of whom nothing is known."""

    def opened(path: str, prepare: Callable[[BrowserContext], None] | None = None, **options: Any) -> Page:
        page = open_page(**options)
        if prepare:
            prepare(page.context)
        page.goto(live_server.url + path)
        return page

    return opened


@pytest.fixture
def phone_at(
    open_at: Callable[..., Page], live_server: LiveServer, games: list[MatchGame]
) -> Callable[..., Page]:
    """`phone_at(path)`: a paired phone at the first game's table."""
    event = games[0].match.stage.tournament.event

    def pair(context: BrowserContext) -> None:
        secret = factories.make_pairing(event)[1]
        context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])

    return lambda path: open_at(f"/en/t/{games[0].match.table.code}/{path}", pair, viewport=SHORT)


def entered(game: MatchGame, *events: dict[str, Any]) -> None:
    results.write_log(game, COMMAND, [(None, event) for event in events])


def test_result_from_a_phone_updates_every_open_page(
    phone_at: Callable[..., Page],
    open_at: Callable[..., Page],
    open_page: Callable[..., Page],
    live_server: LiveServer,
    organizer: Account,
    tournament: Tournament,
    games: list[MatchGame],
) -> None:
    event, first = tournament.event, games[0]
    phone, other = phone_at(f"games/{first.game_id}/"), phone_at("")
    public = open_at(f"/en/{event.slug}/{tournament.slug}/matches/{first.match_id}/")
    standings = open_at(f"/en/{event.slug}/{tournament.slug}/")
    desk = open_page()
    board = f"/en/desk/events/{event.slug}/board/"
    sign_in(desk, live_server.url, organizer, board)
    expect(desk.locator(".figures")).to_contain_text("0/3")
    for page in (other, public, standings, desk):
        page.evaluate("window.isTheSame = true")

    phone.get_by_role("link", name="Centro").click()
    phone.get_by_role("button", name="Yes, enter it").click()
    phone.get_by_text("Entered last, game 1").wait_for()
    compute(tournament.pk)

    expect(other.locator(".last-entry")).to_contain_text("Entered last, game 1")
    expect(other.get_by_role("link", name="Enter game 2")).to_be_visible()
    expect(desk.locator(".figures")).to_contain_text("1/3")
    expect(public.locator(".page-header .chip, .page-header .state").first).to_contain_text("playing")
    expect(standings.locator("main")).to_contain_text("1 of 3")

    assert [page.evaluate("window.isTheSame") for page in (other, public, standings, desk)] == [True] * 4


def test_public_page_published_late_is_fetched_until_it_comes(
    open_at: Callable[..., Page], tournament: Tournament, games: list[MatchGame]
) -> None:
    """However late: a busy machine takes its time to write a page whose mark has changed already."""
    page = open_at(f"/en/{tournament.event.slug}/")
    before, asked = page.content(), []

    def late(route: Route) -> None:
        if route.request.resource_type != "fetch":
            return route.fallback()
        asked.append(route.request.url)
        return route.fulfill(body=before, content_type="text/html") if len(asked) <= 7 else route.fallback()

    page.route(page.url, late)
    page.evaluate(FASTER)

    results.write_log(games[0], COMMAND, [(None, {"type": "game_closed", "reason": "result", "winner": 0})])
    compute(tournament.pk)

    expect(page.locator("main")).to_contain_text("1 of 3")

    assert len(asked) == 8


def test_phones_at_one_table_see_each_other_s_cards(
    phone_at: Callable[..., Page], games: list[MatchGame]
) -> None:
    game = games[0]
    first = phone_at(f"games/{game.game_id}/")
    # The other has begun to write the cards: this one follows it there.
    entered(game, *BEGIN)
    expect(first).to_have_url(f"{first.url.split('/games/')[0]}/games/{game.game_id}/cards/")
    expect(first.locator(".table-view [aria-label], .table-view").first).to_be_visible()
    entered(game, {"type": "cards_played", "seat": 1, "cards": ["R7"]})
    expect(first.locator(".last-entry")).to_contain_text("red 7")

    assert game.game.seats.count() == 2


def test_phone_keeps_an_open_step_when_the_game_goes_on(
    phone_at: Callable[..., Page], games: list[MatchGame]
) -> None:
    game = games[0]
    entered(game, *BEGIN)
    step, idle = phone_at(f"games/{game.game_id}/cards/?color=R"), phone_at(f"games/{game.game_id}/cards/")
    offered = step.locator(".taps").inner_html()
    entered(game, {"type": "cards_drawn", "seat": 1, "count": 1})
    expect(step.get_by_text("The game has gone on meanwhile")).to_be_visible()
    assert step.locator(".taps").inner_html() == offered
    expect(idle.get_by_role("heading", level=1)).to_contain_text("has drawn")
    step.get_by_role("link", name="See what is there now").click()
    expect(step.get_by_role("heading", level=1)).to_contain_text("has drawn")


def test_phone_polls_for_marks_and_goes_on_after_losing_the_network(
    phone_at: Callable[..., Page], games: list[MatchGame], page_problems: Problems
) -> None:
    page = phone_at(f"games/{games[0].game_id}/")
    asked: list[str] = []

    def count(request: Request) -> None:
        if POLLS in request.url or request.url == page.url:
            asked.append("mark" if POLLS in request.url else "page")

    page.on("request", count)
    with page.expect_request(f"**{POLLS}**"), page.expect_request(f"**{POLLS}**"):
        pass
    # Nothing has changed: not one page was made.
    assert set(asked) == {"mark"}
    page.context.set_offline(True)
    entered(games[0], *BEGIN)
    page.context.set_offline(False)
    expect(page.locator(".last-entry")).to_contain_text("red 5")
    # Whether it asked just then or not.
    page_problems.allow("ERR_INTERNET_DISCONNECTED")


def test_phone_with_a_wrong_clock_is_told_once(phone_at: Callable[..., Page], games: list[MatchGame]) -> None:
    page = phone_at("")
    page.evaluate("const right = Date.now; Date.now = () => right.call(Date) + 7_200_000")
    told = page.get_by_text("This phone’s clock is 2 hours fast.")
    expect(told).to_be_visible()
    page.get_by_role("button", name="Understood").click()
    expect(told).to_be_hidden()
    # Its other pages don't say it again.
    page.get_by_role("link", name="Enter game 1").click()
    expect(page.get_by_role("heading", name="Who has won?")).to_be_visible()
    expect(told).to_be_hidden()


def test_phone_admitted_or_revoked_is_told_at_once(
    open_at: Callable[..., Page], live_server: LiveServer, tournament: Tournament, games: list[MatchGame]
) -> None:
    pairing, secret = factories.make_pairing(tournament.event, admitted=False)

    def pair(context: BrowserContext) -> None:
        context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])

    page = open_at(f"/en/t/{games[0].match.table.code}/pair/", pair, viewport=SHORT)
    expect(page.get_by_text(pairing.check_word)).to_be_visible()
    pairings.admit(pairing, factories.make_account())
    expect(page.get_by_role("link", name="Enter game 1")).to_be_visible()
    pairings.revoke(Pairing.objects.get(pk=pairing.pk), COMMAND)
    expect(page.get_by_role("heading", name="This phone was shut out")).to_be_visible()
