"""Counting a hand by its cards: each tap in the address, the values from the engine, the sum in its place."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine import PRESETS, Ruleset
from games.engine.bots import play_random_game
from games.engine.cards import CARDS, POINTS
from games.engine.events import HandShown
from games.engine.jsonl import print_log
from games.logbook import stored_events
from games.models import Game
from games.outcome import NO_POINTS, Outcome
from people.actors import Actor
from tests.support import factories
from tests.support.phones import Page, address, phone, read, send
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db

COUNTING = [name for name in PRESETS if Ruleset.from_json(name).scoring != NO_POINTS]
MAIN_OFF = '<button class="tap main" disabled>'
SCORINGS = ("winner_takes", "lowest_wins", "elimination")


def drawn(ruleset: Any, **settings: Any) -> MatchGame:
    event = factories.make_event()
    return factories.games_of(factories.drawn_tournament(event, entries=2, ruleset=ruleset, **settings))[0]


def counting(page: Page, seat: int) -> str:
    """The link to a seat's counter."""
    return next(
        link
        for link in page.links
        if "/count/?" in link and parse_qs(urlsplit(link).query)["of"] == [str(seat)]
    )


def tile(page: Page, card: str) -> str:
    """The link that taps a card once more."""
    before = parse_qs(urlsplit(page.address).query).get("card", [])
    return next(link for link in page.links if parse_qs(urlsplit(link).query).get("card") == [*before, card])


def after(client: Client, page: Page, *cards: str) -> Page:
    for card in cards:
        page = read(client, tile(page, card).split("#")[0])
    return page


def about(client: Client, game: MatchGame, seat: int, rest: str = "") -> Page:
    team = game.game.seats.get(number=seat).team
    return read(client, address(game, f"confirm/?team={team}&seat={seat}{rest}", "/en"))


def values(page: Page) -> list[str]:
    return [value for name, value in page.form_to("/enter/").fields if name.startswith("points-")]


def done(client: Client, page: Page) -> Page:
    """“That is all”, of a counter that leads back to the confirmation."""
    form = page.form_to("/confirm/")
    return Page(client.get(form.action, form.data()))


@pytest.mark.parametrize("scoring", SCORINGS)
def test_hand_counter_fills_in_the_points_as_the_rules_count_them(scoring: str) -> None:
    game = drawn({"preset": "classic", "scoring": scoring})
    client = phone(game.match.stage.tournament.event)
    first = about(client, game, 1)
    assert values(first) == ["", ""]
    assert not any("/count/" in link and "of=1" in link for link in first.links)
    counter = read(client, counting(first, 0))
    assert "Cards: 0 Points: 0" in counter.text
    counter = after(client, counter, "R7", "W+4", "B+2", "R7")
    assert "Cards: 4 Points: 84" in counter.text
    # Both red sevens are in the hand: there is no third.
    with pytest.raises(StopIteration):
        tile(counter, "R7")
    back = next(
        link for link in counter.links if parse_qs(urlsplit(link).query).get("card") == ["R7", "W+4", "R7"]
    )
    counter = read(client, back)
    assert "Cards: 3 Points: 64" in counter.text
    confirm = done(client, counter)
    assert "cards: 3, points: 64" in confirm.text
    assert values(confirm) == (["0", "64"] if scoring == "winner_takes" else ["64", "0"])
    assert "Cards: 3 Points: 64" in read(client, counting(confirm, 0)).text
    assert send(client, confirm.form_to("/enter/")).status_code == 302
    points = Outcome.of_row(Game.objects.get(pk=game.game_id)).points
    assert points == ((0, 64) if scoring == "winner_takes" else (64, 0))


def test_winners_points_wait_until_every_hand_is_counted() -> None:
    game = drawn("classic", squad_size=2)
    client = phone(game.match.stage.tournament.event)
    confirm = about(client, game, 0)
    for seat, card in ((1, "R9"), (2, "W"), (3, "GS")):
        assert values(confirm) == [""] * 4
        confirm = done(client, after(client, read(client, counting(confirm, seat)), card))
    assert values(confirm) == ["79", "0", "0", "0"]
    team = game.game.seats.get(number=0).team
    hands = "&hand-1=R9&hand-2=W&hand-3=GS"
    unsaid = read(client, address(game, f"confirm/?team={team}{hands}", "/en"))
    assert values(unsaid) == [""] * 4
    assert "Say above who exactly has won" in unsaid.text
    exactly = next(link for link in unsaid.links if f"team={team}&seat=0" in link)
    assert values(read(client, exactly)) == ["79", "0", "0", "0"]
    missing = read(client, address(game, f"confirm/?team={team}&seat=0&hand-1=R9", "/en"))
    assert "Count the other hands, too" in missing.text


def test_hand_without_cards_counts_nothing() -> None:
    game = drawn({"preset": "classic", "scoring": "lowest_wins"})
    client = phone(game.match.stage.tournament.event)
    confirm = done(client, read(client, counting(about(client, game, 1), 0)))
    assert values(confirm) == ["0", "0"]


