"""A whole game by taps: the page is followed as a referee would, and the log is what happened."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine import (
    Event,
    Seat,
    State,
    advance,
    dump,
    effective_log,
    event_to_json,
    parse_event,
    play_random_game,
    sentence,
)
from games.engine import replay as engine_replay
from games.engine.events import GameOpened
from games.engine.ruleset import DEFAULT_RULESET
from games.logbook import replay, stored_events
from games.models import Game
from games.stored_log import stored_log
from people.actors import Actor
from people.models import Entry
from tests.referee.taps import bare, way_to
from tests.support import factories
from tests.support.phones import Page, address, phone, read, send
from tests.support.stored_games import SIX_LINES
from tests.support.worlds import remembered
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament

pytestmark = pytest.mark.django_db

GAMES = [(2, 2449, 0), (2, 2561, 0), (4, 1121, 100)]
"""Seats, seed, and how many events of a long game were entered before.

What is tapped holds every kind of event that bots bring about under the palio's rules.
"""
BEGIN = SIX_LINES[:4]


def seated(seats: int) -> tuple[MatchGame, Client]:
    """A game with so many seats, and a phone at its table."""
    size = seats // 2
    tournament = factories.drawn_tournament(factories.make_event(), entries=size, squad_size=size, tables=1)
    return factories.games_of(tournament)[0], phone(tournament.event)


@pytest.fixture
def game() -> MatchGame:
    return remembered(game_of_two)


def game_of_two() -> MatchGame:
    """One of a published tournament."""
    return seated(2)[0]


@pytest.fixture
def client(game: MatchGame) -> Client:
    return phone(game.match.stage.tournament.event)


@pytest.fixture
def begun(game: MatchGame) -> MatchGame:
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    return game


class Taps:
    """A referee at work: looks for what happened among what the page offers."""

    def __init__(self, client: Client, game: MatchGame) -> None:
        self.client, self.game = client, game
        self.posts = 0

    def enter(self, state: State, event: Event) -> None:
        """Enter an event by following the page's links to where it can be tapped."""
        page = read(self.client, address(self.game, "cards/"))
        way = way_to(state, event)
        assert way is not None, f"{event} isn't offered: {page.text}"
        for href in way:
            assert any(link.endswith(href) for link in page.links)
            page = read(self.client, address(self.game, f"cards/{href}"))
        wanted = event_to_json(bare(event))
        form = next(form for form, offered in page.events() if offered == wanted)
        response = send(self.client, form, event=json.dumps(wanted))
        assert response.status_code == 302, response.content.decode()
        self.posts += 1


def played(game: MatchGame, seed: int) -> list[Event]:
    """A bots' game between those who sit there."""
    seats = [Seat(str(seat.entry), str(seat.team)) for seat in game.game.seats.order_by("number")]
    return play_random_game(DEFAULT_RULESET, seats, seed, table=True)


def plain(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("at", "by")}


@pytest.mark.parametrize(("seats", "seed", "before"), GAMES)
def test_game_entered_card_by_card_is_logged_as_it_was_played(seats: int, seed: int, before: int) -> None:
    game, client = seated(seats)
    log = played(game, seed)
    results.write_log(game, Actor.command(), [(None, event_to_json(event)) for event in log[1 : 1 + before]])
    taps = Taps(client, game)
    state = engine_replay(log[: 1 + before])
    for event in log[1 + before :]:
        taps.enter(state, event)
        advance(state, event)
    assert taps.posts == len(log) - 1 - before
    stored = [plain(event) for event in stored_events(game.game_id)]
    assert stored[1:] == [plain(event_to_json(event)) for event in log[1:]]
    assert all("by" in event for event in stored_events(game.game_id)[1 + before :])
    row = Game.objects.get(pk=game.game_id)
    assert (row.is_over, row.closed_by, row.snapshot) == (True, "played", dump(replay(game.game_id)))
    assert "wins" in read(client, address(game, "cards/", "/en")).text


def test_sample_games_have_every_kind_of_event() -> None:
    kinds = set()
    for seats, seed, before in GAMES:
        for event in play_random_game(DEFAULT_RULESET, seats, seed, table=True)[1 + before :]:
            kinds.add((event.type, getattr(event, "upheld", None)))
    assert kinds == {
        *((name, None) for name in ("dealer_cut", "deal_started", "card_turned")),
        *((name, None) for name in ("color_named", "cards_played", "cards_drawn", "turn_passed")),
        *((name, None) for name in ("uno_caught", "penalty_given", "pile_reshuffled")),
        ("challenge_made", True),
        ("challenge_made", False),
    }


