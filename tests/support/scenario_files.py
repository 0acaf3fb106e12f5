"""Scenarios of the rules: text files with what happens and what is refused."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.engine import Log, Refusal, parse_line, summarize
from games.engine.events import GameOpened
from tests.support import ROOT

SCENARIOS = ROOT / "tests" / "games" / "engine" / "scenarios"


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
