"""The rules, told as games: each scenario is a log with what has to be true on the way.

`scenarios/README.md` says how they are written. What a scenario says it shows is put to the test: told with
another value of that field, it has to come out otherwise.
"""

import json

import pytest

from games.engine import FIELDS, PRESETS, SENTENCES, Log, Refusal, dump, parse_line, refusal_of, summarize
from games.engine.events import EVENT_CLASSES, EventVoided
from games.engine.state import PHASES
from games.engine.transitions import TRANSITIONS
from tests.support.scenario_files import SCENARIOS, Cell, Scenario, opening, scenarios, told


def refuse(log: Log, code: str, text: str) -> Refusal:
    before = dump(log.state)
    with pytest.raises(Refusal) as caught:
        log.add(parse_line(text, line=log.state.events + 1))
    assert caught.value.code == code, caught.value
    assert dump(log.state) == before
    assert caught.value.line == log.state.events + 1
    return caught.value


def test_scenarios_include_every_refusal() -> None:
    told = {
        line.split(" ")[1]
        for path in SCENARIOS.glob("*.txt")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("! ")
    }
    assert told == set(SENTENCES)


def test_transitions_answer_every_type_of_event_in_every_phase() -> None:
    assert set(TRANSITIONS) == set(PHASES)
    for row in TRANSITIONS.values():
        assert set(row) == set(EVENT_CLASSES)


@pytest.mark.parametrize("scenario", list(scenarios()), ids=lambda scenario: scenario.name)
def test_scenario_holds_line_by_line(scenario: Scenario) -> None:
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


def test_scenarios_show_every_rule_both_ways() -> None:
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
def test_scenario_depends_on_the_rule_that_it_shows(scenario: Scenario, shown: Cell) -> None:
    assert unmoved_by(scenario, shown) == []


def test_twin_scenario_that_shows_nothing_of_its_rule_is_found() -> None:
    lines = ('table "palio" 3 R7', '{"type":"cards_played","seat":1,"cards":["R1"]}')
    plain = Scenario("a card is played", tuple(enumerate(lines)), ())
    assert unmoved_by(plain, ("draw_two_stacks", False)) == [True]
    assert set(unmoved_by(plain, ("drawn_card", "may_play"))) == {"must_play", "keep"}
    with pytest.raises(AssertionError, match="burn is otherwise here"):
        unmoved_by(Scenario("no burn", ((1, 'table "house" 3 R7'), (2, BURN)), ()), ("burn", True))


BURN = '{"type":"cards_played","seat":1,"cards":["R3","R3"]}'
