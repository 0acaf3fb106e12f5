"""Who came where, tapped on a phone: in order, shared, undone; without scripts, and without a network."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.logbook import stored_events
from games.models import Game
from games.outcome import Outcome
from tests.support.accessibility import violations_by_scheme
from tests.support.factories import games_of
from tests.support.offline_phone import KEPT, Opens, line, opens
from tests.support.phones import OVERFLOWS, TARGETS, WCAG
from tests.support.rounds_play import ACTOR, published
from tests.support.services.chromium import Problems
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import Match, MatchGame, Squad

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> MatchGame:
    return games_of(published(4, 1, format="tables", ruleset="house"))[0]


@pytest.fixture
def phone(
    open_page: Callable[..., Page], live_server: LiveServer, game: MatchGame, page_problems: Problems
) -> Opens:
    page_problems.allow("Failed to load resource")
    return opens(open_page, live_server, game)


def places(game: MatchGame) -> tuple[int, ...] | None:
    return Outcome.of_row(Game.objects.get(pk=game.game_id)).places


def absent(game: MatchGame) -> set[int]:
    """The sides of which it is noted that they weren't there."""
    match = Match.objects.select_related("stage").get(pk=game.match_id)
    return {game.sides.index(side) for side in match.absent_sides()}


def tap(page: Page, *sides: int) -> None:
    """Tap the sides at these seats."""
    for side in sides:
        page.locator(".tap.ranked").nth(side).click()


def numbers(page: Page) -> list[str]:
    """What stands in the buttons."""
    return page.locator(".tap.ranked .number").all_inner_texts()


def enter(page: Page) -> None:
    page.get_by_role("button", name="Yes, enter it").click()


