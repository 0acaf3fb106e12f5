"""The rules, told as games: each scenario is a log with what has to be true on the way.

`scenarios/README.md` says how they are written. What a scenario says it shows is put to the test: told with
another value of that field, it has to come out otherwise.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from games.engine import FIELDS, PRESETS, SENTENCES, Log, Refusal, dump, parse_line, refusal_of, summarize
from games.engine.events import EVENT_CLASSES, EventVoided, GameOpened
from games.engine.state import PHASES
from games.engine.transitions import TRANSITIONS

SCENARIOS = Path(__file__).parent / "scenarios"


Line = tuple[int, str]
Cell = tuple[str, object]
"""A field of a rule set and one value of it."""


@dataclass(frozen=True)
class Scenario:
    """Its numbered lines, and what it says it shows."""

    name: str
    lines: tuple[Line, ...]
    shows: tuple[Cell, ...]


def scenarios() -> Iterator[Scenario]:
    for path in sorted(SCENARIOS.glob("*.txt")):
        title = ""
        lines: list[Line] = []
        shows: list[Cell] = []
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), "## "], start=1):
            if line.startswith("## "):
                if title:
                    yield Scenario(f"{path.stem}: {title}", tuple(lines), tuple(shows))
                title, lines, shows = line[3:], [], []
            elif line.startswith("shows "):
                shows += map(cell, line.split(" ")[1:])
            elif line and not line.startswith("# "):
                lines.append((number, line))


def cell(text: str) -> Cell:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def opening(words: list[str]) -> Iterator[str]:
    kind, ruleset, count, *first = words
    seats = [{"name": f"Seat {seat}", "team": "AB"[seat % 2]} for seat in range(int(count))]
    yield json.dumps({"type": "game_opened", "ruleset": json.loads(ruleset), "seats": seats})
    yield '{"type":"dealer_named","seat":0}'
    if kind == "table":
        yield '{"type":"deal_started","dealer":0}'
        yield json.dumps({"type": "card_turned", "card": first[0]})


def refuse(log: Log, code: str, text: str) -> Refusal:
    before = dump(log.state)
    with pytest.raises(Refusal) as caught:
        log.add(parse_line(text, line=log.state.events + 1))
    assert caught.value.code == code, caught.value
    assert dump(log.state) == before
    assert caught.value.line == log.state.events + 1
    return caught.value


def test_every_refusal_has_a_scenario() -> None:
    told = {
        line.split(" ")[1]
        for path in SCENARIOS.glob("*.txt")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("! ")
    }
    assert told == set(SENTENCES)


def test_every_phase_answers_every_type_of_event() -> None:
    assert set(TRANSITIONS) == set(PHASES)
    for row in TRANSITIONS.values():
        assert set(row) == set(EVENT_CLASSES)


@pytest.mark.parametrize("scenario", list(scenarios()), ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    log = Log()
    for number, line in scenario.lines:
        mark, _, rest = line.partition(" ")
        try:
            if mark in ("open", "table"):
                for text in opening(line.split(" ")):
                    log.add(parse_line(text))
            elif mark == "!":
                code, _, text = rest.partition(" ")
                refusal = refuse(log, code, text)
                assert refusal.type == json.loads(text)["type"]
            elif mark == "=":
                expected = json.loads(rest)
                found = summarize(log.state)
                assert {key: found[key] for key in expected} == expected
            else:
                event = parse_line(line)
                if not isinstance(event, EventVoided):
                    assert refusal_of(log.state, event) is None
                log.add(event)
        except (AssertionError, Refusal) as problem:
            raise AssertionError(f"scenario line {number}: {line}\n{problem}") from problem


# What the scenarios show


def cells() -> dict[str, set[object]]:
    """What has to be shown: every choice, both values of what is true or false, every number of a preset
    where presets differ.
    """
    found: dict[str, set[object]] = {}
    for field in FIELDS:
        in_presets = {preset[field.name] for preset in PRESETS.values()}
        if field.kind == "bool":
            found[field.name] = {True, False}
        elif field.kind == "choice":
            found[field.name] = set(field.choices)
        elif len(in_presets) > 1:
            found[field.name] = in_presets
    return found


def told(scenario: Scenario, change: Mapping[str, Any]) -> Iterator[object]:
    """What comes of each event of a scenario under changed rules: the state, or the code of its refusal."""
    log = Log()
    for _, line in scenario.lines:
        mark, _, rest = line.partition(" ")
        if mark == "=":
            continue
        texts = list(opening(line.split(" "))) if mark in ("open", "table") else [line]
        if mark == "!":
            texts = [rest.partition(" ")[2]]
        for text in texts:
            try:
                event = parse_line(text)
                if isinstance(event, GameOpened):
                    event = replace(event, ruleset=replace(event.ruleset, **change))
                log.add(event)
            except Refusal as refusal:
                yield refusal.code
            else:
                yield summarize(log.state)


def test_every_rule_is_shown_both_ways() -> None:
    shown: dict[str, set[object]] = {}
    for scenario in scenarios():
        for name, value in scenario.shows:
            shown.setdefault(name, set()).add(value)
    assert shown == cells()


def unmoved_by(scenario: Scenario, shown: Cell) -> list[object]:
    """The other values of a field under which a scenario comes out as it is told: it doesn't show the rule.

    Values that contradict the rest of the rule set are left aside; all others have to be some.
    """
    name, value = shown
    as_told = list(told(scenario, {}))
    assert list(told(scenario, {name: value})) == as_told, f"{name} is otherwise here"
    twins = {other: list(told(scenario, {name: other})) for other in cells()[name] - {value}}
    playable = {other: twin for other, twin in twins.items() if "bad-ruleset" not in twin}
    assert playable
    return [other for other, twin in playable.items() if twin == as_told]


@pytest.mark.parametrize(
    ("scenario", "shown"),
    [
        pytest.param(scenario, shown, id=f"{shown[0]}={shown[1]} in {scenario.name}")
        for scenario in scenarios()
        for shown in scenario.shows
    ],
)
def test_what_is_shown_depends_on_the_rule(scenario: Scenario, shown: Cell) -> None:
    assert unmoved_by(scenario, shown) == []


def test_what_shows_nothing_is_found_out() -> None:
    lines = ('table "palio" 3 R7', '{"type":"cards_played","seat":1,"cards":["R1"]}')
    plain = Scenario("a card is played", tuple(enumerate(lines)), ())
    assert unmoved_by(plain, ("draw_two_stacks", False)) == [True]
    assert set(unmoved_by(plain, ("drawn_card", "may_play"))) == {"must_play", "keep"}
    with pytest.raises(AssertionError, match="burn is otherwise here"):
        unmoved_by(Scenario("no burn", ((1, 'table "house" 3 R7'), (2, BURN)), ()), ("burn", True))


BURN = '{"type":"cards_played","seat":1,"cards":["R3","R3"]}'
