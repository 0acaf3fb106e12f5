"""What a referee entered outlives mishaps: a restored service, a new edition, two tabs, a phone shut out."""

import sqlite3
from urllib.parse import parse_qs

import pytest
from django.db import connection
from playwright.sync_api import Response, expect
from pytest_django.live_server_helper import LiveServer

from games.logbook import stored_events
from people.actors import Actor
from people.models import Pairing
from people.pairings import revoke
from tests import factories
from tests.referee.offline import Opens, enter, line, opens, types_of
from tests.referee.test_referee_browser import pair
from tests.services.chromium import Problems
from tournaments import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db(transaction=True)

RESULT = ["game_opened", "game_closed"]
# The new worker has what it keeps, and has thrown away what the one before kept.
TAKEN_OVER = """async () => {
  for (let tries = 0; (await caches.keys()).join() !== "tendone-next"; tries++) {
    if (tries > 300) throw Error((await caches.keys()).join());
    await new Promise((done) => setTimeout(done, 50));
  }
}"""


@pytest.fixture
def game() -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]


@pytest.fixture
def phone(open_page: Opens, live_server: LiveServer, game: MatchGame, page_problems: Problems) -> Opens:
    # Requests that fail are what these tests are about.
    page_problems.allow("Failed to load resource")
    return opens(open_page, live_server, game)


@pytest.mark.sqlite
def test_what_a_restored_service_lacks_is_sent_again_and_told(phone: Opens, game: MatchGame) -> None:
    """Where somebody else has entered something in its place, the referee decides."""
    second = game.match.match_games.get(number=2)
    page = phone()
    copy = sqlite3.connect(":memory:")
    connection.connection.backup(copy)
    enter(page, 1, "Centro")
    page.get_by_text("Entered last, game 1").wait_for()
    enter(page, 2, "Centro")
    page.get_by_text("Entered last, game 2").wait_for()
    page.context.set_offline(True)
    assert [types_of(game), types_of(second)] == [RESULT, RESULT]
    copy.backup(connection.connection)
    assert [types_of(game), types_of(second)] == [[], []]
    other = {"type": "game_closed", "reason": "result", "winner": 1}
    results.write_log(second, Actor.command(), [(None, other)])
    page.context.set_offline(False)
    page.reload()
    expect(line(page)).to_have_text("1 refused: look at it")
    assert types_of(game) == RESULT
    line(page).click()
    page.get_by_text("The service was put back to an earlier state").wait_for()
    expect(page.locator(".entries li")).to_contain_text("the service had lost it: sent again")
    page.get_by_role("button", name="Enter mine anyway").click()
    expect(line(page)).to_have_text("all saved")
    assert types_of(second) == [*RESULT, "event_voided", "game_closed"]
    assert [stored_events(each.game_id)[-1]["winner"] for each in (game, second)] == [1, 0]


def test_a_new_edition_takes_over_without_losing_what_waits(
    phone: Opens, game: MatchGame, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = phone()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    enter(page, 1, "Centro")
    expect(line(page)).to_have_text("1 waits, will be sent")
    for module in ("referee.pages", "referee.views.app"):
        monkeypatch.setattr(f"{module}.edition", lambda _language: "next")
    page.context.route("**/enter/", lambda route: route.abort())
    page.evaluate("() => { window.isOld = true; }")
    page.context.set_offline(False)
    # An open page is loaded anew, with its new scripts, and brings the new worker with it.
    page.locator(".game-list a").nth(1).click()
    page.wait_for_function("() => !window.isOld")
    page.evaluate(TAKEN_OVER)
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.context.set_offline(True)
    page.reload()
    page.get_by_text("No network just now").wait_for()
    expect(line(page)).to_have_attribute("data-edition", "next")
    # The app's own address shows the table where the phone was.
    page.goto(f"{live_server.url}/en/t/")
    page.get_by_role("link", name="Enter game 2").wait_for()
    expect(line(page)).to_have_text("1 waits, will be sent")
    assert types_of(game) == []
    page.context.unroute("**/enter/")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")
    assert types_of(game) == RESULT


@pytest.mark.parametrize("takes_turns", [True, pytest.param(False, marks=pytest.mark.long)])
def test_two_tabs_of_a_phone_send_each_entry_once(phone: Opens, game: MatchGame, takes_turns: bool) -> None:
    """The twin, in a browser without locks, may send one twice; it counts once all the same."""
    one = phone(service_workers="block")
    if not takes_turns:
        one.context.add_init_script("delete Navigator.prototype.locks")
        one.reload()
    other = one.context.new_page()
    other.goto(one.url)
    sent: list[str] = []

    def note(answer: Response) -> None:
        if answer.url.endswith("/enter/") and answer.ok:
            sent.extend(parse_qs(answer.request.post_data or "")["id"])

    one.context.on("response", note)
    one.context.set_offline(True)
    for page, number in ((one, 1), (other, 2), (one, 3)):
        page.bring_to_front()
        enter(page, number, "Inferiore" if number == 3 else "Centro")
        said = "1 waits, will be sent" if number == 1 else f"{number} wait, will be sent"
        # Each tab says what waits on the phone, whichever it was entered in.
        expect(line(one)).to_have_text(said)
        expect(line(other)).to_have_text(said)
    one.context.set_offline(False)
    for page in (one, other):
        expect(line(page)).to_have_text("all saved")
    games = factories.games_of(game.match.stage.tournament)
    assert [types_of(each) for each in games] == [RESULT] * 3
    assert len(set(sent)) == 3
    assert len(sent) == 3 or not takes_turns


def test_what_waits_on_a_phone_that_was_shut_out_goes_out_once_it_is_let_in_again(
    phone: Opens, game: MatchGame, live_server: LiveServer
) -> None:
    page = phone()
    page.context.set_offline(True)
    enter(page, 1, "Centro")
    expect(line(page)).to_have_text("1 waits, will be sent")
    revoke(Pairing.objects.get(), Actor.command())
    page.context.set_offline(False)
    expect(line(page)).to_have_text("nothing is sent: pair again")
    line(page).click()
    page.get_by_text("This phone isn’t paired with any event").wait_for()
    page.get_by_text("Waiting until this phone is paired again").wait_for()
    expect(page.locator(".entries li")).to_contain_text("The result: ")
    assert types_of(game) == []
    pair(page.context, game, live_server.url)
    page.get_by_role("link", name="Pair this phone").click()
    expect(line(page)).to_have_text("all saved")
    assert types_of(game) == RESULT