@pytest.mark.parametrize("preset", COUNTING)
def test_every_rule_set_that_counts_points_counts_shown_hands_by_cards(preset: str) -> None:
    """A written deal waits for the hands; one is tapped, and the log has its cards."""
    game = drawn(preset)
    client = phone(game.match.stage.tournament.event)
    log = play_random_game(Ruleset.from_json(preset), 2, seed=4, table=True)
    at, shown = next((at, event) for at, event in enumerate(log) if isinstance(event, HandShown))
    assert results.upload_log(game, Actor.command(), print_log(log[:at])).refusal is None
    counter = read(client, counting(read(client, address(game, "cards/", "/en")), shown.seat))
    queries: list[int] = []
    # Whatever is offered, until the hand has as many cards as the log says that it holds.
    while more := [link for link in counter.links if "#hand-" in link]:
        assert MAIN_OFF in counter.html
        with CaptureQueriesContext(connection) as asked:
            counter = read(client, more[len(queries) % len(more)].split("#")[0])
        queries.append(len(asked))
    assert len(set(queries)) == 1
    form = counter.form_to("/enter/")
    (event,) = (json.loads(value) for name, value in form.fields if name == "event")
    count, points = len(event["cards"]), sum(POINTS[card] for card in event["cards"])
    assert f"Cards: {count}/{count} Points: {points}" in counter.text
    assert MAIN_OFF not in counter.html
    assert send(client, form).status_code == 302
    entered = next(event for event in reversed(stored_events(game.game_id)) if event["type"] == "hand_shown")
    assert (entered["seat"], entered["cards"]) == (shown.seat, event["cards"])


def test_every_card_of_the_hand_counter_has_the_points_of_the_engine() -> None:
    game = drawn("classic")
    client = phone(game.match.stage.tournament.event)
    counter = read(client, counting(about(client, game, 1), 0))
    for card in CARDS:
        assert f'data-card="{card}" data-points="{POINTS[card]}"' in counter.html


@pytest.mark.parametrize(
    "query",
    ["", "of=9", "of=1", "of=x", "of=0&reason=forfeit", "of=0&team=nobody", "of=0&reason=abandoned"],
)
def test_hand_counter_with_a_wrong_address_leads_back_to_the_game(query: str) -> None:
    game = drawn("classic")
    client = phone(game.match.stage.tournament.event)
    team = game.game.seats.get(number=1).team
    given = query if "team" in query else f"team={team}&seat=1&{query}"
    response = client.get(address(game, f"count/?{given}", "/en"))

    assert (response.status_code, response["Location"]) == (302, address(game, "", "/en"))


def test_hand_counter_ignores_cards_that_the_deck_does_not_have() -> None:
    game = drawn("classic")
    client = phone(game.match.stage.tournament.event)
    team = game.game.seats.get(number=1).team
    cards = "&card=".join(["W"] * 400)
    odd = f"team={team}&seat=1&of=0&card=Z9&card=&card={cards}&hand-0=%00&hand-x=1"
    assert "Cards: 4 Points: 200" in read(client, address(game, f"count/?{odd}", "/en")).text
    confirm = about(client, game, 1, f"&hand-0=Z9&hand-0={cards.replace('card', 'hand-0')}&hand-77=W")
    assert values(confirm) == ["0", "200"]


def test_hand_counter_is_not_offered_where_the_rules_count_no_points() -> None:
    game = drawn("palio")
    client = phone(game.match.stage.tournament.event)
    assert "/count/" not in about(client, game, 1).html
    team = game.game.seats.get(number=1).team
    response = client.get(address(game, f"count/?of=0&seat=1&team={team}"))
    assert response.status_code == 302


def test_hand_counter_fills_in_the_points_of_the_bell() -> None:
    """Also where the rule set counts no points: those who are level in cards are told apart by them."""
    game = drawn("palio")
    client = phone(game.match.stage.tournament.event)
    level = read(client, address(game, "bell/?cards-0=2&cards-1=2", "/en"))
    counter = after(client, read(client, counting(level, 0)), "R7", "W")
    assert "Cards: 2/2 Points: 57" in counter.text
    with pytest.raises(StopIteration):
        tile(counter, "G1")
    form = counter.form_to("/bell/")
    level = Page(client.get(form.action, form.data()))
    shown = {name: value for name, value in level.form_to("/bell/").fields if name.startswith("points-")}
    assert shown == {"points-0": "57", "points-1": ""}
    form = after(client, read(client, counting(level, 1)), "R9", "G9").form_to("/bell/")
    response = client.get(form.action, form.data())
    assert response.status_code == 302
    assert f"team={game.game.seats.get(number=1).team}" in response["Location"]


def test_hand_counter_of_the_bell_with_a_wrong_address_leads_back() -> None:
    game = drawn("palio")
    client = phone(game.match.stage.tournament.event)
    digits = "9" * 5000

    for query in ("of=0", "of=0&cards-0=x", "of=9&cards-9=2", f"of=0&cards-0={digits}"):
        assert client.get(address(game, f"count/?bell=1&{query}")).status_code == 302
    assert client.get(address(game, "bell/?cards-0=2&cards-1=2&hand-0=Z9&hand-x=R7")).status_code == 200
