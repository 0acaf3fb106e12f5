"""What the service answers is what the description says, nulls among it.

All other tests of this folder compare each answer, too (`answers_are_as_described` of `conftest.py`).
"""

import pytest
from rest_framework.test import APIClient

from tests.api.addresses import CALLS, address
from tests.api.conftest import Festival
from tests.api.described import description, faults, faults_of_answer, nulls, validator_of

pytestmark = pytest.mark.django_db
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


def test_the_ends_of_a_list_in_pages_are_null(festival: Festival, organizer: APIClient) -> None:
    path = f"/api/v1/events/{festival.event.pk}/teams"

    answers = [organizer.get(path, {"page": page, "page_size": 1}) for page in (1, 2, 3)]

    assert [faults_of_answer("GET", path, answer) for answer in answers] == [[], [], []]
    assert [(each.json()["previous"], each.json()["next"]) for each in answers] == [
        (None, f"http://testserver{path}?page=2&page_size=1"),
        (f"http://testserver{path}?page_size=1", f"http://testserver{path}?page=3&page_size=1"),
        (f"http://testserver{path}?page=2&page_size=1", None),
    ]


def test_a_page_whose_ends_may_not_be_null_is_noticed(festival: Festival, organizer: APIClient) -> None:
    answer = organizer.get(f"/api/v1/events/{festival.event.pk}/teams").json()
    page = description()["components"]["schemas"]["PaginatedTeamList"]
    strict = {**page, "properties": {**page["properties"], "next": {"type": "string"}}}

    assert faults(validator_of(page), answer) == []
    assert faults(validator_of(strict), answer) == ['next: null is not of type "string"']


def test_a_member_that_is_not_described_is_noticed(festival: Festival, organizer: APIClient) -> None:
    answer = organizer.get(f"/api/v1/events/{festival.event.pk}/").json()
    event = validator_of({"$ref": "#/components/schemas/Event"})

    assert faults(event, answer) == []
    assert len(faults(event, {**answer, "weather": "fine"})) == 1