def test_places_are_tapped_in_order_and_the_last_is_given_by_itself(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    expect(page.locator("h1")).to_have_text("Tap them in the order in which they finished")
    expect(page.get_by_role("button", name="Yes, enter it")).to_be_disabled()

    tap(page, 2, 0)
    begun = numbers(page)
    tap(page, 0, 3)
    complete = numbers(page)
    enter(page)
    page.get_by_text("This match is done").wait_for()

    assert (begun, complete) == (["2", "", "1", ""], ["2", "4", "1", "3"])
    assert places(game) == (2, 4, 1, 3)


def test_place_is_shared_and_taps_are_undone(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    share = page.locator("[data-tool=share]")
    names = page.locator("[data-name]").evaluate_all("each => each.map(({ dataset }) => dataset.name)")

    tap(page, 1, 3)
    expect(share).to_have_text(f"{names[3]} shares place 1 with {names[1]}")
    share.click()
    shared = numbers(page)
    share.click()
    alone = numbers(page)
    page.get_by_role("button", name="Undo").click()
    undone = numbers(page)
    tap(page, 0)
    share.click()
    tap(page, 2)
    enter(page)
    page.get_by_text("This match is done").wait_for()

    assert (shared, alone) == (["", "1", "", "1"], ["", "1", "", "2"])
    assert undone == ["", "1", "", ""]
    assert places(game) == (1, 1, 3, 4)


def test_absent_sides_share_the_last_place(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")

    tap(page, 3, 1)
    page.get_by_role("button", name="The others weren’t there").click()
    told = numbers(page)
    enter(page)
    page.get_by_text("This match is done").wait_for()

    assert told == ["–", "2", "–", "1"]
    assert (places(game), absent(game)) == ((3, 2, 3, 1), {0, 2})


def test_absent_last_side_is_entered_without_a_network(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()

    tap(page, 2, 0, 1)
    page.locator("[data-tool=rest]").click()
    enter(page)
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")

    assert (places(game), absent(game)) == ((2, 3, 1, 4), {3})


@pytest.mark.parametrize("is_offline", [False, True])
def test_withdrawn_squad_is_not_asked_for_and_counts_again_once_tapped(
    phone: Opens, game: MatchGame, is_offline: bool
) -> None:
    squads = list(Squad.objects.filter(sides__match=game.match).order_by("sides__number"))
    remove_squad(game.match.stage.tournament, ACTOR, squads[game.sides[0]], "withdrawn")
    remove_squad(game.match.stage.tournament, ACTOR, squads[game.sides[1]], "withdrawn")
    page = phone(f"games/{game.game_id}/")
    if is_offline:
        page.evaluate("() => navigator.serviceWorker.ready")
        page.context.set_offline(True)
        page.reload()

    expect(page.locator(".tap.ranked")).to_have_count(4)
    at_first = numbers(page)
    tap(page, 3, 0)
    page.get_by_role("button", name="Undo").click()
    undone = numbers(page)
    tap(page, 1)
    complete = numbers(page)
    enter(page)
    if is_offline:
        expect(line(page)).to_have_text("1 waits, will be sent")
        page.context.set_offline(False)
        expect(line(page)).to_have_text("all saved")
    else:
        page.get_by_text("This match is done").wait_for()

    assert (at_first, undone, complete) == (
        ["–", "–", "", ""],
        ["–", "–", "2", "1"],
        ["–", "2", "3", "1"],
    )
    assert (places(game), absent(game)) == ((4, 2, 3, 1), {0})


def test_places_filled_in_by_the_bell_can_be_undone(phone: Opens, game: MatchGame) -> None:
    filled = "reason=time&places-0=2&places-1=1&places-2=4&places-3=2"
    page = phone(f"games/{game.game_id}/places/?{filled}")

    before = numbers(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    tap(page, 2)
    enter(page)
    page.get_by_text("This match is done").wait_for()

    assert before == ["2", "1", "4", "2"]
    assert places(game) == (2, 1, 3, 4)


def test_places_are_typed_in_without_scripts(
    phone: Opens, open_page: Callable[..., Page], game: MatchGame
) -> None:
    pair_page = phone(f"games/{game.game_id}/")
    page = open_page(java_script_enabled=False, storage_state=pair_page.context.storage_state())
    page.goto(pair_page.url)

    for side, place in enumerate(("2", "1", "2", "4")):
        page.locator(f"#places-{side}").fill(place)
    enter(page)
    page.get_by_text("This match is done").wait_for()

    assert places(game) == (2, 1, 2, 4)


def test_places_are_entered_without_a_network_and_taken(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()

    tap(page, 1, 0)
    page.locator("[data-tool=share]").click()
    tap(page, 3)
    enter(page)
    expect(line(page)).to_have_text("1 waits, will be sent")
    waiting = stored_events(game.game_id)
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")

    assert (waiting, places(game)) == ([], (1, 1, 4, 3))


@pytest.mark.parametrize(("teams", "entries", "size"), [(4, 1, 1), (2, 2, 1), (3, 2, 2)])
def test_sides_have_distinct_names_with_and_without_a_network(
    open_page: Callable[..., Page],
    live_server: LiveServer,
    page_problems: Problems,
    teams: int,
    entries: int,
    size: int,
) -> None:
    page_problems.allow("Failed to load resource")
    seats = teams * entries // size
    settings = {"format": "tables", "ruleset": "house", "squad_size": size, "options": {"seats": seats}}
    game = games_of(published(teams, entries, **settings))[0]
    page = opens(open_page, live_server, game)()
    sides = page.locator(".game-list .team")
    with_network = sides.all_inner_texts()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()
    page.get_by_text("No network just now").wait_for()

    assert (len(set(with_network)), sides.all_inner_texts()) == (seats, with_network)


def test_phone_page_says_in_which_round_a_game_was_entered(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    tap(page, 1, 0, 2)
    enter(page)
    page.get_by_text("This match is done").wait_for()
    page.goto(page.url.split("/matches/")[0] + "/")
    page.locator(KEPT).wait_for()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()
    page.locator("main a.tap.main").click()
    tap(page, 1, 0, 2)
    enter(page)
    expect(line(page)).to_have_text("1 waits, will be sent")

    page.locator("a.where").click()
    entries = page.locator(".entries li small")
    expect(entries).to_have_count(2)

    told = [each.split("\n")[0] for each in entries.all_inner_texts()]
    assert told == ["Table 1 · Round 2 · game 1", "Table 1 · Round 1 · game 1"]


def test_points_are_entered_without_a_network_and_give_the_places(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()

    page.get_by_role("link", name="Points instead").click()
    for seat, points in enumerate(("12", "0", "40", "12")):
        page.locator(f"#points-{seat}").fill(points)
    enter(page)
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")

    assert places(game) == (2, 1, 4, 2)


def test_bell_gives_places_without_a_network(phone: Opens, game: MatchGame) -> None:
    page = phone(f"games/{game.game_id}/")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()

    page.get_by_role("link", name="Bell, forfeit").click()
    expect(page.locator(".referee-do .tap")).to_have_count(6)
    page.get_by_role("link", name="Who comes where").click()
    tap(page, 0, 1, 2)
    enter(page)
    expect(line(page)).to_have_text("1 waits, will be sent")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("all saved")

    assert (places(game), Game.objects.get(pk=game.game_id).closed_by) == ((1, 2, 3, 4), "time")


@pytest.mark.parametrize(
    ("seats", "language"),
    [
        (4, "/en"),
        (10, ""),
        pytest.param(4, "", marks=pytest.mark.long),
        pytest.param(10, "/en", marks=pytest.mark.long),
    ],
)
def test_places_page_can_be_used_with_one_thumb_and_passes_axe(
    open_page: Callable[..., Page], live_server: LiveServer, language: str, seats: int
) -> None:
    ten = games_of(published(seats, 1, format="tables", ruleset="house", options={"seats": seats}))[0]
    page = opens(open_page, live_server, ten)()
    page.goto(f"{live_server.url}{language}/t/{ten.match.table.code}/games/{ten.game_id}/")

    found = []
    for done in range(2):
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 640})
            found.append(page.evaluate(OVERFLOWS))
        assert page.evaluate(TARGETS) == []
        assert violations_by_scheme(page, (*WCAG, "best-practice")) == []
        if not done:
            tap(page, 1, 0)
            page.locator("[data-tool=share]").click()

    assert found == [False] * 4
