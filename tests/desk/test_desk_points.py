"""Points of each at the desk: asked where the rules count them, shown back, and kept by a correction."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.outcome import Outcome
from people.actors import Actor
from people.models import Account, Event
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, errors, fields_of, form_to, open_page, send
from tests.support.page_reading import Element, read
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer(db: None) -> Account:
    return factories.make_account()


@pytest.fixture
def event(organizer: Account) -> Event:
    """Two contrade that play by rules that count points."""
    event = factories.make_event(organizer)
    factories.make_field(event, 2, 1)
    factories.drawn_tournament(event, ruleset="classic", format="duel")
    return event


@pytest.fixture
def game(event: Event) -> MatchGame:
    return factories.games_of(event.tournaments.get())[0]


@pytest.fixture
def desk(organizer: Account) -> Client:
    return browser_of(organizer)


def match_page(desk: Client, event: Event, game: MatchGame) -> Element:
    return open_page(desk, address("match", event.slug, game.match_id))


def enter(desk: Client, event: Event, game: MatchGame, status: int = 302, **points: str) -> Any:
    """Send the form of a game: seat 0 has won, with these points."""
    path = address("result", event.slug, game.game_id)
    fields = fields_of(form_to(match_page(desk, event, game), path))
    assert {name for name in fields if name.startswith("points-")} == {"points-0", "points-1"}
    winner = "0"
    typed = {name.replace("_", "-"): value for name, value in points.items()}
    return send(desk, path, fields | {"winner": winner} | typed, status)


def points_of(game: MatchGame) -> tuple[int, ...] | None:
    return Outcome.of_row(Game.objects.get(pk=game.game_id)).points


def test_points_are_entered_with_a_result_and_shown_back(desk: Client, event: Event, game: MatchGame) -> None:
    enter(desk, event, game, points_0="512", points_1="0")
    assert points_of(game) == (512, 0)
    sides = [game.game.seats.get(number=seat).team for seat in (0, 1)]
    shown = dict(zip(sides, ("512", "0"), strict=True))
    match = game.match.sides.order_by("number")
    in_order = [shown[side.squad.team_id] for side in match]
    told = match_page(desk, event, game).all(".game-outcome")[0].text
    assert told.endswith(f"card points {' – '.join(in_order[side] for side in game.sides)}")


def test_points_can_be_left_out(desk: Client, event: Event, game: MatchGame) -> None:
    enter(desk, event, game)
    assert (points_of(game), Game.objects.get(pk=game.game_id).is_over) == (None, True)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"points_0": "512"}, "Write the points of everybody at the table"),
        ({"points_0": "512", "points_1": "-3"}, "Points are whole numbers from 0 to 99999."),
        ({"points_0": "512", "points_1": "many"}, "Points are whole numbers from 0 to 99999."),
        ({"points_0": "512", "points_1": "9" * 30}, "Points are whole numbers from 0 to 99999."),
    ],
)
def test_points_that_can_not_be_are_refused_and_stay_in_the_form(
    desk: Client, event: Event, game: MatchGame, typed: dict[str, str], told: str
) -> None:
    page = read(enter(desk, event, game, 422, **typed))
    assert any(told in error for error in errors(page))
    form = form_to(page, address("result", event.slug, game.game_id))
    assert fields_of(form)["points-0"] == "512"
    assert Game.objects.get(pk=game.game_id).version == 0


def test_points_are_not_asked_for_where_the_rules_do_not_count_them(desk: Client, organizer: Account) -> None:
    event = factories.make_event(organizer)
    game = factories.games_of(factories.drawn_tournament(event))[0]
    assert not match_page(desk, event, game).all(".points-each")


def test_correction_begins_with_the_points_that_stand_there(
    desk: Client, event: Event, game: MatchGame
) -> None:
    results.enter_result(game, Actor.command(), seat=0, points={0: 512, 1: 0})
    path = address("correct", event.slug, game.game_id, 2)
    fields = fields_of(form_to(open_page(desk, path)))
    assert (fields["points-0"], fields["points-1"]) == ("512", "0")
    winner = "0"
    fields |= {"winner": winner, "reason": "typing-error", "points-0": "521"}
    page = read(send(desk, path, fields, 200))
    assert "card points 512 – 0" in page.text
    assert "card points 521 – 0" in page.text
    send(desk, path, fields_of(form_to(page)) | {"confirm": "yes"})
    assert points_of(game) == (521, 0)


def test_correction_without_points_that_decide_is_told_in_its_form(desk: Client, organizer: Account) -> None:
    event = factories.make_event(organizer)
    factories.make_field(event, 3, 1)
    tournament = factories.drawn_tournament(event, ruleset="house", format="table_elimination")
    game = factories.games_of(tournament)[0]
    results.enter_result(game, Actor.command(), seat=0, points={0: 0, 1: 30, 2: 40})
    path = address("correct", event.slug, game.game_id, 2)
    fields = fields_of(form_to(open_page(desk, path))) | {"winner": "0", "reason": "typing-error"}

    page = read(send(desk, path, fields | {f"points-{seat}": "" for seat in range(3)}, 422))

    assert any("Here the points decide" in error for error in errors(page))
    assert fields_of(form_to(page))["reason"] == "typing-error"
    assert points_of(game) == (0, 30, 40)


def test_points_of_all_games_cost_one_query(desk: Client, event: Event, game: MatchGame) -> None:
    """As many with three open games as with one."""
    counts = []
    for each in (*factories.games_of(event.tournaments.get())[:2], None):
        with CaptureQueriesContext(connection) as queries:
            match_page(desk, event, game)
        counts.append(len(queries))
        if each is not None:
            results.enter_result(each, Actor.command(), seat=0)
    assert counts[0] == counts[1] == counts[2]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"format": "table_elimination", "ruleset": "house"},
            "Of everybody, 0 for who has none: the points decide who goes on.",
        ),
        ({"format": "triangle", "ruleset": "classic"}, "Of everybody, 0 for who has none; or of nobody."),
    ],
)
def test_points_help_says_whether_points_can_be_left_out(
    desk: Client, organizer: Account, settings: dict[str, Any], told: str
) -> None:
    event = factories.make_event(organizer)
    factories.make_field(event, 3, 1)
    game = factories.games_of(factories.drawn_tournament(event, **settings))[0]

    page = match_page(desk, event, game)

    assert page.all(".points-each")[0].one(".help").text == told
