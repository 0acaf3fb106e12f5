"""What the service answers is what the description says, nulls among it.

All other tests of this folder compare each answer, too (`answers_are_as_described` of `conftest.py`).
"""

from unittest import mock
from uuid import UUID

import pytest
from django.db import OperationalError
from rest_framework.test import APIClient

from api.views import events
from people.access import reads_event
from tests.api.addresses import CALLS, address
from tests.api.described import description, faults, faults_of_answer, nulls, path_of, validator_of
from tests.support.festival import Festival

pytestmark = pytest.mark.django_db
KEY = UUID("0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11")
FILES = {"archive", "export-file", "game-log-file", "game-notation", "schema"}
READS = [call for call in CALLS if call.method == "GET" and call.name not in FILES]


def test_every_answer_to_a_reader_is_as_described(
    festival: Festival, organizer: APIClient, public: APIClient
) -> None:
    wrong: dict[str, list[str]] = {}
    empty: set[str] = set()
    for call in READS:
        path = address(call, festival)
        for client in (organizer, public):
            answer = client.get(path)
            if found := faults_of_answer("GET", path, answer):
                wrong[f"{call} {answer.status_code}"] = found
            if answer.status_code == 200:
                empty |= {f"{call.name}{where}" for where in nulls(answer.json())}

    assert wrong == {}
    # The comparison has seen nulls of every kind: a text, an object, a moment, an id, a number.
    assert {
        "entries.next",
        "entries.results[].person",
        "match.called_at",
        "game.winner_team",
        "webhooks.results[].next_at",
    } - empty == set()


def test_paged_list_has_null_at_its_ends(festival: Festival, organizer: APIClient) -> None:
    path = f"/api/v1/events/{festival.event.pk}/teams"

    answers = [organizer.get(path, {"page": page, "page_size": 1}) for page in (1, 2, 3)]

    assert [faults_of_answer("GET", path, answer) for answer in answers] == [[], [], []]
    assert [(each.json()["previous"], each.json()["next"]) for each in answers] == [
        (None, f"http://testserver{path}?page=2&page_size=1"),
        (f"http://testserver{path}?page_size=1", f"http://testserver{path}?page=3&page_size=1"),
        (f"http://testserver{path}?page=2&page_size=1", None),
    ]


def test_twin_paged_list_with_a_null_not_described_is_found(festival: Festival, organizer: APIClient) -> None:
    answer = organizer.get(f"/api/v1/events/{festival.event.pk}/teams").json()
    page = description()["components"]["schemas"]["PaginatedTeamList"]
    strict = {**page, "properties": {**page["properties"], "next": {"type": "string"}}}

    assert faults(validator_of(page), answer) == []
    assert faults(validator_of(strict), answer) == ['next: null is not of type "string"']


def test_twin_member_that_is_not_described_is_found(festival: Festival, organizer: APIClient) -> None:
    answer = organizer.get(f"/api/v1/events/{festival.event.pk}/").json()
    event = validator_of({"$ref": "#/components/schemas/Event"})

    assert faults(event, answer) == []
    assert len(faults(event, {**answer, "weather": "fine"})) == 1


def test_etag_answers_304_where_it_is_described(festival: Festival, organizer: APIClient) -> None:
    described, answered = set(), set()
    for call in READS:
        path = address(call, festival)
        where = path_of(path)
        if where is None:
            continue
        operation = description()["paths"][where]["get"]
        if "304" in operation["responses"]:
            assert "If-None-Match" in {each["name"] for each in operation["parameters"]}
            described.add(call.name)
        first = organizer.get(path)
        if first.status_code == 200 and "ETag" in first.headers:
            again = organizer.get(path, headers={"If-None-Match": first["ETag"]})
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), call
            assert faults_of_answer("GET", path, again) == [], call
            answered.add(call.name)

    # This festival has nothing there to read, and the caller is no phone.
    nothing = {"current-pairing", "outlook", "palio", "palio-standings", "stage", "standings"}
    assert answered == described - nothing - {"timetable-work"}


def test_answers_500_and_503_are_as_described(
    festival: Festival, organizer: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/v1/events/{festival.event.pk}"
    organizer.raise_request_exception = False
    for fault, status in ((OperationalError("disk full"), 503), (ValueError("a fault"), 500)):
        action = mock.Mock(side_effect=fault, access=reads_event, query=None, in_pages=False)
        monkeypatch.setattr(events.EventDetail, "read", action)
        answer = organizer.get(path)

        assert answer.status_code == status
        assert faults_of_answer("GET", path, answer) == []
        assert ("Retry-After" in answer.headers) == (status == 503)


def test_replayed_answer_has_the_header_idempotency_replayed(
    festival: Festival, organizer: APIClient
) -> None:
    path = f"/api/v1/events/{festival.event.pk}/teams"
    for again in (False, True):
        answer = organizer.post(path, {"name": "Torre"}, headers={"Idempotency-Key": str(KEY)})

        assert answer.status_code == 201
        assert ("Idempotency-Replayed" in answer.headers) == again
        assert faults_of_answer("POST", path, answer) == []


def test_twin_header_that_is_not_described_is_found(festival: Festival, organizer: APIClient) -> None:
    path = f"/api/v1/events/{festival.event.pk}/teams"
    answer = organizer.get(path)

    answer["ETag"] = '"a mark"'

    assert faults_of_answer("GET", path, answer) == ["the header ETag isn't described"]


def test_answers_have_vary_and_cache_control_headers(
    festival: Festival, organizer: APIClient, public: APIClient
) -> None:
    path = f"/api/v1/tournaments/{festival.tournament.pk}"
    answers = [client.get(path) for client in (organizer, public)]

    for each in answers:
        assert {"Accept-Language", "Authorization", "Cookie"} <= set(each["Vary"].split(", "))
        assert each["Cache-Control"] == "private, no-cache"
