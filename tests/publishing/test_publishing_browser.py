"""In a browser: the projector turns, and stands still when nothing comes; a replay is leafed by keys."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.actors import Actor
from tests.support.accessibility import violations_by_scheme
from tests.support.computed_tournaments import address, palio, win
from tests.support.computed_tournaments import play as play_out
from tests.support.factories import drawn_tournament, games_of, make_entries, make_event, make_team
from tests.support.recorded_game import STORY, table_log
from tests.support.rounds_play import open_games, play, published, turn_around
from tests.support.services.chromium import Problems
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import Squad
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db(transaction=True)


def test_projector_turns_and_follows_the_results(live_server: Any, page: Page) -> None:
    tournament = drawn_tournament(make_event(slug="sedici"), teams=16, entries=3, tables=16)
    first, second, third = games_of(tournament)[:3]
    win(first, None, "time")
    page.clock.install()
    page.goto(live_server.url + address(tournament, "projector/"))
    expect(page.locator(".standing-name").first).to_be_visible()
    one = page.locator(".standing-name").all_inner_texts()
    page.clock.fast_forward(12_500)
    expect(page.locator(".screen-dots i").nth(1)).to_have_class("is-here")
    two = page.locator(".standing-name").all_inner_texts()
    assert (len(one), len(two), set(one) & set(two)) == (8, 8, set())
    win(second, None, "time")
    win(third, None, "time")
    page.clock.fast_forward(12_500)
    expect(page.locator(".screen h1 small")).to_have_text("3 of 288 games")


def test_projector_keeps_its_screen_when_the_network_goes(
    live_server: Any, page: Page, page_problems: Problems
) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    page.clock.install()
    page.goto(live_server.url + address(tournament, "projector/"))
    before = page.locator("main").inner_text()
    page.context.set_offline(True)
    page.clock.fast_forward(12_500)
    page.clock.fast_forward(3_500)
    assert page.locator("main").inner_text() == before
    win(games_of(tournament)[1], None, "time")
    page.context.set_offline(False)
    page.clock.fast_forward(3_500)
    expect(page.locator(".screen h1 small")).to_have_text("2 of 3 games")
    page_problems.expect("Failed to load resource")


# What a replay says is kept, one after the other.
HEAR = """() => {
  const place = document.querySelector(".replay-say");
  window.said = [];
  const hear = () => window.said.push(place.textContent.trim().replace(/\\s+/g, " "));
  new MutationObserver(hear).observe(place, { childList: true, characterData: true, subtree: true });
}"""


def test_replay_is_leafed_by_keys_and_links_without_loading_the_page(live_server: Any, page: Page) -> None:
    game = games_of(palio())[0]
    results.write_log(game, Actor.command(), [(None, event) for event in table_log()])
    tournament = game.match.stage.tournament
    replay = live_server.url + address(tournament, f"games/{game.game_id}/")
    page.goto(f"{replay}?step=7")
    page.evaluate("window.sameDocument = true")

    def told(step: int) -> str:
        return STORY[step - 1].format("Superiore 1", "Centro 1", "Superiore", "Centro")

    def say(step: int) -> None:
        expect(page.locator(".replay-say")).to_have_text(told(step))
        expect(page).to_have_url(f"{replay}?step={step}")

    def passes(text: str) -> None:
        # Playing on by itself, it may have said so and gone on before anybody looks.
        page.wait_for_function("text => window.said.includes(text)", arg=text)

    page.keyboard.press("ArrowRight")
    say(8)
    page.keyboard.press("ArrowLeft")
    say(7)
    page.keyboard.press("End")
    say(len(STORY))
    page.locator(".steps-list a").nth(14).click()
    say(15)
    page.locator('[data-go="next"]').click()
    say(16)
    page.go_back()
    say(15)
    # It plays by itself, from the beginning once it is at its end, and a slider leads anywhere.
    page.evaluate(HEAR)
    page.locator("[data-speed]").select_option("2.5")
    page.locator('[data-play="play"]').click()
    passes(told(17))
    page.locator('[data-play="pause"]').click()
    page.locator("[data-slider]").fill("8")
    say(8)
    expect(page.locator("[data-slider]")).to_have_attribute("aria-valuetext", re.compile("^8: "))
    page.locator("h1").click()
    page.keyboard.press("End")
    say(len(STORY))
    page.keyboard.press("Space")
    passes("Before the first card.")

    assert page.evaluate("window.sameDocument") is True


def test_replay_of_a_game_in_progress_follows_it_from_its_end(live_server: Any, page: Page) -> None:
    game = games_of(palio())[0]
    story = [(None, event) for event in table_log()]
    results.write_log(game, Actor.command(), story[:6])
    page.goto(live_server.url + address(game.match.stage.tournament, f"games/{game.game_id}/"))
    place = page.locator(".replay-place")
    expect(place).to_have_text("7 / 7")
    page.locator('[data-go="previous"]').click()
    expect(place).to_have_text("6 / 7")
    results.write_log(game, Actor.command(), story[6:8])
    expect(place).to_have_text("6 / 9")
    page.locator('[data-go="last"]').click()
    expect(place).to_have_text("9 / 9")
    results.write_log(game, Actor.command(), story[8:9])
    expect(place).to_have_text("10 / 10")


def test_public_pages_are_no_wider_than_the_screen(
    live_server: Any, open_page: Callable[..., Page], page_problems: Problems
) -> None:
    tournament = palio(entries=3)
    game = games_of(tournament)[0]
    results.write_log(game, Actor.command(), [(None, event) for event in table_log()])
    win(games_of(tournament)[1], None, "time")
    page = open_page()
    paths = [
        "",
        "rules/",
        "matches/",
        f"matches/{game.match_id}/",
        f"games/{game.game_id}/",
    ]
    addresses = ["/", "/palio/", "/nessuno/", *(address(tournament, path, "") for path in paths)]
    for path in addresses:
        page.goto(live_server.url + path)
        for details in page.locator("details").all():
            details.evaluate("element => { element.open = true; }")
        for width in (360, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page_problems.expect("/nessuno/")


# The scores and chips that reach beyond the room inside their row.
BEYOND = """() => [...document.querySelectorAll(
    ".meetings .score, .meetings .chip, .against a > *")].filter(part => {
    const row = part.closest("li.is-now, .meetings > li, dd");
    const style = getComputedStyle(row), words = document.createRange();
    const room = row.getBoundingClientRect(), own = part.getBoundingClientRect();
    words.selectNodeContents(part);
    return own.width > 1 && (own.right > room.right - parseFloat(style.paddingRight) + 0.5
        || part.matches(".chip") && words.getBoundingClientRect().right > own.right - 4
        || row.matches(".is-now") && parseFloat(style.paddingRight) < 8);
}).map(part => part.textContent)"""


def test_scores_and_marks_stay_inside_their_rows(live_server: Any, open_page: Callable[..., Page]) -> None:
    event = make_event(slug="palio", name="Palio")
    for number in range(1, 5):
        make_entries(make_team(event, number, short_name=f"S.Bartolome{number}"), 1)
    best = drawn_tournament(event, entries=1, format="round_robin", match={"length": "best_of", "games": 3})
    cup = drawn_tournament(event, entries=1, format="single_elimination")
    first = open_games(cup)[0]
    for tournament in (best, cup):
        for game in open_games(tournament):
            results.enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
    results.enter_result(open_games(cup)[0], Actor.command(), seat=0)
    turn_around(first)
    gone = Squad.objects.filter(stage__tournament=best).order_by("pk")[0]
    remove_squad(best, Actor.command(), gone, "withdrawn", "annulled")
    compute_standings(str(best.pk))
    page = open_page()

    def beyond(path: str) -> list[str]:
        page.goto(f"{live_server.url}/palio/{path}")
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        found: list[str] = []
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 780})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            found += page.evaluate(BEYOND)
        return found

    paths = ["", f"{best.slug}/", *(f"teams/{number}/" for number in range(1, 5))]
    assert {path: found for path in paths if (found := beyond(path))} == {}


SQUEEZED = """() => [...document.querySelectorAll(".standing-name, .step-name, .step-points, .step .banner")]
    .filter(part => part.getBoundingClientRect().width < 50
        || part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0
        || part.getBoundingClientRect().right > innerWidth)
    .map(part => part.className.baseVal ?? part.className)"""


def test_projectors_screens_fit_a_phone(live_server: Any, open_page: Callable[..., Page]) -> None:
    tournament = palio(entries=5)
    play_out(tournament, ("Superiore", "Centro", "Inferiore"))
    page = open_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")

    def squeezed() -> tuple[int, list[str]]:
        page.goto(live_server.url + address(tournament, "projector/1/"))
        width: int = page.evaluate("document.documentElement.scrollWidth")
        return width, page.evaluate(SQUEEZED)

    rows = squeezed()
    tournament.refresh_from_db()
    close_tournament(tournament, Actor.command())
    steps = squeezed()

    assert (rows, steps) == ((360, []), (360, []))


def test_public_pages_have_no_accessibility_violations(
    live_server: Any, open_page: Callable[..., Page]
) -> None:
    tournament = palio(entries=3)
    game = games_of(tournament)[0]
    results.write_log(game, Actor.command(), [(None, event) for event in table_log()])
    win(games_of(tournament)[1], None, "time")
    paths = ["", "rules/", "matches/", f"matches/{game.match_id}/", f"games/{game.game_id}/", "projector/"]
    page = open_page(reduced_motion="reduce")
    for path in ["/en/", "/en/palio/", *(address(tournament, path) for path in paths)]:
        page.goto(live_server.url + path)
        for details in page.locator("details").all():
            details.evaluate("element => { element.open = true; }")
        assert (path, violations_by_scheme(page)) == (path, [])


@pytest.mark.parametrize("language", ["", pytest.param("/en", marks=pytest.mark.long)])
def test_bracket_is_read_on_a_phone_without_scrolling_the_page_sideways(
    live_server: Any, open_page: Callable[..., Page], language: str
) -> None:
    tournament = published(7, 1, format="double_elimination")
    play(tournament, random.Random(1), 6)
    page = open_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page.goto(live_server.url + address(tournament, "bracket/", language))
    for details in page.locator("details").all():
        details.evaluate("element => { element.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations_by_scheme(page) == []
    page.locator(".bracket-match").first.click()
    page.wait_for_url("**/matches/**")


def test_bracket_follows_the_results_while_it_is_looked_at(live_server: Any, page: Page) -> None:
    tournament = published(4, 1, format="single_elimination")
    page.clock.install()
    page.goto(live_server.url + address(tournament, "bracket/"))
    items = page.locator(".bracket-list li")
    page.locator(".bracket-list summary").first.click()
    before = items.all_inner_texts()
    play(tournament, random.Random(1), 2)
    page.clock.fast_forward(10_500)
    expect(items.first).not_to_have_text(before[0])
    # What was opened to read stays open.
    expect(items.first).to_be_visible()
