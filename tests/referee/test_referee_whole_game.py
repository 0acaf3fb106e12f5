"""Whole games on a phone, card by card, with nothing but taps on what the page offers."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.engine import (
    Event,
    Ruleset,
    Seat,
    State,
    advance,
    effective_log,
    event_to_json,
    play_random_game,
    replay,
)
from games.engine.events import CardsDrawn, CardsPlayed, ChallengeMade
from games.logbook import stored_events
from games.stored_log import stored_log
from people.actors import Actor
from people.pairings import COOKIE
from tests.referee.taps import bare, way_to
from tests.support import factories
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db(transaction=True)

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
SHORT_HOUSE = {"preset": "house", "scoring": "first_out", "after_out": "game_ends"}
"""The friends' rules up to the first who is out, which need nothing typed in."""
GAMES = {
    "palio": ({"preset": "palio"}, 4, 836),
    "house": (SHORT_HOUSE, 2, 18746),
}


def seated(rules: dict[str, Any], seats: int) -> MatchGame:
    """A game of these rules with so many at the table."""
    size = seats // 2
    event = factories.make_event()
    tournament = factories.drawn_tournament(event, entries=size, squad_size=size, tables=1, ruleset=rules)
    return factories.games_of(tournament)[0]


def bots(game: MatchGame, rules: dict[str, Any], seed: int) -> list[Event]:
    """What bots play between those who sit there."""
    seats = [Seat(str(seat.entry), str(seat.team)) for seat in game.game.seats.order_by("number")]
    return play_random_game(Ruleset.from_json(rules), seats, seed, table=True)


class Thumb:
    """Taps on a page; counts, and taps on nothing that is too small or out of sight."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, selector: str) -> None:
        found = self.page.locator(selector)
        box = found.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, (selector, box)
        self.taps += 1
        shown = found.element_handle()
        with self.page.expect_response(lambda answer: answer.ok):
            found.tap()
        # The answer may be one to what the page asks by itself: the next tap has to wait for the next page.
        shown.wait_for_element_state("hidden")

    def enter(self, state: State, event: Event) -> int:
        """Tap what leads to an event, and the event; how many taps it took."""
        before = self.taps
        way = way_to(state, event)
        assert way is not None, event
        for href in way:
            self.tap(f"main a[href$='{href}']")
            self.page.wait_for_url(f"**/cards/{href}")
        written = json.dumps(event_to_json(bare(event)))
        self.tap(f"main button[name=event][value='{written}']")
        return self.taps - before


@pytest.fixture
def open_table(open_page: Callable[..., Page], live_server: LiveServer) -> Callable[..., Thumb]:
    """A paired phone on a game's cards: `open_table(game)`."""

    def opened(game: MatchGame) -> Thumb:
        page = open_page(**PHONE)
        event = game.match.stage.tournament.event
        secret = factories.make_pairing(event)[1]
        page.context.add_cookies([{"name": COOKIE, "value": secret, "url": live_server.url}])
        page.goto(f"{live_server.url}/t/{game.match.table.code}/games/{game.game_id}/cards/")
        return Thumb(page)

    return opened


# The palio's is tapped through the test client as well, and has no step that this one lacks.
@pytest.mark.parametrize("name", ["house", pytest.param("palio", marks=pytest.mark.long)])
def test_whole_game_is_entered_by_taps_alone(open_table: Callable[..., Thumb], name: str) -> None:
    rules, seats, seed = GAMES[name]
    game = seated(rules, seats)
    log = bots(game, rules, seed)
    thumb = open_table(game)
    state = replay(log[:1])
    for number, event in enumerate(log[1:], start=1):
        thumb.enter(state, event)
        advance(state, event)
        # The answer is there before the next tap is looked for.
        if state.over:
            thumb.page.wait_for_url("**/matches/**")
        else:
            version = thumb.page.locator(f"input[name=version][value='{number + 1}']")
            version.first.wait_for(state="attached")

    assert entered(game) == [event_to_json(bare(event)) for event in log]
    assert thumb.taps <= 1.6 * len(log)


def entered(game: MatchGame) -> list[dict[str, Any]]:
    """The log without who wrote when."""
    return [plain(event) for event in stored_events(game.game_id)]


def plain(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("at", "by")}


def test_sample_games_have_challenges_and_stacked_cards() -> None:
    palio = play_random_game(Ruleset.from_json("palio"), GAMES["palio"][1], GAMES["palio"][2], table=True)
    assert len(palio) > 60
    assert has(palio, ChallengeMade)
    house = play_random_game(Ruleset.from_json(SHORT_HOUSE), GAMES["house"][1], GAMES["house"][2], table=True)
    assert any(isinstance(event, CardsPlayed) and len(event.cards) > 1 for event in house)
    assert has(house, ChallengeMade)
    assert any(is_stacked(one, two) for one, two in pairwise(house))
    drawn = [event.count for event in house if isinstance(event, CardsDrawn)]
    assert max(drawn) >= 4


def has(log: Sequence[Event], type_: type) -> bool:
    return any(isinstance(event, type_) for event in log)


def is_stacked(one: Event, two: Event) -> bool:
    """Whether a Draw Two answers a Draw Two."""
    return all(isinstance(event, CardsPlayed) and event.cards[-1].endswith("+2") for event in (one, two))


def test_wrong_colour_four_moves_ago_is_put_right_in_four_taps(open_table: Callable[..., Thumb]) -> None:
    game = seated({"preset": "palio"}, 2)
    begin: list[dict[str, Any]] = [
        {"type": "dealer_named", "seat": 0},
        {"type": "deal_started", "dealer": 0},
        {"type": "card_turned", "card": "R5"},
        {"type": "cards_played", "seat": 1, "cards": ["W"], "color": "B"},
        {"type": "cards_drawn", "seat": 0, "count": 1},
        {"type": "turn_passed", "seat": 0},
        {"type": "cards_drawn", "seat": 1, "count": 1},
        {"type": "turn_passed", "seat": 1},
    ]
    results.write_log(game, Actor.command(), [(None, event) for event in begin])
    thumb = open_table(game)
    thumb.tap(".last-entry a[href$='/log/']")
    thumb.tap(".entries a[href$='line=5']")
    green = json.dumps({**begin[3], "color": "G"})
    thumb.tap(f"main button[name=event][value='{green}']")
    stays = thumb.page.get_by_text("4 inserimenti successivi restano")
    expect(stays).to_be_visible()
    thumb.tap("form[action$='/put-right/'] button.main")
    expect(thumb.page.locator(".last-entry")).to_be_visible()
    assert thumb.taps == 4
    held = [event_to_json(event) for _line, event in effective_log(stored_log(game.game_id))]
    assert [plain(event) for event in held[1:]] == [*begin[:3], {**begin[3], "color": "G"}, *begin[4:]]
    # The log keeps what was entered first.
    assert entered(game)[1 : len(begin) + 1] == begin
