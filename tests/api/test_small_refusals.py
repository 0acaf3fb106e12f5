"""Whatever is sent, a refusal is small and says the first of what is wrong."""

import base64
import json
import tracemalloc
from collections.abc import Iterator
from time import process_time
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from api import parsers, problems
from api.problems import Problem
from tests.api.addresses import WRITING, Call, address, body_of
from tests.support.festival import Festival

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
def test_refusal_of_many_unknown_fields_is_small(
    festival: Festival, organizer: APIClient, call: Call
) -> None:
    body = body_of(call, festival) | unknown(900, 4_000)
    answer = organizer.generic(
        call.method, address(call, festival), json.dumps(body), content_type="application/json"
    )

    assert answer.status_code in range(400, 500)
    assert len(answer.content) <= SMALL
    assert len(answer.json().get("problems", ())) <= 20


@pytest.mark.parametrize("call", WRITING, ids=named)
def test_body_without_content_length_is_refused(festival: Festival, organizer: APIClient, call: Call) -> None:
    answer = organizer.generic(
        call.method, address(call, festival), "", headers={"Transfer-Encoding": "chunked"}
    )
    assert (answer.status_code, answer.json()["code"]) == (411, "no-length")


def test_refusal_tells_twenty_problems_and_counts_the_others(
    festival: Festival, organizer: APIClient
) -> None:
    answer = organizer.post(teams(festival), unknown(500), format="json")
    body = answer.json()
    told = [problem["code"] for problem in body["problems"]]

    assert (answer.status_code, body["code"]) == (422, "invalid-input")
    # The fields that are missing come first.
    assert (len(told), len(told) + body["problems_left_out"]) == (20, 500 + told.count("required"))


def test_twin_refusal_tells_all_problems_without_the_limit(festival: Festival, organizer: APIClient) -> None:
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


def test_refusal_cuts_a_long_field_name(festival: Festival, organizer: APIClient) -> None:
    call = {"x" * 1_000_000: 1}
    answer = organizer.post(teams(festival), call, format="json")
    assert [len(each["field"]) for each in answer.json()["problems"] if each["code"] == "unknown-field"] == [
        problems.LONGEST_TEXT
    ]
    twice = '{"' + "x" * 1_000_000 + '":1,"' + "x" * 1_000_000 + '":2}'
    answer = organizer.post(teams(festival), twice, content_type="application/json")
    assert (answer.json()["code"], len(answer.content) < 2_000) == ("duplicate-key", True)


def test_import_refusal_tells_the_first_rows_and_its_preview_all(
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


BODIES = {
    "empty objects": b'{"a":[' + b"{}," * 1_700_000 + b"{}]}",
    "empty lists": b'{"a":[' + b"[]," * 1_600_000 + b"[]]}",
    "objects in a list": b'{"a":[' + b'{"1":1},' * 600_000 + b"{}]}",
    "keys": b"{" + b",".join(b'"%x":1' % number for number in range(500_000)) + b"}",
    "numbers": b'{"a":[' + b"1," * 2_500_000 + b"1]}",
    "commas": b'{"a":' + b"," * 5_000_000,
    "an open text of escapes": b'{"a":"' + b'\\"' * 2_600_000,
    "blanks after brackets": b'{"a":[' + b"[ " * 2_600_000,
    "brackets before blanks": b'{"a":[' + b"[" + b" " * 5_000_000,
}


def taken_by(body: bytes) -> tuple[str, float, float]:
    """With which code a body is refused, after how many seconds of the processor, and how many MB at most."""
    text = body.decode()
    begun = process_time()
    tracemalloc.start()
    try:
        with pytest.raises(Problem) as refused:
            parsers.parse_json(text)
        peak = tracemalloc.get_traced_memory()[1] / 1_000_000
    finally:
        tracemalloc.stop()
    return refused.value.code, process_time() - begun, peak


@pytest.mark.parametrize("name", BODIES)
def test_body_of_the_largest_size_is_refused_in_little_memory_and_time(name: str) -> None:
    code, seconds, megabytes = taken_by(BODIES[name])

    assert code in ("too-many-values", "too-deep", "malformed-json")
    # Far above what it takes: 0.3 s and 6 MB.
    assert (seconds < 3, megabytes < 50) == (True, True)


def test_twin_refused_body_takes_much_memory_without_counting_values() -> None:
    with mock.patch.object(parsers, "check_size"):
        code, _seconds, megabytes = taken_by(b'{"a":[' + b"{}," * 700_000 + b"{}]}")

    assert (code, megabytes > 50) == ("too-many-values", True)


@pytest.mark.parametrize("value", ["{}", "[ ]", "1", '"a,b"', '"[{,"', '"\\\\"', '"\\",[,"', "null"])
def test_body_of_the_most_values_allowed_is_read(value: str) -> None:
    most = parsers.MAX_VALUES - 2  # with the object and the list
    many = [value] * most

    assert len(parsers.parse_json('{"a": [' + ", ".join(many) + "]}")["a"]) == most
    with pytest.raises(Problem) as refused:
        parsers.parse_json('{"a": [' + ", ".join([*many, value]) + "]}")
    assert refused.value.code == "too-many-values"


@pytest.mark.parametrize("inner", ["1", "[]", '{"a": 1}', '"]]]"'])
def test_body_depth_is_counted_before_reading_as_afterwards(inner: str) -> None:
    for depth in range(28, 36):
        text = '{"a":' * depth + inner + "}" * depth
        with mock.patch.object(parsers, "check_size"):
            expected = is_read(text)
        assert is_read(text) == expected


def is_read(text: str) -> bool:
    """Whether a body isn't refused."""
    try:
        parsers.parse_json(text)
    except Problem as problem:
        return problem.code != "too-deep"
    return True


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(alphabet='a,[]{}"\\ :', max_size=6),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    )
)
def test_body_values_are_counted_before_reading_as_afterwards(value: Any) -> None:
    text = json.dumps({"a": value}, indent=1 if isinstance(value, dict) else None)
    number = 1 + counted(value)

    with mock.patch.object(parsers, "MAX_VALUES", number):
        parsers.check_size(text)
    with mock.patch.object(parsers, "MAX_VALUES", number - 1), pytest.raises(Problem):
        parsers.check_size(text)


def counted(value: Any) -> int:
    """How many values there are, the value itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(counted, inner))


@pytest.mark.parametrize(
    "path",
    ["/api/v1/nothing/", "/api/v1/nothing", "/api/v1/events/palio/", "/api/v2/events/", "/api/"],
)
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("it", "A questo indirizzo non c’è niente."), ("en", "There is nothing at this address.")],
)
def test_unknown_address_is_a_problem_in_the_language_asked_for(
    public: APIClient, path: str, language: str, sentence: str
) -> None:
    answer = public.get(path, headers={"Accept-Language": language, "Accept": "text/html"})

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json() | {"request_id": ""} == {
        "type": "urn:tendone:problem:not-found",
        "title": "Not found",
        "status": 404,
        "code": "not-found",
        "detail": sentence,
        "request_id": "",
    }


def test_ids_in_an_address_may_be_in_capitals(festival: Festival, public: APIClient) -> None:
    for path in (f"/api/v1/events/{festival.event.pk}", f"/api/v1/games/{festival.game.game_id}/log"):
        head, id, *rest = path.partition(path.split("/")[4])

        answer = public.get(f"{head}{id.upper()}{''.join(rest)}")

        assert answer.status_code == 200
        assert answer.json() == public.get(path).json()
