"""One value has one text, whoever writes it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.hashing import MAX_DEPTH, MAX_INT, NotCanonicalError, canonical, parse
from tests.support.run.long import examples

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_canonical_text_reads_back_as_the_value(value: Any) -> None:
    assert json.loads(canonical(value)) == value
    assert parse(canonical(value)) == value


@given(st.dictionaries(words, values, min_size=2, max_size=5), st.randoms())
def test_canonical_text_ignores_the_order_of_keys(value: dict[str, Any], random: Any) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical(dict(items)) == canonical(value)


@examples(50)
@given(values, values)
def test_canonical_text_is_shared_by_equal_json_alone(first: Any, second: Any) -> None:
    # Python takes True for 1; JSON does not.
    assert (canonical(first) == canonical(second)) == (
        json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": [1, True, None], "a": "città"}, '{"a":"città","b":[1,true,null]}'),
        ({"é": 1, "z": 2, "Z": 3, "": 4}, '{"":4,"Z":3,"z":2,"é":1}'),
        ('"\\/\n\x00\x7f\u2028', '"\\"\\\\/\\n\\u0000\x7f\u2028"'),
        ({"𐀀": 1, "\uffff": 2}, '{"\uffff":2,"𐀀":1}'),
        ((1, (2,)), "[1,[2]]"),
        (-0, "0"),
        ("", '""'),
        ({}, "{}"),
        (MAX_INT, "9007199254740991"),
    ],
)
def test_canonical_text_is_spelled_as_published(value: Any, text: str) -> None:
    assert canonical(value) == text


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1.0, "$: numbers are whole; write a fraction as a string or in smaller units."),
        (float("nan"), "$: numbers are whole; write a fraction as a string or in smaller units."),
        (
            {"a": [0, {"b": 0.5}]},
            "$.a[1].b: numbers are whole; write a fraction as a string or in smaller units.",
        ),
        (MAX_INT + 1, "$: whole numbers go from -(2^53 - 1) to 2^53 - 1."),
        ([-MAX_INT - 1], "$[0]: whole numbers go from -(2^53 - 1) to 2^53 - 1."),
        ({1: "one"}, "$: keys are strings, not int."),
        ({"a": b"bytes"}, "$.a: bytes is no JSON."),
        ({"a": {1, 2}}, "$.a: set is no JSON."),
        ("\ud800", "$: half of a surrogate pair can't be written in UTF-8."),
        ({"\udfff": 1}, "$: half of a surrogate pair can't be written in UTF-8."),
    ],
)
def test_canonical_refuses_other_values_with_their_place(value: Any, message: str) -> None:
    with pytest.raises(NotCanonicalError) as refusal:
        canonical(value)
    assert str(refusal.value) == message


def test_canonical_refuses_nesting_that_is_too_deep() -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH):
        value = [value]
    assert canonical(value) == "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH
    with pytest.raises(NotCanonicalError):
        canonical([value])


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":1}',
        '{"b":1,"a":2}',
        "[1, 2]",
        "1.0",
        "1e3",
        '"\\u00e0"',
        "-0",
        "NaN",
        "[1",
        "",
        "[" * 10**5,
    ],
)
def test_parse_refuses_text_that_is_not_canonical(text: str) -> None:
    with pytest.raises(NotCanonicalError):
        parse(text)
