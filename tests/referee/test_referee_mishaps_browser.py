"""What a referee entered outlives mishaps: a restored service, a new edition, two tabs, a phone shut out."""

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from playwright.sync_api import Response, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.engine import Ruleset, Seat, event_to_json, play_random_game
from games.logbook import stored_events
from ledger.models import Fact
from people.actors import Actor
from people.models import Pairing
from people.pairings import revoke
from tests.support import factories
from tests.support.offline_phone import Opens, enter, line, opens
from tests.support.phones import pair
from tests.support.services.chromium import Problems
from tests.support.stored_games import types_of
from tournaments.commands import results
from tournaments.commands.close import close_tournament
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

# Entries of a game that were made without a network, put where the phone keeps them, and sent.
FILL = """async ({ to, events }) => {
  const script = [...document.scripts].find((each) => each.type === "module").src;
  const [store, queue] = await Promise.all(
    ["store.js", "queue.js"].map((name) => import(new URL(name, script))));
  const [code, game] = [to.split("/").at(-5), to.split("/").at(-3)];
  const at = new Date().toISOString();
  const same = { code, game, to, at, kind: "enter", version: 0, state: "waiting" };
  let after = null;
  for (const event of events) {
    const id = crypto.randomUUID();
    await store.add({ ...same, id, after, ends: false, fields: [["event", JSON.stringify(event)]] });
    after = id;
  }
  await queue.send();
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
def test_restored_service_is_sent_the_entries_again_that_it_lacks(phone: Opens, game: MatchGame) -> None:
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


def test_new_edition_of_the_app_takes_over_without_losing_what_waits(
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


def test_revoked_phone_sends_what_waits_once_it_is_paired_again(
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


@pytest.mark.sqlite
def test_full_disk_is_told_on_the_phone_while_an_entry_waits(
    phone: Opens, game: MatchGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(*_args: Any, **_fields: Any) -> Any:
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise OperationalError("database or disk is full") from full

    page = phone()
    with monkeypatch.context() as patched:
        patched.setattr(results, "write_log", write)
        enter(page, 1, "Centro")
        expect(line(page)).to_have_text("1 waits, will be sent: The service’s disk is full")
        line(page).click()
        page.get_by_text("What you entered is kept on this phone and is sent by itself").wait_for()
        assert types_of(game) == []
    expect(line(page)).to_have_text("all saved")

    assert types_of(game) == RESULT


@pytest.mark.sqlite
def test_entry_for_a_closed_tournament_is_refused_and_stays_on_the_phone(
    phone: Opens, game: MatchGame
) -> None:
    tournament = game.match.stage.tournament
    page = phone()
    page.context.set_offline(True)
    enter(page, 1, "Centro")
    expect(line(page)).to_have_text("1 waits, will be sent")
    for each in factories.games_of(tournament):
        results.enter_result(each, Actor.command(), seat=1)
    before = stored_events(game.game_id)
    close_tournament(tournament, Actor.command())
    page.context.set_offline(False)
    expect(line(page)).to_have_text("1 refused: look at it")
    line(page).click()
    expect(page.locator(".refusal")).to_contain_text("The result: ")

    assert stored_events(game.game_id) == before


@pytest.mark.sqlite
def test_batch_that_arrives_late_and_again_counts_once(phone: Opens, game: MatchGame) -> None:
    """The first request is lost on its way and delivered after all that followed it."""
    page = phone(service_workers="block")
    late: list[Route] = []

    def hold_first(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append(route)
            route.abort()

    page.route("**/enter/", hold_first)
    second = game.match.match_games.get(number=2)
    for number, each in ((1, game), (2, second)):
        # The browser's own wait: what holds the first request runs only while it waits.
        with page.expect_response(f"**/games/{each.game_id}/enter/"):
            enter(page, number, "Centro")
        page.get_by_text(f"Entered last, game {number}").wait_for()
    expect(line(page)).to_have_text("all saved")
    before = [stored_events(each.game_id) for each in (game, second)]
    assert [types_of(each) for each in (game, second)] == [RESULT, RESULT]
    request = late[0].request
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    for _ in range(2):
        answer = page.request.post(
            request.url,
            data=request.post_data or "",
            headers=headers | {"X-CSRFToken": request.headers["x-csrftoken"]},
        )
        assert (answer.status, len(answer.json()["accepted"])) == (200, 1)
    assert [stored_events(each.game_id) for each in (game, second)] == before


@pytest.mark.sqlite
def test_thousand_entries_of_one_game_arrive(
    open_page: Opens, live_server: LiveServer, page_problems: Problems
) -> None:
    page_problems.allow("Failed to load resource")
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, ruleset="house")
    game = factories.games_of(tournament)[0]
    rules = Ruleset.from_json(tournament.settings["ruleset"])
    # One of the seeds with which a game is long.
    played = play_random_game(rules, [Seat("a", "A"), Seat("b", "B")], 136, table=True)
    events = [event_to_json(each) for each in played[1:1_001]]
    page = opens(open_page, live_server, game)(service_workers="block")
    page.evaluate(
        FILL, {"to": f"/en/t/{game.match.table.code}/games/{game.game_id}/enter/", "events": events}
    )
    expect(line(page)).to_have_text("all saved", timeout=120_000)

    assert types_of(game) == ["game_opened", *(event["type"] for event in events)]


@pytest.mark.sqlite
@pytest.mark.parametrize("days", [-1, pytest.param(1, marks=pytest.mark.long)])
def test_phone_whose_clock_is_a_day_off_enters_a_result_that_counts(
    phone: Opens, game: MatchGame, days: int
) -> None:
    page = phone()
    page.context.clock.set_system_time(datetime.now(UTC) + timedelta(days=days))
    page.context.set_offline(True)
    enter(page, 1, "Centro")
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")
    page.get_by_text("Entered last, game 1").wait_for()
    page.reload()
    page.get_by_text("Entered last, game 1").wait_for()
    (*_, closed) = Fact.objects.filter(stream_id=game.game_id).order_by("sequence")

    assert types_of(game) == RESULT
    assert abs(closed.recorded_at - timezone.now()) < timedelta(hours=1)
