"""The engine on a phone without a network: the service's own rules, and a whole game guided by them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import ngettext
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.engine import Event, Ruleset, State, advance, event_to_json, play_random_game
from games.engine.events import HandShown
from games.logbook import stored_events
from people.actors import Actor
from referee.pocket.modules import MODULES, bundle
from referee.pocket.transform import transformed
from tests.referee import pocket_scenarios
from tests.referee.taps import bare, way_to
from tests.support import factories
from tests.support.offline_phone import KEPT as REFRESHED
from tests.support.offline_phone import Opens, line, opens
from tests.support.pseudo_language import TAG, registered
from tests.support.scenario_files import Scenario, opening, scenarios
from tests.support.services.chromium import Problems
from tests.support.stored_games import BEGIN
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db(transaction=True)

# Asks the engine in its worker, as the page's script does.
ASK = """async (questions) => {
  const worker = new Worker(document.getElementById("line").dataset.engine, { type: "module" });
  const answers = new Promise((resolve, reject) => {
    const found = [];
    worker.onerror = (event) => reject(event.message);
    worker.onmessage = ({ data }) => {
      if (data.problem) reject(data.problem);
      if (data.number) found.push(data.answer);
      if (found.length === questions.length) resolve(found);
    };
  });
  questions.forEach(([kit, language], place) => worker.postMessage({ number: place + 1, kit, language }));
  try { return await answers; } finally { worker.terminate(); }
}"""


def lines(scenario: Scenario) -> list[str]:
    """What a scenario enters, also what is refused."""
    found: list[str] = []
    for _, text in scenario.lines:
        mark, _, rest = text.partition(" ")
        if mark in ("open", "table"):
            found += opening(text.split(" "))
        elif mark != "=":
            found.append(rest.partition(" ")[2] if mark == "!" else text)
    return found


def test_every_scenario_of_the_engine_comes_out_alike_on_a_phone(
    open_page: Callable[..., Page], live_server: LiveServer
) -> None:
    """The engine's own corpus, through the modules as they are rewritten, in a browser."""
    page = open_page(with_engine=True)
    files = json.loads(bundle())
    teller = Path(pocket_scenarios.__file__).read_text("utf-8")
    files["files"]["referee/pocket/game_page.py"] = transformed(teller, MODULES)
    page.route("**/engine.json", lambda route: route.fulfill(json=files))
    page.goto(f"{live_server.url}/t/")
    corpus = list(scenarios())
    texts = [lines(scenario) for scenario in corpus]
    (answers,) = page.evaluate(ASK, [[{"scenarios": texts}, "it"]])
    assert len(answers) == len(corpus) > 180
    for scenario, entered, answer in zip(corpus, texts, answers, strict=True):
        expected = json.loads(json.dumps(list(pocket_scenarios.told(entered))))
        assert (scenario.name, answer) == (scenario.name, expected)


# Plural forms

COUNTS = (0, 1, 2, 4, 5, 12, 21, 22, 25, 101, 102, 112, 199, 200, 202, 212, 1001, 1002, 1012)
TELLER = """
def guided(kit, language):
    return [ngettext("%(count)d card", "%(count)d cards", number) for number in kit["counts"]]
"""
COUNTED = """async (counts) => {
  const { counted } = await import("/static/js/referee/plural.js");
  const { refused, waiting } = document.getElementById("line").dataset;
  return counts.map((number) => [counted(refused, number), counted(waiting, number)]);
}"""


def test_phone_counts_in_the_plural_forms_of_its_language(
    open_page: Callable[..., Page], live_server: LiveServer, tmp_path: Path
) -> None:
    with registered(tmp_path):
        page = open_page(with_engine=True)
        files = json.loads(bundle())
        files["files"]["referee/pocket/game_page.py"] = f"from shims import ngettext\n{TELLER}"
        page.route("**/engine.json", lambda route: route.fulfill(json=files))
        page.goto(f"{live_server.url}/{TAG}/t/")
        (told,) = page.evaluate(ASK, [[{"counts": COUNTS}, TAG]])
        lines = page.evaluate(COUNTED, COUNTS)
        with translation.override(TAG):
            cards = [ngettext("%(count)d card", "%(count)d cards", each) for each in COUNTS]
            texts = [
                (
                    ngettext("{n} refused: look at it", "{n} refused: look at them", each),
                    ngettext("{n} waits, will be sent", "{n} wait, will be sent", each),
                )
                for each in COUNTS
            ]

    assert (len(set(cards)), len(set(texts))) == (3, 3)
    assert told == cards
    assert lines == [
        [text.format(n=number) for text in pair] for number, pair in zip(COUNTS, texts, strict=True)
    ]


