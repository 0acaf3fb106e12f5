"""Places of a table's sides typed at the desk by keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from games.outcome import Outcome
from people.models import Organizer
from tests.support import factories
from tests.support.accessibility import violations_by_scheme
from tests.support.clients import sign_in
from tests.support.forms import address
from tests.support.rounds_play import published
from tournaments.models import MatchGame, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament() -> Tournament:
    return published(4, 2, format="tables", ruleset="palio")


@pytest.fixture
def at_desk(tournament: Tournament, live_server: LiveServer, open_page: Callable[..., Page]) -> Page:
    organizer = factories.make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    page = open_page(locale="en-GB")
    sign_in(page, live_server.url, organizer)
    return page


def by_letter(game: MatchGame) -> dict[str, int] | None:
    """The places of the sides by their letters on paper."""
    places = Outcome.of_row(Game.objects.get(pk=game.game_id)).places
    return {"ABCD"[side]: places[seat] for seat, side in enumerate(game.sides)} if places else None


def test_paper_slips_of_a_round_are_typed_in_letters(
    at_desk: Page, tournament: Tournament, live_server: LiveServer
) -> None:
    keys, notes = at_desk.keyboard, at_desk.locator(".slip-note")
    at_desk.goto(live_server.url + address("paper", tournament.event.slug, tournament.slug, 1))
    fields = at_desk.locator("input[data-ranks]")
    names = at_desk.locator(".slip-sides").first.locator("li > span").all_inner_texts()

    keys.type("cb")
    expect(fields.nth(0)).to_have_attribute("aria-invalid", "true")
    expect(notes.nth(0)).to_have_text("A · B · C · D · = · - · X")
    keys.type("=da")
    expect(notes.nth(0)).to_have_text(f"{names[2]}, {names[1]} = {names[3]}, {names[0]}")
    keys.press("Enter")
    keys.type("da-")
    keys.press("Control+Enter")
    expect(at_desk.get_by_text("2 results are entered.")).to_be_visible()

    slugs = sorted(factories.games_of(tournament)[:2], key=lambda game: game.match.table.number)
    assert [by_letter(game) for game in slugs] == [
        {"A": 4, "B": 2, "C": 1, "D": 2},
        {"A": 2, "B": 3, "C": 3, "D": 1},
    ]


def test_match_form_is_filled_in_by_keyboard_and_accessible(
    at_desk: Page, tournament: Tournament, live_server: LiveServer
) -> None:
    game = factories.games_of(tournament)[0]
    at_desk.goto(live_server.url + address("match", tournament.event.slug, game.match_id))
    found = violations_by_scheme(at_desk, ("wcag2a", "wcag2aa", "best-practice"))
    at_desk.set_viewport_size({"width": 360, "height": 640})
    is_wide = at_desk.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")

    first, second, third, fourth = at_desk.locator(".match-sides div > span").all_inner_texts()

    at_desk.locator(".places-each input").first.focus()
    for text in ("2", "Tab", "1", "Tab", "-", "Tab", "3", "Enter"):
        at_desk.keyboard.press(text)
    told = f"1st {second} · 2nd {first} · 3rd {fourth} · {third} wasn’t there"
    expect(at_desk.locator(".game-outcome")).to_contain_text(told)

    assert (found, is_wide) == ([], False)
