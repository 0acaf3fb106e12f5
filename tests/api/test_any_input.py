"""Whatever is sent, the answer is one that was foreseen: no call ends in a fault of ours."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from tests.api.addresses import WRITING, Call, address, body_of
from tests.api.conftest import Festival
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
