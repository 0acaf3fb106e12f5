"""Reading a log: what is malformed and says so, and what is kept word for word."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    Event,
    Refusal,
    event_to_json,
    parse_event,
    parse_line,
    parse_log,
    print_log,
)

OPENED = '{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada"}, {"name": "Bea"}]}'


def refusal(text: str | bytes) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse_log(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "type_"),
    [
        (b"", 1, None),
        (b"\n", 1, None),
        (OPENED + "\n\n", 2, None),
        (OPENED + "\n  \t\r\n" + OPENED, 2, None),
        (OPENED + "\n" + "[]", 2, None),
        (OPENED + "\n" + "null", 2, None),
        (OPENED + "\n" + "{}", 2, None),
        (OPENED + "\n" + '{"type": 1}', 2, None),
        (OPENED + "\n" + '{"type": ["turn_passed"]}', 2, None),
        (OPENED + "\n" + '{"type": "turn_skipped", "seat": 1}', 2, "turn_skipped"),
        (OPENED + "\n" + '{"type": "turn_passed", "seat": 1', 2, None),
        (OPENED + "\n" + '{"type": "turn_passed", "seat": 1} {}', 2, None),
        (OPENED + " " + OPENED, 1, None),
        (OPENED.encode() + b'\n{"type": "turn_passed", "by": "\xff"}', 2, None),
        (b"\xef\xbb\xbf" + OPENED.encode(), 1, None),
        ("[" * 100_000, 1, None),
        ('{"type": "turn_passed", "seat": ' + "[" * 100_000, 1, None),
        ('{"type": "turn_passed", "seat": ' + "1" * 5_000 + "}", 1, None),
        ('{"type": "turn_passed", "seat": NaN}', 1, None),
        ('{"type": "turn_passed", "seat": Infinity}', 1, None),
        ('{"type": "turn_passed", "seat": 0, "seat": 0}', 1, None),
        ('{"type": "turn_passed", "type": "turn_passed", "seat": 0}', 1, None),
        ('{"type": "dealer_cut", "cards": {"0": "R1", "0": "R2"}}', 1, None),
        ('{"type": "turn_passed", "seat": 0, "\\u0073eat": 0}', 1, None),
    ],
)
def test_line_that_cannot_be_read_is_malformed(text: str | bytes, line: int, type_: str | None) -> None:
    found = refusal(text)
    assert (found.code, found.line, found.type) == ("malformed", line, type_)
    assert found.message


GOOD: list[dict[str, Any]] = [
    {"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada", "team": "A"}, {"name": ""}]},
    {
        "type": "game_opened",
        "ruleset": {"preset": "classic", "target": 300},
        "seats": [{"name": "Zoë"}],
        "kin": [[0, 2]],
    },
    {"type": "dealer_cut", "cards": {"0": "R0", "11": "W+4"}},
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "deal_started", "dealer": 0, "hands": {"1": ["R1"], "0": []}},
    {"type": "card_turned", "card": "Y+2"},
    {"type": "color_named", "seat": 1, "color": "B"},
    {"type": "cards_played", "seat": 1, "cards": ["GS"]},
    {"type": "cards_played", "seat": 1, "cards": ["W", "W+4"], "color": "G", "uno": False},
    {"type": "cards_drawn", "seat": 1, "count": 2},
    {"type": "cards_drawn", "seat": 1, "count": 2, "cards": ["R1", "BR"]},
    {"type": "turn_passed", "seat": 1},
    {"type": "uno_called", "seat": 1},
    {"type": "uno_caught", "seat": 1},
    {"type": "uno_caught", "seat": 1, "catcher": 0},
    {"type": "challenge_made", "seat": 1, "upheld": True},
    {"type": "challenge_made", "seat": 1, "upheld": False, "hand": []},
    {"type": "penalty_given", "seat": 1, "reason": "prompting"},
    {"type": "penalty_given", "seat": 1, "reason": "wrong_card", "card": "R1"},
    {"type": "zero_gift", "seat": 1, "to": 2},
    {"type": "pile_reshuffled"},
    {"type": "hand_shown", "seat": 1, "cards": ["R1"]},
    {"type": "hand_shown", "seat": 1, "points": 0},
    {"type": "game_closed", "reason": "time", "winner": None},
    {"type": "game_closed", "reason": "result", "winner": None, "team": "A", "scores": {"0": 3}},
    {"type": "game_closed", "reason": "result", "winner": 2, "places": {"2": 1, "0": 2, "1": 2}},
    {"type": "game_closed", "reason": "result", "winner": None, "places": {"0": 1, "1": 1, "2": 3}},
    {"type": "event_voided", "line": 3, "reason": "wrong seat"},
]


def closed_with(places: dict[str, int], winner: int | None = None, **more: str) -> dict[str, Any]:
    return {"type": "game_closed", "reason": "result", "winner": winner, "places": places, **more}


@pytest.mark.parametrize("obj", GOOD, ids=lambda obj: obj["type"])
def test_parsed_event_prints_as_it_was(obj: dict[str, Any]) -> None:
    event = parse_event(obj)
    assert event_to_json(event) == obj
    stamped = {**obj, "at": "2026-09-19T14:05:00.25+02:00", "by": "referee 3 «Ugo»"}
    assert event_to_json(parse_event(stamped)) == stamped
    assert parse_log(print_log([event, parse_event(stamped)])) == [event, parse_event(stamped)]
    assert parse_log(print_log([event]).encode()) == [event]


@pytest.mark.parametrize("obj", GOOD, ids=lambda obj: obj["type"])
def test_parsed_event_refuses_a_field_unknown_or_of_another_kind(obj: dict[str, Any]) -> None:
    wrong: list[Any] = [1.0, -1, "", [], {}, [[]], {"a": 1}, "R10", "red", [None], {"00": "R1"}, {"0": None}]
    for name in obj:
        if name == "type":
            continue
        refusals: list[Refusal] = []
        for value in [*wrong, None, True, 0]:
            try:
                parse_event({**obj, name: value})
            except Refusal as problem:
                refusals.append(problem)
        assert {(problem.code, problem.type) for problem in refusals} == {("malformed", obj["type"])}
        assert len(refusals) >= len(wrong) - 4
    with pytest.raises(Refusal, match='has no field "colour"'):
        parse_event({**obj, "colour": "R"})
    with pytest.raises(Refusal, match="`by` must be a text"):
        parse_event({**obj, "by": 3})


@pytest.mark.parametrize(
    ("obj", "words"),
    [
        ({"type": "turn_passed"}, "`turn_passed` needs `seat`"),
        ({"type": "turn_passed", "seat": True}, "`seat` must be a seat"),
        ({"type": "turn_passed", "seat": 1.0}, "`seat` must be a seat"),
        ({"type": "turn_passed", "seat": "1"}, "`seat` must be a seat"),
        ({"type": "cards_drawn", "seat": 1, "count": True}, "`count` must be a whole number from 1"),
        ({"type": "cards_drawn", "seat": 1, "count": 0}, "`count` must be a whole number from 1"),
        ({"type": "cards_drawn", "seat": 1, "count": 2, "cards": ["R1"]}, "as many cards as `count`"),
        ({"type": "cards_played", "seat": 1, "cards": []}, "at least one card"),
        ({"type": "cards_played", "seat": 1, "cards": "R1"}, "a list of cards"),
        ({"type": "cards_played", "seat": 1, "cards": ["r1"]}, "a list of cards"),
        ({"type": "cards_played", "seat": 1, "cards": ["R1"], "color": None}, "`color` must be a colour"),
        ({"type": "cards_played", "seat": 1, "cards": ["R1"], "uno": 1}, "`uno` must be true or false"),
        ({"type": "penalty_given", "seat": 1, "reason": "prompting", "card": "R1"}, "prompting has none"),
        ({"type": "uno_caught", "seat": 1, "catcher": 1}, "must be another seat"),
        ({"type": "hand_shown", "seat": 1}, "either `cards` or `points`"),
        ({"type": "hand_shown", "seat": 1, "cards": [], "points": 0}, "either `cards` or `points`"),
        ({"type": "game_closed", "reason": "result", "winner": None}, "a result names who won"),
        ({"type": "game_closed", "reason": "time", "winner": 1, "team": "A"}, "`winner` must then be null"),
        ({"type": "game_closed", "reason": "time"}, "`game_closed` needs `winner`"),
        (closed_with({"0": 0}, winner=0), "`places` must be places: whole numbers from 1, not 0"),
        (closed_with({"0": 2, "1": 3}), "counts from 1 and skips after ties"),
        (closed_with({"0": 1, "1": 1, "2": 2}), "counts from 1 and skips after ties"),
        (closed_with({"0": 1, "1": 2}), "`winner` must be 0"),
        (closed_with({"0": 1, "1": 2}, winner=1), "`winner` must be 0"),
        (closed_with({"0": 1, "1": 1}, winner=1), "`winner` must be null"),
        (closed_with({"0": 1, "1": 2}, team="A"), "leave out `team`"),
        ({"type": "dealer_cut", "cards": {"00": "R1"}}, "an object with seats"),
        ({"type": "dealer_cut", "cards": {"٣": "R1"}}, "an object with seats"),
        ({"type": "game_opened", "ruleset": "palio", "seats": [{"team": "A"}]}, "a list of seats"),
        ({"type": "game_opened", "ruleset": "palio", "seats": [{"name": "A", "team": None}]}, "`seats` must"),
        ({"type": "game_opened", "ruleset": "palio", "seats": [{"name": "A", "age": 7}]}, "a list of seats"),
        ({"type": "game_opened", "ruleset": "palio", "seats": [], "kin": [[1, 1]]}, "a list of pairs"),
        ({"type": "game_opened", "ruleset": {}, "seats": []}, "needs `preset`"),
        ({"type": "game_opened", "ruleset": {"preset": []}, "seats": []}, "there is no preset"),
        (
            {"type": "game_opened", "ruleset": {"preset": "palio", "speed": 1}, "seats": []},
            'no field "speed"',
        ),
        ({"type": "turn_passed", "seat": 0, "by": "\ud800"}, "whole characters"),
    ],
)
def test_malformed_event_s_message_says_what_was_expected(obj: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_event(obj, line=7)
    assert (caught.value.code, caught.value.line, caught.value.type) == ("malformed", 7, obj["type"])
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("at", "good"),
    [
        ("2026-09-19T14:05:00Z", True),
        ("2026-09-19t14:05:00.123456789z", True),
        ("2024-02-29T23:59:60-23:59", True),
        ("2026-02-29T14:05:00Z", False),
        ("2026-13-01T14:05:00Z", False),
        ("2026-00-01T14:05:00Z", False),
        ("2026-09-31T14:05:00Z", False),
        ("2026-09-19T24:00:00Z", False),
        ("2026-09-19T14:05:00", False),
        ("2026-09-19 14:05:00Z", False),
        ("2026-09-19T14:05Z", False),
        ("2026-09-19T14:05:00+0200", False),
        ("٢٠٢٦-09-19T14:05:00Z", False),
        (1789819500, False),
    ],
)
def test_event_times_are_rfc_3339(at: Any, good: bool) -> None:
    obj = {"type": "pile_reshuffled", "at": at}
    if good:
        assert event_to_json(parse_event(obj)) == obj
    else:
        with pytest.raises(Refusal, match="`at` must be a time"):
            parse_event(obj)


def test_log_lines_end_with_line_feeds_only() -> None:
    events = parse_log('{"type": "pile_reshuffled", "by": "a\u2028b"}\r\n{"type": "pile_reshuffled"}')
    assert [event.by for event in events] == ["a\u2028b", None]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from("RYGBW"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(GOOD), st.data())
def test_mutilated_event_is_an_event_or_malformed(obj: dict[str, Any], data: st.DataObject) -> None:
    changed = dict(obj)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from([*obj, "at", "by", "cards", "color"]))
        if data.draw(st.booleans()):
            changed[name] = data.draw(JSON)
        else:
            changed.pop(name, None)
    accepted: list[Event] = []
    refusals: list[Refusal] = []
    try:
        accepted.append(parse_line(json.dumps(changed)))
    except Refusal as problem:
        refusals.append(problem)

    assert [problem.code for problem in refusals] in ([], ["malformed"])
    assert [event_to_json(event) for event in accepted] in ([], [changed])