def test_dealer_can_be_named(client: Client, game: MatchGame) -> None:
    Taps(client, game).enter(engine_replay(played(game, 1)[:1]), parse_event(BEGIN[0]))
    assert stored_events(game.game_id)[-1]["type"] == "dealer_named"


def test_points_of_a_shown_hand_are_typed_in_where_the_rules_count_them() -> None:
    rules = {"preset": "classic", "hand_size": 1}
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, ruleset=rules)
    game, client = factories.games_of(tournament)[0], phone(tournament.event)
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    page = read(client, address(game, "cards/", "/en"))
    assert "Count the cards that are left" in page.text
    form = next(form for form in page.forms if ("type", "hand_shown") in form.fields)
    told = Page(send(client, form, points="999"))
    assert sentence("impossible-hand", "en") in told.text
    assert send(client, form, points="20").status_code == 302
    assert replay(game.game_id).scores == [0, 20]


@pytest.mark.parametrize(
    ("prefix", "asked", "title"),
    [
        ("", "card=W", "Jolly"),
        ("", "card=W%2B4", "Jolly Pesca quattro"),
        ("/en", "card=W", "Wild"),
        ("/en", "card=W%2B4", "Wild Draw Four"),
    ],
)
def test_colour_choice_is_headed_by_the_name_of_its_card(
    client: Client, begun: MatchGame, prefix: str, asked: str, title: str
) -> None:
    page = client.get(address(begun, f"cards/?{asked}", prefix)).content.decode()
    assert re.findall('<h1 class="ask">(.*?)</h1>', page) == [title]


# Twice, late, refused


def test_double_tap_of_a_card_event_is_one_fact(client: Client, begun: MatchGame) -> None:
    page = read(client, address(begun, "cards/"))
    form, event = next(pair for pair in page.events() if pair[1]["type"] == "cards_drawn")
    for _ in range(2):
        assert send(client, form, event=json.dumps(event)).status_code == 302
    assert len(stored_events(begun.game_id)) == 6


def test_two_buttons_of_one_cards_page_are_a_conflict(client: Client, begun: MatchGame) -> None:
    page = read(client, address(begun, "cards/?color=R", "/en"))
    (form, first), (_, second) = list(page.events())[:2]
    send(client, form, event=json.dumps(first))
    response = send(client, form, event=json.dumps(second))

    assert response.status_code == 409
    assert len(stored_events(begun.game_id)) == 6


def test_old_cards_page_is_told_what_happened_and_may_go_on(client: Client, begun: MatchGame) -> None:
    old = read(client, address(begun, "cards/", "/en"))
    form, drawn = next(pair for pair in old.events() if pair[1]["type"] == "cards_drawn")
    other = {"type": "penalty_given", "seat": 0, "reason": "prompting"}
    paid = {"type": "cards_drawn", "seat": 0, "count": 2}
    results.write_log(begun, Actor.command(), [(None, other), (None, paid)])
    response = send(client, form, event=json.dumps(drawn))
    told = Page(response)

    assert response.status_code == 409
    for words in ("prompted", "draws 2 cards", "draws 1 card", "Enter mine anyway"):
        assert words in told.text
    assert len(stored_events(begun.game_id)) == 7
    assert send(client, told.form_to("/enter/")).status_code == 302
    assert plain(stored_events(begun.game_id)[-1]) == drawn


def test_old_cards_page_whose_tap_cannot_follow_is_told_why(client: Client, begun: MatchGame) -> None:
    old = read(client, address(begun, "cards/", "/en"))
    form, drawn = next(pair for pair in old.events() if pair[1]["type"] == "cards_drawn")
    results.write_log(begun, Actor.command(), [(None, {"type": "cards_played", "seat": 0, "cards": ["R1"]})])
    told = Page(send(client, form, event=json.dumps(drawn)))

    assert sentence("not-your-turn", "en") in told.text
    assert told.forms == []


def batch(version: int, *events: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": str(version),
        "id": [str(uuid4()) for _ in events],
        "event": [json.dumps(event) for event in events],
    }


