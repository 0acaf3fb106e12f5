"""The engine against a second implementation: the same summary, or the same refusal at the same line.

What is compared: all scenarios, and logs of bots under any rule set, as they are and with lines added, taken
out, swapped, written anew and voided.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    FIELDS,
    PRESETS,
    Refusal,
    Ruleset,
    parse_lines,
    play_random_game,
    print_log,
    replay,
    summarize,
)
from games.engine.cards import CARDS, COLORS
from tests.games.engine.naive.log import Verdict, judge, read_log
from tests.support.run.long import examples
from tests.support.scenario_files import Scenario, opening, scenarios

SEATS = st.integers(0, 4)
SOME_CARDS = st.sampled_from(["R0", "R1", "R5", "G5", "B0", "YS", "RR", "G+2", "R+2", "W", "W+4", "B9"])


def judged_by_engine(lines: list[str]) -> Verdict:
    try:
        return summarize(replay(parse_lines(lines)))
    except Refusal as refusal:
        return refusal.line or 0, refusal.code


@pytest.mark.parametrize("scenario", list(scenarios()), ids=lambda scenario: scenario.name)
def test_naive_engine_agrees_with_every_scenario(scenario: Scenario) -> None:
    """Each scenario's refusals and summaries, from its lines alone."""
    log: list[str] = []
    for number, line in scenario.lines:
        mark, _, rest = line.partition(" ")
        if mark in ("open", "table"):
            log = list(opening(line.split(" ")))
        elif mark == "!":
            code, _, text = rest.partition(" ")
            assert judge([*log, text]) == (len(log) + 1, code), f"scenario line {number}: {line}"
        elif mark == "=":
            found, expected = judge(log), json.loads(rest)
            assert isinstance(found, dict), f"scenario line {number}: {found}"
            assert {key: found[key] for key in expected} == expected, f"scenario line {number}: {line}"
        else:
            log.append(line)
            assert isinstance(judge(log), dict), f"scenario line {number}: {line}"


# Fields of which any value can be played; numbers are kept small, so that games come to their ends.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    field.name: st.booleans() if field.kind == "bool" else st.sampled_from(field.choices)
    for field in FIELDS
    if field.kind != "int"
} | {
    "decks": st.integers(1, 2),
    "hand_size": st.integers(1, 7),
    "challenge_failed_cards": st.integers(4, 8),
    "uno_penalty": st.integers(0, 3),
    "prompting_penalty": st.integers(0, 3),
    "wrong_card_penalty": st.integers(0, 3),
    "target": st.integers(1, 200),
}


def playable(ruleset: dict[str, Any]) -> dict[str, Any]:
    """The rule set, with a new deal after each where elimination asks for it."""
    eliminates = ruleset.get("scoring") == "elimination"
    return {**ruleset, "after_out": "new_deal"} if eliminates else ruleset


rulesets = st.fixed_dictionaries({"preset": st.sampled_from(sorted(PRESETS))}, optional=VALUES).map(playable)


