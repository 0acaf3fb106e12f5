"""The points and places of each seat: given with a result, and read back with the game and its match."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from ledger.models import Fact
from people.models import Event
from tests.support import factories
from tests.support.clients import client_of_phone
from tests.support.rounds_play import published
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(db: None) -> Event:
    """Two teams that play by rules that count points."""
    event = factories.make_event()
    factories.make_field(event, 2, 1)
    factories.drawn_tournament(event, ruleset="classic", format="duel")
    return event


@pytest.fixture
def game(event: Event) -> MatchGame:
    return factories.games_of(event.tournaments.get())[0]


@pytest.fixture
def phone(event: Event) -> APIClient:
    return client_of_phone(event)


def test_points_by_seat_are_read_back_with_game_and_match(phone: APIClient, game: MatchGame) -> None:
    path = f"/api/v1/games/{game.game_id}/"
    assert (phone.get(path).json()["points"], phone.get(path).json()["penalties"]) == (None, None)
    sent = phone.post(f"{path}result/", {"winner_seat": 0, "points": [512, 0]})
    assert (sent.status_code, sent.json()["summary"]["scores"]) == (200, [512, 0])
    assert (phone.get(path).json()["points"], phone.get(path).json()["penalties"]) == ([512, 0], None)
    match = phone.get(f"/api/v1/matches/{game.match_id}/").json()
    seats = dict(game.game.seats.values_list("team", "number"))
    by_side = [[512, 0][seats[game.match.sides.get(number=side).squad.team_id]] for side in game.sides]
    assert match["games"][0]["points"] == by_side


def test_log_closed_with_places_is_stored_and_corrected(phone: APIClient, game: MatchGame) -> None:
    path = f"/api/v1/games/{game.game_id}/log/"
    closed = {"type": "game_closed", "reason": "result", "winner": 1, "places": {"0": 2, "1": 1}}
    turned = closed | {"winner": 0, "places": {"0": 1, "1": 2}}
    wrong = closed | {"winner": 0}

    refused, sent = (
        phone.post(path, {"entries": [{"id": str(uuid4()), "event": event}]}) for event in (wrong, closed)
    )

    assert refused.json()["refusal"]["code"] == "malformed"
    assert (sent.status_code, sent.json()["summary"]["winner"]) == (200, 1)
    assert phone.get(path).json()["events"][-1]["places"] == {"0": 2, "1": 1}

    body = {"line": 2, "replacement": [turned], "reason": "typing-error"}
    assert phone.post(f"/api/v1/games/{game.game_id}/corrections/", body).status_code == 200
    found = phone.get(f"/api/v1/games/{game.game_id}/").json()
    assert (found["is_over"], found["winner_seat"], found["places"]) == (True, 0, [1, 2])


def test_places_by_seat_are_read_back(phone: APIClient, game: MatchGame) -> None:
    path = f"/api/v1/games/{game.game_id}/"

    sent = phone.post(f"{path}result/", {"places": [2, 1]})

    assert (sent.status_code, sent.json()["summary"]["winner"]) == (200, 1)
    found = phone.get(path).json()
    assert (found["places"], found["points"], found["winner_seat"]) == ([2, 1], None, 1)
    assert phone.get(f"{path}log/").json()["events"][-1]["places"] == {"0": 2, "1": 1}


@pytest.mark.parametrize(
    ("places", "code"),
    [
        ([1], "malformed"),
        ([1, 2, 3], "malformed"),
        ([2, 3], "malformed"),
        ([0, 1], "invalid-input"),
        ([1, "second"], "invalid-input"),
        ({"0": 1, "1": 2}, "invalid-input"),
        ([1] * 11, "invalid-input"),
    ],
)
def test_places_that_can_not_be_are_refused(
    phone: APIClient, game: MatchGame, places: Any, code: str
) -> None:
    answer = phone.post(f"/api/v1/games/{game.game_id}/result/", {"places": places})

    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Fact.objects.filter(stream=game.game_id).exists()


def test_correction_preview_tells_points_before_and_after(phone: APIClient, game: MatchGame) -> None:
    path = f"/api/v1/games/{game.game_id}/"
    phone.post(f"{path}result/", {"winner_seat": 0, "points": [512, 0]})
    right = {"type": "game_closed", "reason": "result", "winner": 0, "scores": {"0": 521, "1": 0}}
    body = {"line": 2, "replacement": [right], "reason": "typing-error"}
    plan = phone.post(f"{path}corrections/preview/", body).json()

    assert (plan["before"]["points"], plan["after"]["points"]) == ([512, 0], [521, 0])
    assert (plan["before"]["places"], plan["after"]["penalties"]) == ([1, 2], None)


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ([512], "points-incomplete"),
        ([512, 0, 0], "points-incomplete"),
        ([], "points-incomplete"),
        ([512, -1], "malformed"),
        ([512, "many"], "malformed"),
        ([512, 1.5], "malformed"),
        ([512, 10**30], "malformed"),
        ({"0": 512, "1": 0}, "malformed"),
        ([0] * 11, "malformed"),
    ],
)
def test_points_that_can_not_be_are_refused(
    phone: APIClient, game: MatchGame, points: Any, code: str
) -> None:
    answer = phone.post(f"/api/v1/games/{game.game_id}/result/", {"winner_seat": 0, "points": points})
    assert answer.status_code in (400, 422)
    if code != "malformed":
        assert answer.json()["code"] == code
    assert not Fact.objects.filter(stream=game.game_id).exists()


def test_points_are_refused_where_none_are_counted() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    game = factories.games_of(tournament)[0]
    phone = client_of_phone(tournament.event)
    path = f"/api/v1/games/{game.game_id}/result/"
    answer = phone.post(path, {"winner_seat": 0, "points": [20, 0]})

    assert (answer.status_code, answer.json()["code"]) == (422, "points-not-counted")
    assert phone.post(path, {"winner_seat": 0}).status_code == 200


@pytest.fixture
def at_table() -> MatchGame:
    """A game of four seats whose places decide."""
    return factories.games_of(published(4, 1, format="tables", ruleset="house"))[0]


@pytest.fixture
def referee(at_table: MatchGame) -> APIClient:
    return client_of_phone(at_table.match.stage.tournament.event)


def test_absent_squads_of_a_result_are_stored(referee: APIClient, at_table: MatchGame) -> None:
    path = f"/api/v1/games/{at_table.game_id}/result/"

    sent = referee.post(path, {"places": [2, 1, 3, 3], "absent": [2, 3]})

    match = referee.get(f"/api/v1/matches/{at_table.match_id}/").json()
    sides = [match["sides"][side] for side in at_table.sides]
    assert sent.status_code == 200
    assert [side["is_absent"] for side in sides] == [False, False, True, True]
    assert [side["place"] for side in sides] == [2, 1, None, None]
    assert [side["table_points"] for side in sides] == ["2/3", "17/6", "0", "0"]
    tournament = at_table.match.stage.tournament
    stage = referee.get(f"/api/v1/tournaments/{tournament.pk}/stages/1/").json()
    (pairing,) = (
        each
        for round_ in stage["rounds"]
        for each in round_["pairings"]
        if each["match"] == str(at_table.match_id)
    )
    assert pairing["outcome"]["absent"] == sorted(pairing["sides"][side] for side in at_table.sides[2:])


@pytest.mark.parametrize(
    ("absent", "code"),
    [([4], "invalid-input"), ([3, 3], "invalid-input"), ([0], "malformed"), ([1, 2, 3], "malformed")],
)
def test_absent_squad_that_can_not_be_is_refused(
    referee: APIClient, at_table: MatchGame, absent: list[int], code: str
) -> None:
    path = f"/api/v1/games/{at_table.game_id}/"

    sent = referee.post(f"{path}result/", {"places": [1, 2, 3, 4], "absent": absent})

    assert (sent.status_code, sent.json()["code"]) == (422, code)
    assert referee.get(path).json()["version"] == 0


def test_absent_squad_is_corrected(referee: APIClient, at_table: MatchGame) -> None:
    path = f"/api/v1/games/{at_table.game_id}/"
    places = {"0": 1, "1": 2, "2": 3, "3": 4}
    closed = {"type": "game_closed", "reason": "result", "winner": 0, "places": places}
    referee.post(f"{path}result/", {"places": [1, 2, 3, 4]})
    line = referee.get(path).json()["version"]

    body = {"line": line, "replacement": [closed], "reason": "typing-error", "absent": [3]}
    corrected = referee.post(f"{path}corrections/", body)

    match = referee.get(f"/api/v1/matches/{at_table.match_id}/").json()
    assert corrected.status_code == 200
    assert [match["sides"][side]["is_absent"] for side in at_table.sides] == [False, False, False, True]
