"""The palio through the API: set up, played, read; each slip told by its field."""

import csv
import io
import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from people.actors import Actor
from tests.support import factories
from tests.support.computed_tournaments import play
from tests.support.festival import Festival
from tests.support.page_reading import read
from tests.support.pdf_text import text_of
from tournaments.commands.close import close_tournament
from tournaments.projections import overall

pytestmark = pytest.mark.django_db


def path(festival: Festival, rest: str = "") -> str:
    return f"/api/v1/events/{festival.event.pk}/palio/{rest}"


def set_up(festival: Festival, organizer: APIClient, **rules: object) -> dict[str, Any]:
    disciplines = [
        {"kind": "tournament", "id": str(festival.tournament.pk)},
        {"kind": "other", "name": "Sacchi", "weight": "1.5", "scale": [10, 5, 1]},
    ]
    answer = organizer.put(path(festival), {"rules": {"disciplines": disciplines, **rules}}, format="json")
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = json.loads(answer.content)
    return told


def test_palio_from_its_rules_to_its_table(
    festival: Festival, organizer: APIClient, public: APIClient
) -> None:
    assert public.get(path(festival)).json()["code"] == "no-palio"
    assert public.get(path(festival, "standings/")).status_code == 404
    told = organizer.put(
        path(festival),
        {
            "rules": {
                "disciplines": [
                    {"kind": "tournament", "id": str(festival.tournament.pk)},
                    {"kind": "other", "name": "Sacchi", "weight": "1.5", "scale": [10, 5, 1]},
                ]
            }
        },
        format="json",
    ).json()
    cards, race = told["disciplines"]
    assert (race["name"], race["weight"], race["progress"]) == ("Sacchi", "3/2", "waiting")
    one, two, three = (str(team.pk) for team in festival.teams)
    joker = {"team": two, "discipline": race["id"], "expected_version": told["version"]}
    assert organizer.post(path(festival, "jokers/"), joker, format="json").status_code == 200
    assert organizer.post(path(festival, "jokers/"), joker, format="json").status_code == 409
    places = [{"team": one, "place": 1}, {"team": two, "place": 2}, {"team": three, "place": None}]
    entered = organizer.post(
        path(festival, "placements/"), {"discipline": race["id"], "places": places}, format="json"
    )
    assert entered.json()["placements"] == [
        {"discipline": race["id"], "team": one, "place": 1},
        {"discipline": race["id"], "team": two, "place": 2},
    ]
    play(festival.tournament, ("Inferiore", "Superiore", "Centro"))
    festival.tournament.refresh_from_db()
    close_tournament(festival.tournament, Actor.command())
    overall.compute(told["id"])
    table = public.get(path(festival, "standings/")).json()
    assert table["version"]["is_final"] is True
    assert [(row["team_name"], row["place"], row["total"]) for row in table["rows"]] == [
        ("Superiore", 1, "35"),
        ("Inferiore", 2, "30"),
        ("Centro", 3, "25"),
    ]
    assert table["rows"][2]["shares"] == [
        {"discipline": cards["id"], "place": 3, "points": "10", "joker": False},
        {"discipline": race["id"], "place": 2, "points": "15", "joker": True},
    ]


