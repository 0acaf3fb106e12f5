"""A game that is written down on a phone without a network, by taps alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games import logbook
from games.logbook import stored_events
from people.actors import Actor
from referee import offline_recorder
from tests.referee.recording import Recorder, pairs
from tests.support import factories
from tests.support.accessibility import violations_by_scheme
from tests.support.phones import OVERFLOWS, PHONE, TARGETS, WCAG, pair
from tests.support.services.chromium import Problems
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db(transaction=True)

RULES = {"preset": "house", "hand_size": 52, "zero_gift": True, "burn": True}
"""Three cards are left in the pile, so that it soon runs out."""
KEPT = "html[data-kept]"
ENTRIES = """async () => (await new Promise((done) => {
  const asked = indexedDB.open("tendone");
  asked.onsuccess = () => {
    const entries = asked.result.transaction("entries").objectStore("entries").getAll();
    entries.onsuccess = () => { asked.result.close(); done(entries.result); };
  };
})).map((entry) => [entry.state, entry.told, entry.fields[0][1]])"""


LOWEST = "() => document.querySelector('[data-tabs]').getBoundingClientRect().bottom + scrollY"


def played(seat: int, *cards: str, **more: Any) -> dict[str, Any]:
    return {"type": "cards_played", "seat": seat, "cards": list(cards), **more}


def drawn(seat: int, count: int) -> dict[str, Any]:
    return {"type": "cards_drawn", "seat": seat, "count": count}


def all_of(number: str, colors: str) -> list[str]:
    return [color + number for color in colors for _ in range(2)]


BEFORE: list[dict[str, Any]] = [
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R5"},
    *(
        played((number + 1) % 2, *all_of(cards[0], cards[1:]))
        for number, cards in enumerate(["7RYGB", "8BRYG", "9GYBR", "6RGBY", "4YRGB", "3BYRG", "2GYBR"])
    ),
    *(played(0, color + "R") for color in "RRYYGGBB"),
    played(0, *all_of("1", "BRGY")),
    *(played(1, color + "S") for color in "YYRRGGBB"),
]
"""Both have twelve cards left."""
PASSAGE: list[dict[str, Any]] = [
    played(1, "B0", "R0", "Y0", "G0"),
    played(0, "G5", "G5", "Y5"),
    played(1, "Y+2"),
    played(0, "R+2"),
    played(1, "G+2"),
    drawn(0, 3),
    {"type": "pile_reshuffled"},
    drawn(0, 3),
    played(1, "W+4", color="B"),
    {"type": "challenge_made", "seat": 0, "upheld": False},
    drawn(0, 6),
    played(1, "B5", "B5", "R5", "Y5"),
    {"type": "uno_caught", "seat": 1, "catcher": 0},
    drawn(1, 2),
    {"type": "penalty_given", "seat": 0, "reason": "wrong_card", "card": "R3"},
    drawn(0, 2),
    played(1, "Y1", "G1", uno=True),
    drawn(0, 1),
    played(1, "W", color="R"),
    {"type": "hand_shown", "seat": 0, "points": 180},
]
REST: list[dict[str, Any]] = [
    {"type": "dealer_cut", "cards": {"0": "B2", "1": "W"}},
    {"type": "dealer_named", "seat": 1},
    {"type": "deal_started", "dealer": 1},
    {"type": "deal_started", "dealer": 1, "hands": {"0": ["R1", "G1"], "1": ["W+4"]}},
    {"type": "card_turned", "card": "W"},
    {"type": "color_named", "seat": 0, "color": "G"},
    drawn(0, 13),
    {**drawn(1, 2), "cards": ["BS", "BR"]},
    {"type": "turn_passed", "seat": 1},
    {"type": "uno_called", "seat": 0},
    {"type": "uno_caught", "seat": 0},
    {"type": "challenge_made", "seat": 1, "upheld": True, "hand": ["Y9", "W"]},
    {"type": "penalty_given", "seat": 1, "reason": "prompting"},
    {"type": "zero_gift", "seat": 0, "to": 1},
    {"type": "hand_shown", "seat": 1, "cards": ["Y+2", "G9"]},
]
"""What didn't come up in the passage: what no game allows in this order can be written down all the same."""
UNO = next(place for place, event in enumerate(PASSAGE) if "uno" in event)
TOLD = {
    "with UNO": "{1}: Yellow 1, Green 1, Says UNO",
    "cards_played": "{1}: Wild: red",
    "pile_reshuffled": "The discards are shuffled",
    "penalty_given": "{1}: Penalty: prompting",
    "zero_gift": "{0}: Has {1} draw",
    "color_named": "{0}: Names a colour: green",
    "dealer_cut": "The cut, {0} Blue 2, {1} Wild",
    "deal_started": "{1}: Has dealt, {0} Red 1, Green 1, {1} Wild Draw Four",
    "cards_drawn": "{1}: Draws, Blue Skip, Blue Reverse",
    "uno_caught": "{0}: Forgot UNO",
    "challenge_made": "{1}: Challenges, and is right, Yellow 9, Wild",
    "hand_shown": "{1}: Shows, Yellow Draw Two, Green 9",
}


