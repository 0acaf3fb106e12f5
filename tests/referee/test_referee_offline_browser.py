"""A referee’s phone without a network: entries are kept, sent once and in order, and shown if refused."""

import random
import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from desk.phones import phones_of
from games.engine import ImpossibleStateError, State
from games.engine.events import GameClosed
from games.engine.state import CUT
from games.engine.transitions import TRANSITIONS
from games.logbook import stored_events
from people import pairings
from people.actors import Actor
from people.pairings import COOKIE
from tests.support import factories
from tests.support.accessibility import violations_by_scheme
from tests.support.offline_phone import KEPT, Opens, enter, line, opens
from tests.support.phones import WCAG, pair
from tests.support.rounds_play import published, turn_around
from tests.support.run.long import some
from tests.support.services import chromium
from tests.support.services.chromium import Problems
from tests.support.services.serving import serving
from tests.support.stored_games import BEGIN, types_of
from tests.support.waiting import wait_for
from tournaments.commands import results
from tournaments.formats.match_lengths import GameEnd, Length, MatchKind
from tournaments.models import MatchGame
from tournaments.standings import GameClosing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]


@pytest.fixture
def phone(open_page: Opens, live_server: LiveServer, game: MatchGame, page_problems: Problems) -> Opens:
    """A paired phone at the table, whose kit is on it."""
    # Requests that fail are what these tests are about.
    page_problems.allow("Failed to load resource")
    return opens(open_page, live_server, game)


def told_events(game: MatchGame) -> list[tuple[str, int | None]]:
    """What the log says happened, and to whom."""
    return [(event["type"], event.get("seat")) for event in stored_events(game.game_id)]


def write_down(page: Page, seat: int | None, event: str) -> None:
    """Tap who, and what, in the recorder; it stands there as the last entry then."""
    page.locator("[data-recorder]").wait_for()
    page.evaluate(RECORD, [seat, event])


# Chooses and taps, and waits until the page is there anew (its entries have ids of their own).
RECORD = """async ([seat, event]) => {
  const form = document.querySelector("[data-recorder]");
  if (seat !== null) form.querySelector(`[name=who][value="${seat}"]`).click();
  form.querySelector(`button[value*='${event}']`).click();
  while (form.isConnected) await new Promise((done) => setTimeout(done, 10));
}"""