# A guided game


KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const isKept = () => caches.match("/static/micropython/micropython.wasm", { ignoreVary: true });
  while (!(await isKept())) await new Promise((done) => setTimeout(done, 20));
}"""


# What the service answers itself; the engine is loaded all the same.
PAGES = re.compile(r"/(t|live)/[^.]*$")

RULES = {"preset": "house", "scoring": "first_out", "after_out": "game_ends"}
"""The friends' rules up to the first who is out, which need nothing typed in."""
SEED = 18746
HALF = 10


def seated(rules: dict[str, str]) -> MatchGame:
    """A game of these rules for two."""
    event = factories.make_event()
    tournament = factories.drawn_tournament(event, entries=1, squad_size=1, tables=1, ruleset=rules)
    return factories.games_of(tournament)[0]


@pytest.fixture
def open_ready(open_page: Opens, live_server: LiveServer, page_problems: Problems) -> Opens:
    """Open a game's cards on a paired phone that has all that it takes without a network, and has none."""

    def opened(game: MatchGame) -> Page:
        page = opens(open_page, live_server, game)(with_engine=True)
        page.evaluate(KEPT)
        page.context.set_offline(True)
        page.goto(f"{page.url}games/{game.game_id}/cards/")
        return page

    page_problems.allow("Failed to load resource")
    return opened


# Taps through the steps to an event, and the event; what stands in an address may stand in any order.
TAP = """async ([way, event]) => {
  const until = async (find) => {
    for (const start = performance.now(); performance.now() - start < 20000;) {
      const found = find();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 10));
    }
    throw new Error(`nothing leads to ${way} ${event}: ${document.querySelector("main").textContent}`);
  };
  const offered = (kind) => [...document.querySelectorAll(`[data-offline=guided] main ${kind}`)];
  const plain = (query) => [...new URLSearchParams(query)].sort().join();
  for (const step of way) {
    const leads = (link) => plain(new URL(link.href).search) === plain(step);
    (await until(() => offered("a[href]").find(leads))).click();
  }
  const button = await until(() => offered("button[name=event]").find((each) => each.value === event));
  const { form } = button;
  button.click();
  await until(() => !form.isConnected);
}"""


def enter(page: Page, state: State, event: Event) -> None:
    """Tap what leads to an event on what the phone offers, and wait for the page after it."""
    page.evaluate(TAP, [way_to(state, event), json.dumps(event_to_json(bare(event)))])


def test_whole_game_is_guided_without_a_network(open_ready: Opens) -> None:
    """With stacking, several cards together and a challenge, by taps on what is legal alone, also after the
    page was loaded anew; it arrives as it was entered.
    """
    game = seated(RULES)
    log = play_random_game(Ruleset.from_json(RULES), 2, SEED, table=True)
    phone = open_ready(game)
    state = State()
    advance(state, log[0])
    for number, event in enumerate(log[1:], start=1):
        enter(phone, state, event)
        advance(state, event)
        if number == HALF:
            phone.reload()
    phone.get_by_role("heading", name=re.compile("wins")).wait_for()
    phone.get_by_role("link", name="To the games").tap()
    phone.get_by_role("link", name="Enter game 2").wait_for()
    expect(line(phone)).to_have_text(f"{len(log) - 1} wait, will be sent")
    phone.context.set_offline(False)
    expect(line(phone)).to_have_text("all saved")
    stored = [
        {name: value for name, value in each.items() if name not in ("at", "by")}
        for each in stored_events(game.game_id)
    ]

    assert stored[1:] == [event_to_json(bare(event)) for event in log[1:]]


def test_guided_page_calls_children_as_it_does_online(open_ready: Opens) -> None:
    """Two of one contrada are told apart by their own names."""
    game = seated(RULES)
    phone = open_ready(game)
    names = [f"{factories.FIRST_NAME} Z. ({team} 1)" for team in ("Superiore", "Centro")]
    expect(phone.locator("[data-guided] button")).to_have_text(names)
    phone.locator("[data-guided] button").first.tap()
    phone.get_by_role("heading", name=f"{names[0]} deals").wait_for()


