"""The rules, told as games: each scenario is a log with what has to be true on the way.

A file in `scenarios/` holds several, each under a line `## title`. Lines are

    open RULESET N                  game_opened with N seats (teams A, B, A, …), seat 0 named dealer
    table RULESET N CARD            the same, then dealt with hidden hands, and the first card turned
    {…}                             an event that is accepted
    ! CODE {…}                      an event that is refused with this code, and changes nothing
    = {…}                           the summary has exactly these values under these keys
    # …                             a remark

RULESET is JSON without blanks.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.engine import SENTENCES, Log, Refusal, dump, parse_line, refusal_of, summarize
from games.engine.events import EVENT_CLASSES, EventVoided
from games.engine.state import PHASES
from games.engine.transitions import TRANSITIONS

SCENARIOS = Path(__file__).parent / "scenarios"


def scenarios() -> Iterator[Any]:
    for path in sorted(SCENARIOS.glob("*.txt")):
        title = ""
        lines: list[tuple[int, str]] = []
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), "## "], start=1):
            if line.startswith("## "):
                if title:
                    yield pytest.param(lines, id=f"{path.stem}: {title}")
                title, lines = line[3:], []
            elif line and not line.startswith("# "):
                lines.append((number, line))


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


@pytest.mark.parametrize("lines", list(scenarios()))
def test_scenario(lines: list[tuple[int, str]]) -> None:
    log = Log()
    for number, line in lines:
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