def test_palio_receipt_is_the_same_in_api_export_paper_and_page(
    festival: Festival, organizer: APIClient, public: APIClient
) -> None:
    told = set_up(festival, organizer)
    race = told["disciplines"][1]["id"]
    play(festival.tournament, ("Inferiore", "Superiore", "Centro"))
    festival.tournament.refresh_from_db()
    close_tournament(festival.tournament, Actor.command())
    teams = [str(team.pk) for team in festival.teams]
    roots = []

    for order, reason in ((teams, {}), (teams[::-1], {"reason": "typing-error"})):
        places = [{"team": team, "place": place} for place, team in enumerate(order, start=1)]
        body = {"discipline": race, "places": places, **reason}
        assert organizer.post(path(festival, "placements/"), body, format="json").status_code == 200
        overall.compute(told["id"])
        version = public.get(path(festival, "standings/")).json()["version"]
        assert version["is_final"] is True
        roots.append(version["receipt"])

    assert roots[1] not in ("", roots[0])
    address = f"/api/v1/events/{festival.event.pk}/exports/palio/?format=csv"
    exported: Any = public.get(address, headers={"Accept-Language": "en"})
    rows = csv.DictReader(io.StringIO(b"".join(exported).decode("utf-8-sig")))
    assert {row["Receipt"] for row in rows} == {roots[1]}
    paper = text_of(Client().get(reverse("publishing:palio-paper", args=[festival.event.slug])).content)
    assert roots[1] in paper.replace(" ", "")
    page = read(Client().get(reverse("publishing:palio", args=[festival.event.slug])))
    assert page.one(".receipt").one("code").text == roots[1]


def test_palio_rules_sent_twice_are_one_decision(festival: Festival, organizer: APIClient) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    body = {"rules": {"disciplines": [{"kind": "other", "name": "Sacchi"}]}}
    told = [organizer.put(path(festival), body, format="json", headers=key).json() for _ in range(2)]

    assert told[0] == told[1]
    assert len(told[0]["disciplines"]) == 1


@pytest.mark.parametrize(
    ("name", "code"),
    [("Tiro\talla fune", "odd-characters"), ("Sac\x7fchi", "odd-characters"), ("\t", "wrong-value")],
)
def test_palio_discipline_with_a_wrong_name_is_refused(
    festival: Festival, organizer: APIClient, name: str, code: str
) -> None:
    body = {"rules": {"disciplines": [{"kind": "other", "name": name}]}}

    answer = organizer.put(path(festival), body, format="json")

    told = [(each["field"].rpartition(".")[2], each["code"]) for each in answer.json()["problems"]]
    assert (answer.status_code, told) == (422, [("name", code)])


def test_palio_placement_that_is_wrong_is_refused(festival: Festival, organizer: APIClient) -> None:
    race = set_up(festival, organizer)["disciplines"][1]["id"]
    one, two, three = (str(team.pk) for team in festival.teams)

    def code(**body: object) -> str:
        answer = organizer.post(path(festival, "placements/"), body, format="json")
        assert answer.status_code in (400, 422), answer.content
        told: str = answer.json()["code"]
        return told

    places = [{"team": one, "place": 1}, {"team": two, "place": 2}, {"team": three, "place": 4}]

    assert code(discipline=race, places=places) == "wrong-places"
    assert code(discipline=race, places=places[:2]) == "wrong-teams"
    assert code(discipline=str(uuid4()), places=places) == "unknown-discipline"
    assert code(discipline=race, places=[{"team": one, "place": 0}]) == "invalid-input"
    assert code(discipline=race, places="all") == "invalid-input"


def test_play_off_orders_tied_teams() -> None:
    organizer = factories.make_account()
    from tests.support.clients import client_of_token
    from tournaments.commands import results

    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event, 3, 3, tie_policy="play_off")
    for game in factories.games_of(tournament):
        results.enter_result(game, Actor.command(), seat=0)
    teams = [str(team.pk) for team in event.teams.order_by("-number")]
    address = f"/api/v1/tournaments/{tournament.pk}/play-offs/"
    caller = client_of_token(organizer)
    assert caller.post(address, {"orders": [teams[:2]]}, format="json").json()["code"] == "wrong-order"
    assert caller.post(address, {"orders": [teams]}, format="json").status_code == 200
    shown = caller.get(f"/api/v1/tournaments/{tournament.pk}/standings/")
    if shown.status_code == 404 or [row["team"] for row in shown.json()["rows"]] != teams:
        from tournaments.projections import standings as of_tournament

        of_tournament.compute(tournament.pk)
        shown = caller.get(f"/api/v1/tournaments/{tournament.pk}/standings/")
    assert [row["team"] for row in shown.json()["rows"]] == teams