def test_game_is_guided_without_a_network_after_an_undo_with_one(
    open_page: Opens, live_server: LiveServer, page_problems: Problems
) -> None:
    page_problems.allow("Failed to load resource")
    game = seated(RULES)
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    phone = opens(open_page, live_server, game)(f"games/{game.game_id}/cards/", with_engine=True)
    phone.evaluate(KEPT)
    with phone.expect_response(lambda answer: "/kit/" in answer.url):
        phone.get_by_role("button", name="Undo").tap()
    phone.get_by_role("heading", name="Which is the first card?").wait_for()
    phone.context.set_offline(True)
    phone.locator("main a[href$='color=G']").tap()
    phone.locator("[data-guided] button").first.tap()
    phone.get_by_role("heading", name="to play").wait_for()
    expect(line(phone)).to_have_text("1 waits, will be sent")


@pytest.mark.parametrize("arrives", [True, False])
def test_entry_that_may_have_been_sent_is_undone_in_a_guided_game(
    open_page: Opens, live_server: LiveServer, page_problems: Problems, arrives: bool
) -> None:
    """Nobody answers when it is sent; it may have arrived all the same."""
    page_problems.allow("Failed to load resource")
    game = seated(RULES)
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN[:2]])
    phone = opens(open_page, live_server, game)(
        f"games/{game.game_id}/cards/?color=G", with_engine=True, service_workers="block"
    )

    def lose(route: Route) -> None:
        if arrives and route.request.url.endswith("/enter/"):
            route.fetch()
        route.abort()

    phone.route(PAGES, lose)
    phone.locator("button[value*='\"G5\"']").tap()
    phone.locator("[data-offline=guided]").get_by_role("button", name="Undo").tap()
    phone.get_by_role("heading", name="Which is the first card?").wait_for()
    phone.locator("main a[href$='color=R']").tap()
    phone.locator("[data-guided] button[value*='\"R5\"']").tap()
    phone.get_by_role("heading", name="to play").wait_for()
    expect(line(phone)).to_have_text("3 wait, will be sent")
    phone.unroute(PAGES)
    expect(line(phone)).to_have_text("all saved")
    begun = ["game_opened", "dealer_named", "deal_started"]
    types = [event["type"] for event in stored_events(game.game_id)]

    assert types == [*begun, "card_turned", "event_voided", "card_turned"]


def test_saved_entry_is_undone_without_a_network(
    open_page: Opens, live_server: LiveServer, page_problems: Problems
) -> None:
    """Also where the rules can't go back behind what the phone knows of the game."""
    page_problems.allow("Failed to load resource")
    game = seated(RULES)
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN[:2]])
    phone = opens(open_page, live_server, game)(f"games/{game.game_id}/cards/?color=G", with_engine=True)
    phone.evaluate(KEPT)
    phone.locator("button[value*='\"G5\"']").tap()
    phone.get_by_role("heading", name="to play").wait_for()
    phone.reload()
    phone.locator(REFRESHED).wait_for()
    phone.context.set_offline(True)
    phone.reload()
    phone.locator("[data-offline=guided]").get_by_role("button", name="Undo").tap()
    phone.locator("[data-recorder]").wait_for()
    expect(line(phone)).to_have_text("1 waits, will be sent")
    phone.context.set_offline(False)
    expect(line(phone)).to_have_text("all saved")

    assert [event["type"] for event in stored_events(game.game_id)][-2:] == ["card_turned", "event_voided"]


def test_points_that_can_t_be_are_asked_for_again(open_ready: Opens) -> None:
    """What is typed in needn't be legal: then it isn't kept, and the page says why."""
    game = seated({"preset": "classic"})
    log = play_random_game(Ruleset.from_json("classic"), 2, SEED, table=True)
    shown = next(number for number, event in enumerate(log) if isinstance(event, HandShown))
    entries = [event_to_json(bare(event)) for event in log[1:shown]]
    results.write_log(game, Actor.command(), [(None, event) for event in entries])
    phone = open_ready(game)
    phone.locator("input[name=points]").fill("9999")
    phone.get_by_role("button", name="Enter").tap()
    phone.get_by_role("heading", name="Not entered").wait_for()
    expect(line(phone)).to_have_text("all saved")
    phone.get_by_role("button", name="Enter").wait_for()

    assert len(stored_events(game.game_id)) == shown
