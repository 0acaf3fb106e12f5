"""Names of persons: nowhere for the public, as the event is set for referees and parents, in full for the
desk; families and classes for the desk alone.
"""

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.engine import parse_log, print_log, replay
from people.models import Event, Person
from tests.api.addresses import CALLS, Call, address, told
from tests.support import factories
from tests.support.festival import Festival
from tests.support.notation_reading import read_notation

pytestmark = pytest.mark.django_db

READING = [call for call in CALLS if call.method == "GET"]
FAMILY, CLASS = "Mulinacci", "Quartaelle"


@pytest.fixture
def played(festival: Festival, phone: APIClient) -> Festival:
    """A festival whose first game was played."""
    answer = phone.post(f"/api/v1/games/{festival.game.game_id}/result/", {"winner_seat": 0})
    assert answer.status_code == 200
    return festival


@pytest.fixture
def marked(played: Festival) -> Festival:
    """The same, with families, classes and strong players, of whom the desk alone is told."""
    Person.objects.update(family=FAMILY, school_class=CLASS, is_strong=True)
    return played


@pytest.mark.parametrize("call", READING, ids=str)
def test_public_answers_have_no_names_and_no_families(
    call: Call, marked: Festival, public: APIClient
) -> None:
    text = told(public.get(address(call, marked)))
    assert [word for word in (factories.LAST_NAME, factories.FIRST_NAME, FAMILY, CLASS) if word in text] == []
    assert not names_strength(call, text)


@pytest.mark.parametrize("call", READING, ids=str)
def test_referee_answers_have_no_surnames_and_no_families(
    call: Call, marked: Festival, phone: APIClient
) -> None:
    text = told(phone.get(address(call, marked)))
    assert [word for word in (factories.LAST_NAME, FAMILY, CLASS) if word in text] == []
    assert not names_strength(call, text)


def names_strength(call: Call, text: str) -> bool:
    """Whether it tells who is strong; the description of the API names the field, which is nobody's."""
    return call.name != "schema" and "is_strong" in text


def test_entry_is_shown_to_each_reader_as_allowed(
    played: Festival, public: APIClient, phone: APIClient, organizer: APIClient
) -> None:
    address = f"/api/v1/entries/{played.entry.pk}/"

    assert public.get(address).json()["shown_as"] == "Superiore 1"
    assert phone.get(address).json()["shown_as"] == "Ortensia Z. (1)"
    assert organizer.get(address).json()["shown_as"] == "Ortensia Zampognari1"
    assert public.get(address).json()["person"] is None
    assert phone.get(address).json()["person"] is None
    assert organizer.get(address).json()["person"]["last_name"] == "Zampognari1"


def test_public_reads_name_and_initial_with_consent(played: Festival, public: APIClient) -> None:
    Event.objects.filter(pk=played.event.pk).update(names_shown=Event.NamesShown.INITIAL)
    Person.objects.filter(entry=played.entry).update(shows_name=True)
    entries = public.get(f"/api/v1/events/{played.event.pk}/entries/").json()["results"]
    names = [entry["shown_as"] for entry in entries]

    assert names == ["Ortensia Z.", "Superiore 2", "Centro 1", "Centro 2", "Inferiore 1", "Inferiore 2"]


def test_notes_are_in_no_api_answer(played: Festival, organizer: APIClient) -> None:
    Person.objects.filter(entry=played.entry).update(note="allergia alle noci")
    for call in READING:
        assert "allergia" not in told(organizer.get(address(call, played)))


def test_log_names_people_as_the_reader_may_see_them(
    played: Festival, public: APIClient, phone: APIClient
) -> None:
    path = f"/api/v1/games/{played.game.game_id}/log/"
    told = {
        reader: client.get(path).json()["events"] for reader, client in (("public", public), ("phone", phone))
    }
    seats = {reader: [seat["name"] for seat in events[0]["seats"]] for reader, events in told.items()}

    assert [name.split()[0] for name in seats["phone"]] == ["Ortensia", "Ortensia"]
    assert not any("Ortensia" in name for name in seats["public"])
    # Who wrote it down is for those who run the festival.
    assert ["by" in event for event in told["public"]] == [False, False]
    assert told["phone"][1]["by"]


