"""Whatever is sent, a refusal is small and says the first of what is wrong."""

import base64
import json
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from rest_framework.test import APIClient

from api import parsers, problems
from tests.api.addresses import WRITING, Call, address, body_of
from tests.api.conftest import Festival

SMALL = 64 * 1024


def unknown(number: int, length: int = 40) -> dict[str, int]:
    """So many fields that nobody knows, with long names."""
    return {f"{'x' * length}{each}": each for each in range(number)}


def teams(festival: Festival) -> str:
    """An address that takes a body."""
    return f"/api/v1/events/{festival.event.pk}/teams/"


def named(call: Call) -> str:
    """A call as the name of a test."""
    return f"{call.method} {call.name}"


@pytest.mark.parametrize("call", WRITING, ids=named)
def test_a_thousand_unknown_fields_get_a_small_refusal(
    festival: Festival, organizer: APIClient, call: Call
) -> None:
    body = body_of(call, festival) | unknown(900, 4_000)
    answer = organizer.generic(
        call.method, address(call, festival), json.dumps(body), content_type="application/json"
    )
    assert answer.status_code in range(400, 500)
    assert len(answer.content) <= SMALL
    assert len(answer.json().get("problems", ())) <= 20


def test_the_first_twenty_problems_are_told_and_the_others_counted(
    festival: Festival, organizer: APIClient
) -> None:
    answer = organizer.post(teams(festival), unknown(500), format="json")
    body = answer.json()
    told = [problem["code"] for problem in body["problems"]]
    assert (answer.status_code, body["code"]) == (422, "invalid-input")
    # The fields that are missing come first.
    assert (len(told), len(told) + body["problems_left_out"]) == (20, 500 + told.count("required"))


def test_without_that_they_are_all_told(festival: Festival, organizer: APIClient) -> None:
    with mock.patch.multiple(problems, small=dict):
        answer = organizer.post(teams(festival), unknown(900, 4_000), format="json")
    assert len(answer.content) > SMALL


def nested(lists: int, members: int) -> Iterator[tuple[str, str]]:
    """Bodies with too much in them, and their codes."""
    yield json.dumps(unknown(members + 1)), "too-many-members"
    yield json.dumps({"entries": [unknown(members)] * lists}), "too-many-values"
    yield json.dumps({"entries": [[]] * (lists * members)}), "too-many-values"


@pytest.mark.parametrize(("body", "code"), list(nested(51, parsers.MAX_MEMBERS)))
def test_bodies_of_too_many_values_are_refused_unread(
    festival: Festival, organizer: APIClient, body: str, code: str
) -> None:
    with mock.patch.object(problems, "field_problems") as looked_at:
        answer = organizer.post(teams(festival), body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"], len(answer.content) < 2_000) == (400, code, True)
    assert looked_at.call_count == 0


def test_a_long_name_of_a_field_is_cut(festival: Festival, organizer: APIClient) -> None:
    call = {"x" * 1_000_000: 1}
    answer = organizer.post(teams(festival), call, format="json")
    assert [len(each["field"]) for each in answer.json()["problems"] if each["code"] == "unknown-field"] == [
        problems.LONGEST_TEXT
    ]
    twice = '{"' + "x" * 1_000_000 + '":1,"' + "x" * 1_000_000 + '":2}'
    answer = organizer.post(teams(festival), twice, content_type="application/json")
    assert (answer.json()["code"], len(answer.content) < 2_000) == ("duplicate-key", True)


def test_a_refused_import_tells_the_first_rows_and_its_preview_all(
    festival: Festival, organizer: APIClient
) -> None:
    text = "cognome;nome;data di nascita;contrada\n" + "Nava;Eva;ieri;Centro\n" * 300
    file: dict[str, Any] = {"file": base64.b64encode(text.encode()).decode()}
    address = f"/api/v1/events/{festival.event.pk}/import"
    preview = organizer.post(f"{address}/preview/", file, format="json").json()
    refused = organizer.post(f"{address}/", {**file, "digest": preview["digest"]}, format="json").json()
    assert preview["bad_rows"] == 300
    assert refused["code"] == "bad-rows"
    assert refused["rows"] == preview["problems"][:20]
    assert refused["rows_left_out"] == len(preview["problems"]) - 20
