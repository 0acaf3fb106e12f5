"""A whole festival by the API alone: from an empty service to the final table."""

import base64
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support import factories
from tests.support.clients import client_of_token
from tournaments.models import Tournament
from tournaments.projections.standings import compute

pytestmark = pytest.mark.django_db

CSV = "cognome;nome;data di nascita;contrada;allergie\n" + "".join(
    f"Zampognari{number}{team};Ortensia;0{number}/03/2016;{team};noci\n"
    for number in (1, 2, 3)
    for team in ("Alta", "Media", "Bassa")
)


def made(answer: Any, status: int = 201) -> Any:
    """The answer's content, once it is certain that it succeeded."""
    assert answer.status_code == status, answer.content
    return answer.json()


def test_palio_by_the_api_alone_from_an_empty_service_to_the_final_table(db: None) -> None:
    desk = client_of_token(factories.make_account())
    event = made(desk.post("/api/v1/events/", {"name": "Palio di prova", "starts_on": "2026-09-05"}))
    assert (event["slug"], event["is_published"]) == ("palio-di-prova", False)
    below = f"/api/v1/events/{event['id']}"
    teams = {
        name: made(desk.post(f"{below}/teams/", {"name": name}))["id"] for name in ("Alta", "Media", "Bassa")
    }
    file = {"file": base64.b64encode(CSV.encode()).decode()}
    preview = made(desk.post(f"{below}/import/preview/", file), 200)
    assert (len(preview["good"]), preview["bad_rows"], preview["dropped_columns"]) == (9, 0, ["allergie"])
    assert len(made(desk.post(f"{below}/import/", file | {"digest": preview["digest"]}))["entries"]) == 9

    tournament = made(desk.post(f"{below}/tournaments/", {"name": "Carte", "settings": {"tables": 2}}))
    path = f"/api/v1/tournaments/{tournament['id']}"
    plan = made(desk.get(f"{path}/draw/preview/", {"seed": "abc"}), 200)
    assert (plan["seed"], plan["games"], plan["fewest_games"]) == ("abc", 27, plan["most_games"])
    drawn = made(desk.post(f"{path}/draw/", {"seed": "abc", "expected_version": 1}), 200)
    assert (drawn["status"], drawn["stages"][0]["seed"]) == ("drawn", "abc")
    assert made(desk.post(f"{path}/publish/", {}), 200)["status"] == "published"
    made(desk.patch(f"{below}/", {"is_published": True}), 200)

    phone = admitted_phone(desk, below)
    played = 0
    for each in made(desk.get(f"{path}/rounds/"), 200):
        for match in (match for wave in each["waves"] for match in wave["matches"]):
            for game in match["games"]:
                winner = max(
                    (match["sides"][side]["team"] for side in game["sides"]), key=list(teams.values()).index
                )
                made(phone.post(f"/api/v1/games/{game['id']}/result/", {"winner_team": winner}), 200)
                played += 1
    assert played == 27
    compute(Tournament.objects.get().pk)

    closed = made(desk.post(f"{path}/close/", {}), 200)
    assert closed["status"] == "closed"
    standings = made(APIClient().get(f"{path}/standings/"), 200)
    assert [(row["team_name"], row["place"], row["placement_points"]) for row in standings["rows"]] == [
        ("Bassa", 1, "30"),
        ("Media", 2, "20"),
        ("Alta", 3, "10"),
    ]
    assert standings["version"]["is_final"]
    receipts = made(desk.get(f"{below}/receipts/"), 200)["results"]
    assert len(receipts[0]["root_hash"]) == 64
    assert made(desk.post(f"{below}/verification/", {}), 200) == {"findings": []}