def played(
    ruleset: dict[str, Any], seats: int, seed: int, table: bool, style: str, scarce: bool
) -> list[str]:
    """The lines of a bots' game; `scarce`: nearly the whole pack is dealt."""
    if scarce:
        ruleset = {**ruleset, "decks": 1, "reverse_with_two": "plain", "hand_size": (106 - seed % 3) // seats}
    game = play_random_game(
        Ruleset.from_json(ruleset), seats, seed, table=table, style=style, longest=70, kin=((0, 1),)
    )
    return read_log(print_log(game))


logs = st.builds(
    played,
    rulesets,
    st.integers(2, 4),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from(["sensible", "random"]),
    st.sampled_from([False, False, False, True]),
)


def event(type_: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    return st.fixed_dictionaries(fields).map(lambda values: json.dumps({"type": type_, **values}))


strays = st.one_of(
    event("uno_called", seat=SEATS),
    event("uno_caught", seat=SEATS),
    event("penalty_given", seat=SEATS, reason=st.sampled_from(["prompting", "wrong_card"])),
    event("penalty_given", seat=SEATS, reason=st.just("wrong_card"), card=SOME_CARDS),
    event("zero_gift", seat=SEATS, to=SEATS),
    event("pile_reshuffled"),
    event("turn_passed", seat=SEATS),
    event("challenge_made", seat=SEATS, upheld=st.booleans()),
    event("challenge_made", seat=SEATS, upheld=st.booleans(), hand=st.lists(SOME_CARDS, max_size=7)),
    event("cards_drawn", seat=SEATS, count=st.integers(1, 8)),
    event("cards_played", seat=SEATS, cards=st.lists(SOME_CARDS, min_size=1, max_size=2)),
    event("cards_played", seat=SEATS, cards=st.sampled_from([["W"], ["W+4"]]), color=st.sampled_from(COLORS)),
    event("color_named", seat=SEATS, color=st.sampled_from(COLORS)),
    event("hand_shown", seat=SEATS, points=st.integers(0, 80)),
    event("hand_shown", seat=SEATS, cards=st.lists(SOME_CARDS, max_size=7)),
    event("card_turned", card=SOME_CARDS),
    event("deal_started", dealer=SEATS),
    event("dealer_named", seat=SEATS),
    event("game_closed", reason=st.sampled_from(["time", "result"]), winner=st.none() | SEATS),
    event("event_voided", line=st.integers(1, 80), reason=st.just("mistake")),
)


@st.composite
def wrong_logs(draw: st.DrawFn) -> list[str]:
    """A game's log with one to three things wrong."""
    lines = draw(logs)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(1, len(lines) - 1)) if len(lines) > 1 else 0
        match draw(st.sampled_from(["add", "drop", "double", "swap", "write", "void"])):
            case "add":
                lines.insert(place, draw(strays))
            case "drop" if len(lines) > 2:
                del lines[place]
            case "double":
                lines.insert(place, lines[place])
            case "swap" if place + 1 < len(lines):
                lines[place : place + 2] = reversed(lines[place : place + 2])
            case "write":
                lines[place] = json.dumps(draw(written_anew(json.loads(lines[place]))))
            case "void":
                lines.insert(place, json.dumps({"type": "event_voided", "line": place, "reason": "mistake"}))
    return lines


def written_anew(event: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An event with one field left out, or with another value."""
    return st.sampled_from(list(changed(event)))


def changed(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for field, value in event.items():
        yield {name: other for name, other in event.items() if name != field}
        others: list[Any] = [None, -1, "x"]
        if type(value) is int:
            others = [value + 1, value - 1]
        elif isinstance(value, bool):
            others = [not value]
        elif isinstance(value, list) and value and value[0] in CARDS:
            others = [[*value[:-1], card] for card in ("R1", "G5", "W+4")] + [value[1:], value * 2]
        for other in others:
            yield {**event, field: other}


@examples(60)
@given(logs)
def test_naive_engine_gives_games_the_same_summary(lines: list[str]) -> None:
    assert judged_by_engine(lines) == judge(lines)


@examples(150)
@given(wrong_logs())
def test_naive_engine_refuses_wrong_logs_at_the_same_line(lines: list[str]) -> None:
    assert judged_by_engine(lines) == judge(lines)


@pytest.mark.long
@settings(max_examples=5000)
@given(wrong_logs())
def test_naive_engine_refuses_many_wrong_logs_at_the_same_line(lines: list[str]) -> None:
    assert judged_by_engine(lines) == judge(lines)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        "{",
        '{"type": "unknown"}',
        '{"type": 1}',
        '{"type": "turn_passed"}',
        '{"type": "turn_passed", "seat": 1, "seat": 1}',
        '{"type": "turn_passed", "seat": true}',
        '{"type": "turn_passed", "seat": 1.0}',
        '{"type": "turn_passed", "seat": 9}',
        '{"type": "turn_passed", "seat": 1, "at": "yesterday"}',
        '{"type": "turn_passed", "seat": 1, "at": "2026-02-29T10:00:00Z"}',
        '{"type": "turn_passed", "seat": 1, "at": "2026-02-28T10:00:60+02:00"}',
        '{"type": "turn_passed", "seat": 1, "by": 3}',
        '{"type": "turn_passed", "seat": 1} {}',
        '{"type": "cards_played", "seat": 1, "cards": []}',
        '{"type": "cards_played", "seat": 1, "cards": ["R10"]}',
        '{"type": "cards_drawn", "seat": 1, "count": 2, "cards": ["R1"]}',
        '{"type": "hand_shown", "seat": 1, "cards": [], "points": 0}',
        '{"type": "uno_caught", "seat": 1, "catcher": 1}',
        '{"type": "game_closed", "reason": "result", "winner": null}',
        '{"type": "game_closed", "reason": "time", "winner": null, "team": "Nobody"}',
        '{"type": "game_closed", "reason": "time", "winner": null, "scores": {"01": 3}}',
        '{"type": "game_closed", "reason": "time", "winner": 0, "scores": {"1": 3}}',
        '{"type": "game_closed", "reason": "result", "winner": 2, "places": {"0": 3, "1": 2, "2": 1}}',
        '{"type": "game_closed", "reason": "result", "winner": null, "places": {"0": 1, "1": 1, "2": 3}}',
        '{"type": "game_closed", "reason": "time", "winner": 0, "places": {"0": 1, "1": 2, "2": 2}}',
        '{"type": "game_closed", "reason": "result", "winner": 0, "places": {"0": 1, "1": 2}}',
        '{"type": "game_closed", "reason": "result", "winner": 0, "places": {"0": 1, "1": 2, "3": 3}}',
        '{"type": "game_closed", "reason": "time", "winner": 0, "places": {"0": 1, "1": 2, "2": 2, "3": 4}}',
        '{"type": "game_closed", "reason": "result", "winner": 1, "places": {"0": 1, "1": 2, "2": 3}}',
        '{"type": "game_closed", "reason": "result", "winner": null, "places": {"0": 1, "1": 2, "2": 3}}',
        '{"type": "game_closed", "reason": "result", "winner": 0, "places": {"0": 1, "1": 1, "2": 3}}',
        '{"type": "game_closed", "reason": "result", "winner": null, "places": {"0": 1, "1": 1, "2": 2}}',
        '{"type": "game_closed", "reason": "time", "winner": null, "places": {}}',
        '{"type": "game_closed", "reason": "time", "winner": null, "team": "A", "places": {"0": 1, "1": 1}}',
        '{"type": "game_closed", "reason": "result", "winner": 0, "places": {"0": 1, "1": 2, "2": true}}',
        '{"type": "game_opened", "ruleset": "palio", "seats": []}',
        '{"type": "game_opened", "ruleset": {"preset": "palio", "decks": true}, "seats": []}',
        '{"type": "deal_started", "dealer": 0, "hands": {"7": []}}',
        '{"type": "penalty_given", "seat": 1, "reason": "prompting", "card": "R1"}',
    ],
)
def test_naive_engine_reads_lines_the_same(line: str) -> None:
    opened = list(opening(["table", '"palio"', "3", "R7"]))
    assert judged_by_engine([*opened, line]) == judge([*opened, line])
    assert judged_by_engine([line]) == judge([line])