@pytest.mark.parametrize("language", ["it", "en"])
def test_refusal_tells_the_rule_and_what_is_expected(client: Client, begun: MatchGame, language: str) -> None:
    wrong = {"type": "cards_played", "seat": 0, "cards": ["G8"]}
    prefix = "" if language == "it" else "/en"
    response = client.post(address(begun, "enter/", prefix), batch(5, wrong))
    told = Page(response)
    assert response.status_code == 422
    assert sentence("no-match", language) in told.text
    expected = read(client, address(begun, "cards/", prefix))
    assert next(told.events())[1] == next(expected.events())[1]
    assert len(stored_events(begun.game_id)) == 5


@pytest.mark.parametrize(
    ("language", "said"),
    [("it", r"Adesso è {}[^,]* a giocare, non {}"), ("en", r"It is {}[^,]*'s turn, not {}")],
)
def test_refusal_names_who_plays(client: Client, begun: MatchGame, language: str, said: str) -> None:
    wrong = {"type": "cards_played", "seat": 1, "cards": ["R8"]}
    prefix = "" if language == "it" else "/en"
    told = Page(client.post(address(begun, "enter/", prefix), batch(5, wrong)))
    seats = begun.game.seats.order_by("number")
    people = [Entry.objects.get(pk=seat.entry).person for seat in seats]
    first, second = (re.escape(person.first_name) for person in people if person is not None)

    assert re.search(said.format(first, second), told.text)


@pytest.mark.parametrize("language", ["it", "en"])
def test_refusal_tells_the_rule_of_this_game_that_decides(
    client: Client, begun: MatchGame, language: str
) -> None:
    """The phone says what these rules have, where they could have it otherwise."""
    wrong = {"type": "zero_gift", "seat": 1, "to": 0}
    prefix = "" if language == "it" else "/en"
    told = Page(client.post(address(begun, "enter/", prefix), batch(5, wrong)))

    assert sentence("not-in-ruleset", language) in told.text
    assert DEFAULT_RULESET.told("zero_gift", language) in told.text


def test_batch_keeps_its_legal_part(client: Client, begun: MatchGame) -> None:
    """A phone that was out of reach sends what has waited, in order."""
    right = {"type": "cards_played", "seat": 0, "cards": ["R1"]}
    wrong = {"type": "cards_played", "seat": 0, "cards": ["R2"]}
    sent = batch(5, right, wrong)
    for _ in range(2):
        response = client.post(address(begun, "enter/", "/en"), sent)
        assert response.status_code == 422
        assert sentence("not-your-turn", "en") in Page(response).text

    assert len(stored_events(begun.game_id)) == 6


def test_event_keeps_the_time_of_the_phone(client: Client, begun: MatchGame) -> None:
    drawn = {"type": "cards_drawn", "seat": 0, "count": 1}
    sent = {**batch(5, drawn), "at": "2026-09-05T14:03:10.000Z"}
    assert client.post(address(begun, "enter/"), sent).status_code == 302
    assert stored_events(begun.game_id)[-1]["at"] == "2026-09-05T14:03:10.000Z"


def test_dealer_cut_with_the_wrong_cards_is_refused(client: Client, game: MatchGame) -> None:
    sent = batch(0, {"type": "dealer_cut", "cards": {"0": "R7"}})
    response = client.post(address(game, "enter/", "/en"), sent)

    assert response.status_code == 422
    assert sentence("wrong-cut", "en") in Page(response).text
    assert stored_events(game.game_id) == []


# Undo


def test_undo_goes_back_step_by_step_to_the_beginning(client: Client, begun: MatchGame) -> None:
    for left in (3, 2, 1, 0):
        form = read(client, address(begun, "cards/")).form_to("/put-right/")
        response = send(client, form, reason="typing-error")
        kept = effective_log(stored_log(begun.game_id))
        assert (response.status_code, len(kept) - 1) == (302, left)
    assert response["Location"] == address(begun)
    assert len(stored_events(begun.game_id)) == 9
    assert "/put-right/" not in read(client, address(begun, "cards/")).html


def test_undo_of_the_last_card_opens_the_game_again(client: Client) -> None:
    game, client = seated(2)
    log = played(game, 223)
    results.write_log(game, Actor.command(), [(None, event_to_json(event)) for event in log[1:]])
    assert Game.objects.get(pk=game.game_id).is_over
    match = read(client, f"/t/{game.match.table.code}/matches/{game.match_id}/")
    assert address(game, "cards/") in match.links
    send(client, read(client, address(game, "cards/")).form_to("/put-right/"), reason="typing-error")
    assert not Game.objects.get(pk=game.game_id).is_over