def admitted_phone(desk: APIClient, below: str) -> APIClient:
    """A phone that asks, shows its word and gets in by the day's PIN."""
    referee = made(desk.post(f"{below}/referees/", {"first_name": "Ivo"}))
    phone = APIClient()
    asked = made(phone.post(f"{below}/pairings/", {"referee": referee["id"]}))
    phone.credentials(HTTP_AUTHORIZATION=f"Pairing {asked['secret']}")
    assert made(phone.get("/api/v1/pairings/current/"), 200)["admitted_at"] is None
    wrong = phone.post("/api/v1/pairings/current/admit/", {"pin": "no"})
    assert (wrong.status_code, wrong.json()["code"]) in ((422, "wrong-pin"), (429, "pin-paused"))
    pin = made(desk.post(f"{below}/day-pin/", {}), 200)["pin"]
    admitted = made(phone.post("/api/v1/pairings/current/admit/", {"pin": pin}), 200)
    assert admitted["admitted_by"] == "pin"
    assert [each["id"] for each in made(desk.get(f"{below}/pairings/"), 200)["results"]] == [asked["id"]]
    return phone


def test_correction_is_previewed_and_made(db: None) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    game = factories.games_of(factories.drawn_tournament(event))[0]
    desk, path = client_of_token(organizer), f"/api/v1/games/{game.game_id}"
    made(desk.post(f"{path}/result/", {"winner_seat": 0}), 200)
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    body = {"line": 2, "replacement": [right], "reason": "wrong-winner", "expected_version": 2}
    plan = made(desk.post(f"{path}/corrections/preview/", body), 200)
    assert (plan["before"]["seat"], plan["after"]["seat"], plan["version"]) == (0, 1, 2)
    assert [each["type"] for each in plan["events"]] == ["event_voided", "game_closed"]
    assert made(desk.get(f"{path}/"), 200)["winner_seat"] == 0
    written = made(desk.post(f"{path}/corrections/", body), 200)
    assert (written["version"], written["outcome_changed"]) == (4, True)
    assert made(desk.get(f"{path}/"), 200)["winner_seat"] == 1
    stale = desk.post(f"{path}/corrections/", body)
    assert stale.status_code in (409, 422)


def test_log_file_is_uploaded_once(db: None) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    game = factories.games_of(factories.drawn_tournament(event))[0]
    desk, path = client_of_token(organizer), f"/api/v1/games/{game.game_id}"
    log = '{"type": "dealer_named", "seat": 0}\n{"type": "game_closed", "reason": "time", "winner": 1}\n'
    answer = desk.post(f"{path}/log.jsonl", log.encode(), content_type="application/x-ndjson")
    assert (made(answer)["accepted"], answer["Content-Type"]) == (2, "application/json")
    assert made(desk.get(f"{path}/"), 200)["closed_by"] == "time"
    again = desk.post(f"{path}/log.jsonl", log.encode(), content_type="application/x-ndjson")
    assert (again.status_code, again.json()["code"]) == (409, "version-conflict")


@pytest.mark.parametrize(
    ("bell", "shares"), [("no_point", False), ("point_each", True), ("one_more_card", False)]
)
def test_game_left_level_by_the_bell_is_shared_by_point_each(db: None, bell: str, shares: bool) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event, entries=1, bell=bell)
    game, desk = factories.games_of(tournament)[0], client_of_token(organizer)
    made(desk.post(f"/api/v1/games/{game.game_id}/result/", {"reason": "time"}), 200)
    match = made(desk.get(f"/api/v1/matches/{game.match_id}/"), 200)

    assert [each["is_shared"] for each in match["games"]] == [shares, False, False]
    assert [side["points"] for side in match["sides"]] == [int(shares), int(shares), 0]


def test_legal_log_events_are_listed(db: None) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    game = factories.games_of(factories.drawn_tournament(event))[0]
    legal = made(client_of_token(organizer).get(f"/api/v1/games/{game.game_id}/legal/"), 200)

    assert (legal["version"], [option["type"] for option in legal["options"]]) == (
        0,
        ["dealer_cut", "dealer_named", "game_closed"],
    )