def test_result_entered_without_a_network_is_sent_once_there_is_one(phone: Opens, game: MatchGame) -> None:
    page = phone()
    expect(line(page)).to_have_text("all saved")
    page.context.set_offline(True)
    page.get_by_role("link", name="Enter game 1").click()
    page.locator(".tap.winner", has_text="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.get_by_role("link", name="Enter game 2").wait_for()
    assert types_of(game) == []
    page.context.set_offline(False)
    page.get_by_text("Entered last, game 1").wait_for()
    expect(line(page)).to_have_text("all saved")
    assert types_of(game) == ["game_opened", "game_closed"]
    assert stored_events(game.game_id)[-1]["winner"] == 1


def test_page_opened_without_a_network_sends_with_a_csrf_token_at_once(phone: Opens, game: MatchGame) -> None:
    page = phone()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()
    answers: list[int] = []
    page.on(
        "response", lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None
    )

    enter(page, 1, "Centro")
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")

    assert (answers, types_of(game)) == ([200], ["game_opened", "game_closed"])


def test_entry_confirmed_after_the_network_has_gone_can_be_undone(phone: Opens, game: MatchGame) -> None:
    """The question was asked with a network, the answer is given without one."""
    page = phone(f"games/{game.game_id}/")
    page.get_by_role("link", name="Centro").click()
    page.get_by_role("button", name="Yes, enter it").wait_for()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.get_by_role("button", name="Yes, enter it").click()
    page.get_by_text("Entered last, game 1").wait_for()
    page.reload()
    page.get_by_role("button", name="Undo").click()
    expect(line(page)).to_have_text("all saved")
    page.get_by_role("link", name="Enter game 1").wait_for()
    page.context.set_offline(False)
    page.reload()
    page.get_by_text("No network just now").wait_for(state="detached")
    expect(line(page)).to_have_text("all saved")

    assert types_of(game) == []


def test_result_is_taken_back_and_put_right_without_a_network(phone: Opens, game: MatchGame) -> None:
    """Where a second person confirms: the pages say what waits for that, and don't do it themselves."""
    tournament = game.match.stage.tournament
    tournament.settings = {**tournament.settings, "confirmation": "second_person", "bell": "one_more_card"}
    tournament.save()
    page = phone(f"games/{game.game_id}/")
    page.context.set_offline(True)
    page.get_by_role("link", name="Bell, forfeit").click()
    page.get_by_role("link", name="Count the cards").click()
    expect(page.locator(".taps.three .tap")).to_have_text(["Superiore", "Centro"])
    page.get_by_role("link", name="They play on").wait_for()
    page.get_by_role("link", name="Superiore").click()
    page.get_by_text("It counts once a second person has confirmed it").wait_for()
    page.get_by_role("button", name="Yes, enter it").click()
    # What never left the phone is undone there.
    page.get_by_text("Entered last, game 1").wait_for()
    expect(page.locator(".game-list .chip")).to_have_text(["waiting to be sent", "to be confirmed"])
    page.get_by_role("button", name="Undo").click()
    expect(line(page)).to_have_text("all saved")
    expect(page.locator(".game-list .chip")).to_have_count(0)
    # What is stored is taken back by a correction, which waits like any other entry.
    page.context.set_offline(False)
    results.write_log(game, Actor.command(), [(None, {"type": "game_closed", "reason": "time", "winner": 0})])
    page.goto(f"{page.url.partition('/matches')[0]}/games/{game.game_id}/")
    page.locator(KEPT).wait_for()
    page.context.set_offline(True)
    page.get_by_role("button", name="Yes, confirm it").click()
    page.get_by_text("Only with the network can a result be confirmed").wait_for()
    assert "to be confirmed" in page.locator("h1").inner_text()
    page.get_by_role("link", name="Undo").click()
    page.get_by_role("button", name="The winner is wrong").click()
    page.get_by_role("link", name="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    expect(line(page)).to_have_text("2 wait, will be sent")
    page.get_by_text("Entered last, game 1: The result").wait_for()
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")
    assert types_of(game) == ["game_opened", "game_closed", "event_voided", "game_closed"]
    assert stored_events(game.game_id)[-1]["winner"] == 1


def test_forty_entries_arrive_once_and_in_order_though_the_tab_is_killed(
    phone: Opens, game: MatchGame
) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    page = phone(f"games/{game.game_id}/cards/")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    wanted = [(type_, seat) for seat in (1, 0) * 10 for type_ in ("cards_drawn", "turn_passed")]
    page.locator(".back").first.click()
    page.get_by_role("link", name="Enter game 1").wait_for()
    page.reload()
    page.get_by_role("link", name="Enter game 1").click()
    for type_, seat in wanted[:20]:
        write_down(page, seat, type_)
    expect(line(page)).to_have_text("20 wait, will be sent")
    address, context = page.url, page.context
    page.close(run_before_unload=False)
    page = context.new_page()
    page.goto(address)
    for type_, seat in wanted[20:]:
        write_down(page, seat, type_)
    page.reload()
    expect(line(page)).to_have_text("40 wait, will be sent")
    assert len(types_of(game)) == 4
    context.set_offline(False)
    expect(line(page)).to_have_text("all saved")
    assert told_events(game)[4:] == wanted


@pytest.mark.parametrize("keeps_ids", [True, False])
def test_entry_whose_answer_is_lost_counts_once_by_its_id(
    phone: Opens, game: MatchGame, keeps_ids: bool
) -> None:
    """Sent again with its id it counts once; the twin, with another id each time, is taken for somebody
    else's.
    """
    page = phone(f"games/{game.game_id}/", service_workers="block")
    sent: list[str] = []

    def lose(route: Route) -> None:
        body = route.request.post_data or ""
        if not keeps_ids:
            body = re.sub(r"id=[0-9a-f-]{36}", f"id={uuid4()}", body)
        sent.append(body)
        if len(sent) < 3:
            route.fetch(post_data=body)
            route.abort()
        else:
            route.continue_(post_data=body)

    page.route("**/enter/", lose)
    page.get_by_role("link", name="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    # Nothing was entered yet where "all saved" stands from the beginning; this it leads to.
    page.get_by_text("Entered last").wait_for()
    expect(line(page)).to_have_text("all saved")
    line(page).click()
    page.get_by_role("heading", name="Saved" if keeps_ids else "Withdrawn").wait_for()

    assert (len(sent), types_of(game)) == (3, ["game_opened", "game_closed"])


def test_entries_arrive_over_a_slow_network_that_drops_a_third(
    phone: Opens, game: MatchGame, open_page: Opens
) -> None:
    page = phone(service_workers="block")
    page.context.set_offline(True)
    for number in (1, 2, 3):
        page.get_by_role("link", name=f"Enter game {number}").click()
        page.locator(".tap.winner").first.click()
        page.get_by_role("button", name="Yes, enter it").click()
        expect(line(page)).to_have_text(
            "1 waits, will be sent" if number == 1 else f"{number} wait, will be sent"
        )
    chance = random.Random(1)  # which requests are lost
    lost: list[bool] = []

    def drop(route: Route) -> None:
        lost.append(chance.random() < 0.3)
        if not lost[-1]:
            route.continue_()
        elif chance.random() < 0.5:
            route.fetch()
            route.abort()
        else:
            route.abort()

    page.route("**/t/**", drop)
    slowly = {"offline": False, "latency": 150, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    page.context.set_offline(False)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slowly)
    expect(line(page)).to_have_text("all saved")
    games = factories.games_of(game.match.stage.tournament)
    assert [types_of(each) for each in games] == [["game_opened", "game_closed"]] * 3
    assert any(lost)
    # What is under way still would end in the next test.
    page.unroute_all(behavior="wait")


def test_two_phones_with_different_results_are_a_conflict_to_decide(phone: Opens, game: MatchGame) -> None:
    one, other = phone(f"games/{game.game_id}/"), phone(f"games/{game.game_id}/")
    one.context.set_offline(True)
    for page, team in ((one, "Centro"), (other, "Superiore")):
        page.get_by_role("link", name=team).click()
        page.get_by_role("button", name="Yes, enter it").click()
    other.get_by_text("Entered last, game 1").wait_for()
    one.context.set_offline(False)
    expect(line(one)).to_have_text("1 refused: look at it")
    line(one).click()
    one.get_by_text("Another phone, or an earlier tap, entered something first.").wait_for()
    assert stored_events(game.game_id)[-1]["winner"] == 0
    one.get_by_role("button", name="Enter mine anyway").click()
    expect(line(one)).to_have_text("all saved")
    expect(one.locator(".entries li")).to_have_count(1)
    assert types_of(game) == ["game_opened", "game_closed", "event_voided", "game_closed"]
    assert stored_events(game.game_id)[-1]["winner"] == 1


def test_two_phones_with_the_same_result_store_it_once(phone: Opens, game: MatchGame) -> None:
    one, other = phone(f"games/{game.game_id}/"), phone(f"games/{game.game_id}/")
    one.context.set_offline(True)
    for page in (one, other):
        page.get_by_role("link", name="Centro").click()
        page.get_by_role("button", name="Yes, enter it").click()
    other.get_by_text("Entered last, game 1").wait_for()
    expect(line(one)).to_have_text("1 waits, will be sent")
    one.context.set_offline(False)
    expect(line(one)).to_have_text("all saved")
    line(one).click()
    one.get_by_text("it was there already: somebody had entered the same").wait_for()

    assert types_of(game) == ["game_opened", "game_closed"]


def test_late_game_of_a_decided_match_is_kept_and_holds_up_no_other(
    open_page: Opens, live_server: LiveServer, page_problems: Problems
) -> None:
    page_problems.allow("Failed to load resource")
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(4, 1, format="single_elimination", match=best_of_three, tables=1)
    first, second, third, other, *_rest = factories.games_of(tournament)
    for game, side in ((first, 0), (second, 1)):
        results.enter_result(game, Actor.command(), seat=game.sides.index(side))
    page = opens(open_page, live_server, third)(f"games/{third.game_id}/")
    tab = page.context.new_page()
    tab.goto(f"{live_server.url}/en/t/{third.match.table.code}/games/{other.game_id}/")
    tab.locator(KEPT).wait_for()
    page.context.set_offline(True)
    for each in (page, tab):
        each.locator(".tap.winner").first.click()
        each.get_by_role("button", name="Yes, enter it").click()
    expect(line(page)).to_have_text("2 wait, will be sent")
    # Meanwhile the desk corrects the second game, and that decides the match.
    turn_around(second)
    page.context.set_offline(False)

    expect(line(page)).to_have_text("1 refused: look at it")
    wait_for(lambda: types_of(other) == ["game_opened", "game_closed"])
    assert types_of(third) == []
    page.goto(f"{live_server.url}/en/t/phone/")
    page.get_by_text("This match is decided already, so game 3 doesn’t count.").wait_for()
    expect(page.get_by_role("button", name="Enter mine anyway")).to_have_count(0)
    # What was entered is kept, and counts if the desk corrects the match once more.
    turn_around(second)
    page.get_by_role("button", name="Send it again").click()
    expect(line(page)).to_have_text("all saved")
    assert types_of(third) == ["game_opened", "game_closed"]


def test_match_that_is_decided_without_a_network_asks_for_no_other_game(
    open_page: Opens, live_server: LiveServer, page_problems: Problems
) -> None:
    page_problems.allow("Failed to load resource")
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(2, 1, format="single_elimination", match=best_of_three, tables=1)
    game = factories.games_of(tournament)[0]
    page = opens(open_page, live_server, game)()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.get_by_role("link", name="Enter game 1").click()
    page.locator(".tap.winner", has_text="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    expect(page.locator(".look-line")).to_contain_text("Best of 3 · ")
    score = page.locator(".look-line b")
    expect(score).to_have_text(re.compile("^(1 – 0|0 – 1)$"))
    ahead = score.inner_text()
    expect(page.locator(".game-list li")).to_have_count(3)
    page.get_by_role("link", name="Enter game 2").click()
    page.locator(".tap.winner", has_text="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()

    score_then = ahead.replace("1", "2")
    told = f"The results on this phone decide this match once they are sent: {score_then}"
    decided = page.get_by_role("heading", name=told)
    decided.wait_for()
    page.reload()
    decided.wait_for()
    expect(page.get_by_role("link", name="Enter game")).to_have_count(0)
    expect(page.locator(".game-list li")).to_have_count(2)
    # What is undone opens it again.
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name="Enter game 2").wait_for()
    expect(score).to_have_text(ahead)
    expect(page.locator(".game-list li")).to_have_count(3)


CHANCE = random.Random(7)  # which ends a match has
KINDS = [
    MatchKind(length, games, decisive)
    for length, most in ((Length.ONE_GAME, 1), (Length.BEST_OF, 5), (Length.FIRST_TO, 3))
    for games in range(1, most + 1)
    for decisive in (False, True)
]
STANDINGS = """async (asked) => {
  const { isNeeded, standing } = await import("/static/js/referee/series.js");
  return asked.map(([kind, sides, ends]) => [
    standing(kind, sides, ends.filter(Boolean)).points,
    ends.map((end, place) => [false, true].map((isBegun) => isNeeded(kind, sides, ends, place + 1, isBegun))),
  ]);
}"""


def test_phone_decides_a_match_as_the_service_does(open_page: Opens, live_server: LiveServer) -> None:
    """Any kind of match, with games that are open between others, as after a correction."""
    sides = range(2)
    ends = [
        None,
        *(GameEnd(side, closed) for side in sides for closed in (GameClosing.PLAYED, GameClosing.FORFEIT)),
    ]
    ends += [GameEnd(None, closed) for closed in GameClosing if closed is not GameClosing.PLAYED]
    matches = [(kind, CHANCE.choices(ends, k=CHANCE.randint(1, 6))) for kind in KINDS * some(100)]
    asked = [
        [
            {"length": kind.length, "games": kind.games, "decisive": kind.decisive},
            len(sides),
            [end and {"winner": end.winner, "closed": end.closed} for end in found],
        ]
        for kind, found in matches
    ]
    page = open_page()
    page.goto(f"{live_server.url}/en/t/")

    answers = page.evaluate(STANDINGS, asked)

    assert answers == [
        [
            [int(each) for each in kind.state(sides, [end for end in found if end]).points],
            [
                [not kind.is_decided_without(sides, found, at, is_begun=begun) for begun in (False, True)]
                for at in range(1, len(found) + 1)
            ],
        ]
        for kind, found in matches
    ]


def test_entries_after_a_refused_one_wait_for_the_referee(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    page.context.set_offline(True)
    page.get_by_role("link", name="Write the cards").click()
    for seat, event in ((0, "dealer_named"), (0, "turn_passed"), (0, "deal_started"), (1, "cards_drawn")):
        write_down(page, seat, event)
    # What was never sent can be taken back.
    page.get_by_role("button", name="Undo").click()
    expect(line(page)).to_have_text("3 wait, will be sent")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("1 refused: look at it")
    assert types_of(game) == ["game_opened", "dealer_named"]
    line(page).click()
    page.get_by_text("more of this game wait for what you decide").wait_for()
    page.get_by_role("button", name="Withdraw this one").click()
    expect(line(page)).to_have_text("all saved")
    assert types_of(game) == ["game_opened", "dealer_named", "deal_started"]
    expect(page.locator(".entries li")).to_have_count(4)
    assert violations_by_scheme(page, (*WCAG, "best-practice")) == []


def test_plain_http_page_goes_on_without_a_network_if_it_stays_open(
    browser: Browser, live_server: LiveServer, game: MatchGame, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["palio.test"]
    rules = "--host-resolver-rules=MAP palio.test 127.0.0.1"
    path = chromium.executable()

    with browser.browser_type.launch(executable_path=path, args=[*chromium.ARGUMENTS, rules]) as elsewhere:
        context = elsewhere.new_context(viewport={"width": 360, "height": 640})
        context.set_default_timeout(chromium.PATIENCE)
        address = live_server.url.replace("localhost", "palio.test")
        pair(context, game, address)
        page = context.new_page()
        page.goto(f"{address}/en/t/{game.match.table.code}/")
        page.locator(KEPT).wait_for()
        context.set_offline(True)
        page.get_by_role("link", name="Enter game 1").click()
        page.get_by_text("Keep this page open").wait_for()
        page.get_by_role("link", name="Centro").click()
        page.get_by_role("button", name="Yes, enter it").click()
        expect(line(page)).to_have_text("1 waits, will be sent")
        context.set_offline(False)
        expect(line(page)).to_have_text("all saved")

    assert types_of(game) == ["game_opened", "game_closed"]


@pytest.mark.sqlite
def test_https_with_its_own_certificate_opens_again_without_a_network(
    browser: Browser, game: MatchGame, tmp_path: Path
) -> None:
    secret = factories.make_pairing(game.match.stage.tournament.event)[1]
    # With a festival in its database it needn't make a sample.
    (var := tmp_path / "var").mkdir()
    with closing(sqlite3.connect(var / "tendone.sqlite3")) as copy:
        connection.connection.backup(copy)
    trusting = [*chromium.ARGUMENTS, "--ignore-certificate-errors"]
    path = chromium.executable()
    with (
        serving(var, "--lan") as (_port, lines),
        browser.browser_type.launch(executable_path=path, args=trusting) as elsewhere,
    ):
        base = lines["Public page"].rstrip("/")
        context = elsewhere.new_context(viewport={"width": 360, "height": 640}, ignore_https_errors=True)
        context.add_cookies([{"name": f"__Host-{COOKIE}", "value": secret, "url": base}])
        context.set_default_timeout(chromium.PATIENCE)
        page = context.new_page()
        page.goto(f"{base}/t/{game.match.table.code}/")
        page.locator(KEPT).wait_for()
        page.evaluate("() => navigator.serviceWorker.ready")
        context.set_offline(True)
        page.reload()
        page.get_by_text("Ora non c’è rete").wait_for()
        page.locator("main .tap.main").click()
        page.locator(".tap.winner").first.click()
        page.get_by_role("button", name="Sì, inserisci").click()
        expect(line(page)).to_have_text("1 in attesa, partirà")
        context.set_offline(False)
        expect(line(page)).to_have_text("tutto salvato")
    assert base.startswith("https://")


def test_entry_the_engine_can_t_follow_waits_and_holds_up_no_other_game(
    phone: Opens, live_server: LiveServer, game: MatchGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The desk hears at once how many entries wait.
    monkeypatch.setattr(pairings, "SEEN_EVERY", timedelta())
    event = game.match.stage.tournament.event
    entries = [str(seat.entry) for seat in game.game.seats.order_by("number")]

    def impossible(state: State, event: GameClosed) -> None:
        if [seat.name for seat in state.seats] == entries:
            raise ImpossibleStateError("a fault that was put in")
        evolve(state, event)

    check, evolve = TRANSITIONS[CUT][GameClosed]
    monkeypatch.setitem(TRANSITIONS[CUT], GameClosed, (check, impossible))
    other = factories.games_of(game.match.stage.tournament)[2]
    page = phone(f"games/{game.game_id}/")
    page.get_by_role("link", name="Centro").click()
    page.get_by_role("button", name="Yes, enter it").click()
    expect(line(page)).to_have_text("1 refused: look at it")
    page.goto(f"{live_server.url}/en/t/{game.match.table.code}/games/{other.game_id}/")
    page.locator(".tap.winner").first.click()
    page.get_by_role("button", name="Yes, enter it").click()
    wait_for(lambda: types_of(other) == ["game_opened", "game_closed"])
    page.goto(f"{live_server.url}/en/t/{game.match.table.code}/")
    wait_for(lambda: phones_of(event).waiting_entries == 1)
    assert types_of(game) == []
    page.goto(f"{live_server.url}/en/t/phone/")
    page.get_by_text("The service can’t follow this game any further").wait_for()

    monkeypatch.undo()
    page.get_by_role("button", name="Send it again").click()

    expect(line(page)).to_have_text("all saved")
    assert types_of(game) == ["game_opened", "game_closed"]