def without_time(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("at", "by")}


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> MatchGame:
    """A game between relatives."""
    plain = logbook.opening_of
    monkeypatch.setattr(logbook, "opening_of", lambda *given: plain(*given) | {"kin": [[0, 1]]})
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, tables=1, ruleset=RULES)
    return factories.games_of(tournament)[0]


@pytest.fixture
def page(
    open_page: Callable[..., Page], live_server: LiveServer, game: MatchGame, page_problems: Problems
) -> Any:
    """A phone at the table, without a network."""
    results.write_log(game, Actor.command(), [(None, event) for event in BEFORE])
    page = open_page(viewport=PHONE, has_touch=True)
    pair(page.context, game, live_server.url)
    page.goto(f"{live_server.url}/en/t/{game.match.table.code}/games/{game.game_id}/cards/")
    page.locator(KEPT).wait_for()
    cut_off(page)
    page_problems.allow("Failed to load resource")
    yield page
    page.close()


def cut_off(page: Page) -> None:
    """No network from now on: the table's game opens in the recorder."""
    page.context.set_offline(True)
    page.locator(".back").click()
    page.get_by_role("link", name="Enter game 1").click()
    page.locator("[data-recorder]").wait_for()


def test_recorder_writes_down_all_that_a_game_has_and_it_arrives(page: Page, game: MatchGame) -> None:
    """A passage of a game by friends' rules arrives as exactly its events; and all else that such a game can
    have stands on the phone as it was tapped.
    """
    taps = Recorder(page)
    for event in PASSAGE:
        taps.record(event)
    line = page.locator("#line")
    expect(line).to_have_text(f"{len(PASSAGE)} wait, will be sent")
    assert len(stored_events(game.game_id)) == 1 + len(BEFORE)
    page.context.set_offline(False)
    expect(line).to_have_text("all saved")
    assert [without_time(event) for event in stored_events(game.game_id)][1 + len(BEFORE) :] == PASSAGE

    page.locator(".ask").get_by_text("has to draw").wait_for()
    cut_off(page)
    for event in REST:
        taps.record(event)
    kept = page.evaluate(ENTRIES)
    assert [without_time(json.loads(event)) for _state, _told, event in kept] == PASSAGE + REST
    assert [state for state, _told, _event in kept] == ["saved"] * len(PASSAGE) + ["waiting"] * len(REST)
    names = [label.inner_text() for label in page.locator("[data-who] label").all()]
    told = {event["type"]: words for event, (_state, words, _event) in zip(PASSAGE + REST, kept, strict=True)}
    told["with UNO"] = kept[UNO][1]
    assert {what: told[what] for what in TOLD} == {what: words.format(*names) for what, words in TOLD.items()}
    game.game.refresh_from_db()
    offered = pairs(offline_recorder.recorder(logbook.state_of(game.game))["events"])
    recorded = {(event["type"], name) for event in PASSAGE + REST for name in ("", *event) if name != "type"}
    assert recorded == {(type_, name) for type_, name in offered if type_ != "game_closed"}
    shown = show_points(page, 1)
    assert (shown, show_points(page, 2)) == (f"{names[0]}: Shows 1 point", f"{names[0]}: Shows 2 points")
    assert_usable(page)


def show_points(page: Page, points: int) -> str:
    """Enter the points of the first seat's hand; what the phone calls that."""
    page.locator("label:has([name=who])").first.click()
    page.locator("[data-tab][data-open=end]").click()
    page.locator("#points-left").fill(str(points))
    page.locator("[data-number-of=points]").click()
    page.get_by_text("Nothing").wait_for(state="detached")
    return str(page.evaluate(ENTRIES)[-1][1])


def assert_usable(page: Page) -> None:
    """Each part of the recorder, on the smallest phone; two of them by day and by night."""
    form = page.locator("[data-recorder]")
    form.locator("label:has([name=who])").first.click()
    for part in ("draws", "calls", "end", "start", "cards"):
        form.locator(f"[data-tab][data-open={part}]").click()
        small = [name for name in page.evaluate(TARGETS) if name not in ("who", "uno", "several")]
        assert (part, small, page.evaluate(OVERFLOWS)) == (part, [], False)
        assert (part, page.evaluate(LOWEST) <= PHONE["height"]) == (part, True)
    # Whoever meant one card after all begins anew.
    form.get_by_text("Several together").click()
    form.locator("[data-color=B]").click()
    form.locator("[data-card=B7]").click()
    expect(form.locator("[data-tray]")).to_be_visible()
    form.get_by_text("Several together").click()
    expect(form.locator("[data-tray]")).to_be_hidden()
    assert violations_by_scheme(page, WCAG) == []