def test_hidden_cards_are_public_once_the_game_is_over(
    festival: Festival, public: APIClient, phone: APIClient
) -> None:
    path = f"/api/v1/games/{festival.game.game_id}/"
    hands = {"0": ["R1", "R2", "R3", "R4", "R5", "R6", "R7"]}
    entries = [
        {"id": "00000000-0000-4000-8000-000000000001", "event": {"type": "dealer_named", "seat": 0}},
        {
            "id": "00000000-0000-4000-8000-000000000002",
            "event": {"type": "deal_started", "dealer": 0, "hands": hands},
        },
    ]
    assert phone.post(f"{path}log/", {"entries": entries}).json()["accepted"] == 2
    assert "hands" not in public.get(f"{path}log/").json()["events"][2]
    assert phone.get(f"{path}log/").json()["events"][2]["hands"] == hands
    phone.post(f"{path}result/", {"winner_seat": 0})
    assert public.get(f"{path}log/").json()["events"][2]["hands"] == hands


def test_downloaded_log_replays_to_its_winner(played: Festival, public: APIClient) -> None:
    answer = public.get(f"/api/v1/games/{played.game.game_id}/log.jsonl")
    assert answer["Content-Type"] == "application/x-ndjson"
    assert answer["Content-Disposition"] == f'attachment; filename="{played.game.game_id}.jsonl"'
    assert replay(parse_log(answer.content)).winner == 0
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [line["type"] for line in lines] == ["game_opened", "game_closed"]


def test_log_in_notation_is_the_same_log_for_the_same_reader(
    played: Festival, public: APIClient, phone: APIClient
) -> None:
    path = f"/api/v1/games/{played.game.game_id}/log"
    for client in (public, phone):
        answer = client.get(f"{path}.txt")
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer["Content-Disposition"] == f'attachment; filename="{played.game.game_id}.txt"'
        assert print_log(read_notation(answer.content)).encode() == client.get(f"{path}.jsonl").content
    assert "Ortensia" not in public.get(f"{path}.txt").content.decode()
    assert "Ortensia" in phone.get(f"{path}.txt").content.decode()


def test_log_in_notation_costs_what_json_lines_cost(played: Festival, public: APIClient) -> None:
    costs = []
    for suffix in ("jsonl", "txt"):
        with CaptureQueriesContext(connection) as captured:
            assert public.get(f"/api/v1/games/{played.game.game_id}/log.{suffix}").status_code == 200
        costs.append(len(captured))
    assert costs[0] == costs[1]


def test_hidden_cards_are_not_in_a_public_notation_log_before_the_end(
    festival: Festival, public: APIClient, phone: APIClient
) -> None:
    path = f"/api/v1/games/{festival.game.game_id}/"
    hand = ["B1", "B2", "B3", "B4", "B5", "B6", "B7"]
    entries = [
        {"id": str(uuid4()), "event": {"type": "dealer_named", "seat": 0}},
        {"id": str(uuid4()), "event": {"type": "deal_started", "dealer": 0, "hands": {"0": hand}}},
    ]

    assert phone.post(f"{path}log/", {"entries": entries}).json()["accepted"] == 2
    assert "B1" not in public.get(f"{path}log.txt").content.decode()
    assert "deal=0/0=B1,B2,B3,B4,B5,B6,B7" in phone.get(f"{path}log.txt").content.decode()


def test_missing_log_file_is_answered_with_a_json_problem(public: APIClient, db: None) -> None:
    answer = public.get(
        "/api/v1/games/00000000-0000-4000-8000-000000000000/log.jsonl",
        headers={"Accept": "application/x-ndjson"},
    )
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert json.loads(answer.content)["code"] == "not-found"