def test_undo_of_an_old_page_is_a_conflict(client: Client, begun: MatchGame) -> None:
    form = read(client, address(begun, "cards/", "/en")).form_to("/put-right/")
    results.write_log(begun, Actor.command(), [(None, {"type": "cards_drawn", "seat": 0, "count": 1})])
    response = send(client, form, reason="typing-error")
    told = Page(response)

    assert (response.status_code, "Take back" in told.text) == (409, True)
    assert any("wrong/?line=5" in link for link in told.links)


def test_log_line_is_taken_out_after_a_preview(client: Client, begun: MatchGame) -> None:
    penalty = {"type": "penalty_given", "seat": 1, "reason": "prompting"}
    paid = {"type": "cards_drawn", "seat": 1, "count": 2}
    later = {"type": "cards_played", "seat": 0, "cards": ["R1"]}
    results.write_log(begun, Actor.command(), [(None, event) for event in (penalty, paid, later)])
    log = read(client, address(begun, "log/", "/en"))
    asked = read(client, next(link for link in log.links if "line=6" in link))
    preview = read(client, next(link for link in asked.links if "/wrong/" in link))
    assert "draws 2 cards" in preview.text
    assert "1 later entry stays" in preview.text
    assert len(stored_events(begun.game_id)) == 8
    assert send(client, preview.form_to("/put-right/")).status_code == 302
    kept = [event.type for _, event in effective_log(stored_log(begun.game_id))][-2:]
    assert kept == ["cards_played", "cards_played"]


@pytest.mark.parametrize("line", ["", "0", "1", "99", "x"])
def test_log_line_that_is_not_there_leads_back_to_the_entries(
    client: Client, begun: MatchGame, line: str
) -> None:
    for page in ("wrong", "instead"):
        answer = client.get(address(begun, f"{page}/?line={line}"))
        assert answer["Location"] == address(begun, "log/")


def test_wrong_card_is_replaced_by_another_after_a_preview(client: Client, begun: MatchGame) -> None:
    results.write_log(begun, Actor.command(), [(None, {"type": "cards_played", "seat": 0, "cards": ["R1"]})])
    asked = read(client, address(begun, "instead/?line=5", "/en"))
    form, event = next(pair for pair in asked.events() if pair[1].get("cards") == ["R9"])
    preview = Page(client.get(form.action, form.data(event=json.dumps(event))))
    assert "In its place stands:" in preview.text
    assert "1 later entry stays" in preview.text
    assert len(stored_events(begun.game_id)) == 6
    assert send(client, preview.form_to("/put-right/")).status_code == 302
    kept = [event_to_json(event) for _, event in effective_log(stored_log(begun.game_id))]
    assert [event["cards"] for event in kept if event["type"] == "cards_played"] == [["R9"], ["R1"]]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("event=[]", 400),
        ("event={", 400),
        ("type=no", 400),
        ('event={"type": "cards_played", "seat": 1, "cards": ["G8"]}', 422),
        ('event={"type": "no"}', 422),
    ],
)
def test_correction_preview_refuses_an_event_that_cannot_stand_there(
    client: Client, begun: MatchGame, query: str, status: int
) -> None:
    assert client.get(address(begun, f"wrong/?line=5&{query}")).status_code == status
    assert len(stored_events(begun.game_id)) == 5


# What it costs


def test_cards_page_takes_as_many_queries_for_a_long_log_as_for_a_short() -> None:
    counts = []
    for length in (5, 150):
        game, client = seated(4)
        log = played(game, 1121)[1:length]
        results.write_log(game, Actor.command(), [(None, event_to_json(event)) for event in log])
        assert not isinstance(log[0], GameOpened)
        read(client, address(game, "cards/"))
        with CaptureQueriesContext(connection) as queries:
            page = read(client, address(game, "cards/"))
        reading = len(queries)
        form, event = next(iter(page.events()), (None, None))
        assert form is not None
        with CaptureQueriesContext(connection) as queries:
            assert send(client, form, event=json.dumps(event)).status_code == 302
        counts.append((reading, len(queries)))
    assert counts[0] == counts[1]
    assert counts[0][0] <= 8


def test_game_begun_in_cards_goes_on_in_cards(client: Client, begun: MatchGame) -> None:
    assert client.get(address(begun))["Location"] == address(begun, "cards/")


def test_cards_page_offers_nothing_before_the_draw_is_published() -> None:
    tournament: Tournament = factories.drawn_tournament(factories.make_event(), entries=1, published=False)
    game, client = factories.games_of(tournament)[0], phone(tournament.event)
    assert list(read(client, address(game, "cards/")).events()) == []
