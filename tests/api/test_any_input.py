"""Whatever is sent, the answer is one that was foreseen: no call ends in a fault of ours."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from tests.api.addresses import CALLS, WRITING, Call, address, body_of
from tests.api.described import description, path_of, resolved
from tests.support.festival import Festival
from tests.support.odd_numbers import ODD_NUMBERS, ONE_BEHIND_ZEROS, TOO_LONG, odd_numbers
from tests.support.run.long import examples

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["game_closed", "cards_played", "result", "R7", "palio", "2026-09-05", "0", ""])
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a JSON value, itself included."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def with_other(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The value with something else at this place."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_other(value[path[0]], path[1:], other)
    return copy


@pytest.mark.parametrize("call", WRITING, ids=str)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_body_with_any_value_is_answered_without_a_fault(
    call: Call, data: st.DataObject, festival: Festival, organizer: APIClient
) -> None:
    right = body_of(call, festival)
    place = data.draw(st.sampled_from(list(places(right))))
    body = json.dumps(with_other(right, place, data.draw(values)))
    send = getattr(organizer, call.method.lower())
    answer = send(address(call, festival), body, content_type="application/json")
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code


EVENT_TYPES = ["game_opened", "dealer_cut", "dealer_named", "deal_started", "card_turned", "cards_played"]
EVENT_TYPES += ["hand_shown", "game_closed", "event_voided", "penalty_given", "challenge_made"]
FIELDS = ["seat", "cards", "card", "color", "winner", "team", "line", "reason", "ruleset", "seats", "hands"]
FIELDS += ["dealer", "at", "by", "kin", "scores", "points", "count"]


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    type=st.sampled_from(EVENT_TYPES),
    fields=st.dictionaries(st.sampled_from(FIELDS), values, max_size=4),
    id=st.uuids(),
)
def test_log_event_with_any_fields_is_answered_without_a_fault(
    type: str, fields: dict[str, Any], id: Any, festival: Festival, phone: APIClient
) -> None:
    body = json.dumps({"entries": [{"id": str(id), "event": {"type": type, **fields}}]})
    path = f"/api/v1/games/{festival.game.game_id}/log/"
    answer = phone.post(path, body, content_type="application/json")
    assert answer.status_code in (200, 400, 409, 422)
    log = phone.get(path)
    assert (log.status_code, len(log.json()["events"])) == (200, log.json()["version"])


def is_whole(schema: dict[str, Any]) -> bool:
    """Whether a described value is a whole number, or null."""
    return "integer" in ([schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", ()))


def operation_of(call: Call, festival: Festival) -> dict[str, Any]:
    """The description of a call; of an address that isn't described, nothing."""
    path = path_of(address(call, festival))
    found: dict[str, Any] = description()["paths"][path][call.method.lower()] if path else {}
    return found


def answers_by_parameter(festival: Festival, client: APIClient) -> Iterator[tuple[str, str, Any]]:
    """For each whole number that a query takes, with each odd number: call and parameter, number, answer."""
    for call in CALLS:
        for parameter in operation_of(call, festival).get("parameters", ()):
            if parameter["in"] == "query" and is_whole(parameter["schema"]):
                name = parameter["name"]
                for number in ODD_NUMBERS.values():
                    yield f"{call} {name}", number, client.get(address(call, festival), {name: number})


def is_refused(place: str, answer: Any) -> bool:
    """Whether an answer says that this parameter is wrong."""
    fields = [each["field"] for each in answer.json().get("problems", ())]
    return answer.status_code == 422 and place.split()[-1] in fields


def test_odd_number_in_a_query_is_refused_by_its_parameter_s_name(
    festival: Festival, organizer: APIClient
) -> None:
    answers = list(answers_by_parameter(festival, organizer))
    wrong = [
        f"{place}={number:.40}: {answer.status_code} {answer.content[:200]!r}"
        for place, number, answer in answers
        if is_refused(place, answer) == (number == ONE_BEHIND_ZEROS) or answer.status_code >= 500
    ]

    assert "\n".join(wrong) == ""
    assert len({place for place, *_rest in answers}) >= 35


@pytest.mark.parametrize("number", ODD_NUMBERS.values(), ids=ODD_NUMBERS)
def test_odd_number_of_a_stage_finds_nothing(number: str, festival: Festival, organizer: APIClient) -> None:
    answer = organizer.get(f"/api/v1/tournaments/{festival.tournament.pk}/stages/{number}/")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_odd_numbers_are_taken_or_end_in_a_fault_where_ten_digits_are_looked_at(
    festival: Festival, organizer: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_beginning(text: str, most: int) -> int | None:
        return int(text) if text.isdigit() and 1 <= int(text[:10]) <= most else None

    monkeypatch.setattr("api.pagination.whole_number", read_beginning)
    teams = f"/api/v1/events/{festival.event.pk}/teams/"

    assert organizer.get(teams, {"page_size": "00000000019999999999999"}).status_code == 200
    with pytest.raises(ValueError, match="4300 digits"):
        organizer.get(teams, {"page": "0000000001" + TOO_LONG})


def test_odd_number_in_a_body_is_answered_without_a_fault(festival: Festival, organizer: APIClient) -> None:
    wrong, tried = [], []
    for call in WRITING:
        content = operation_of(call, festival)["requestBody"]["content"]["application/json"]
        for name, described in resolved(content["schema"]).get("properties", {}).items():
            if not is_whole(described):
                continue
            tried.append(f"{call} {name}")
            for number in odd_numbers(len(tried)):
                # As a text, and as JSON has a number, which begins with no zero.
                for value in (json.dumps(number), number.lstrip("0")):
                    sent = json.dumps(body_of(call, festival) | {name: "?"}).replace('"?"', value)
                    answer = organizer.generic(
                        call.method, address(call, festival), sent, content_type="application/json"
                    )
                    if answer.status_code >= 500:
                        wrong.append(f"{call} {name}: {value:.40}: {answer.status_code}")

    assert wrong == []
    assert len(tried) >= 80
