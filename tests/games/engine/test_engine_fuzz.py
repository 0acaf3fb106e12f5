"""Whatever comes in: an event, or a refusal that says why; never anything else, and nothing half done."""

import contextlib
import io
import json
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    PRESETS,
    SENTENCES,
    Log,
    Refusal,
    Ruleset,
    audit,
    dump,
    event_to_json,
    legal,
    load,
    parse_event,
    parse_line,
    parse_log,
    print_log,
    refusal_of,
    replay,
    replay_while_valid,
    summarize,
)
from games.engine.command import VERBS, main
from games.engine.events import Event, EventVoided
from games.engine.field_kinds import MOST_TOTAL
from games.engine.jsonl import parse_lines, split_lines
from games.engine.state import OVER, PHASES, START
from tests.games.engine.kit.garbage import BYTES, EVENT_OBJECTS, HUGE, JSON, LINES
from tests.games.engine.kit.walks import Walker
from tests.support.run.long import examples


def told(refusal: Refusal) -> str:
    """The code of a refusal that can be shown, printed and sent."""
    assert refusal.code in SENTENCES
    shown = json.loads(json.dumps(refusal.to_json()))
    assert shown["message"]
    # A person reads it: what was given is cut short.
    assert len(shown["message"]) < 1_000
    str(refusal).encode()
    return refusal.code


def event_or_refusal(read: Callable[[], Event]) -> Event | Refusal:
    try:
        return read()
    except Refusal as refusal:
        return refusal


# Reading


@examples(300, report_multiple_bugs=False)
@given(LINES)
def test_fuzzed_line_is_an_event_or_malformed(line: str) -> None:
    for text in (line, line.encode("utf-8", "surrogatepass")):
        read = event_or_refusal(partial(parse_line, text, line=7))
        if isinstance(read, Refusal):
            assert (told(read), read.line) == ("malformed", 7)
        else:
            assert parse_log(print_log([read])) == [read]


@given(JSON | EVENT_OBJECTS)
def test_fuzzed_value_is_an_event_or_malformed(value: Any) -> None:
    read = event_or_refusal(partial(parse_event, value))
    if isinstance(read, Refusal):
        assert told(read) == "malformed"
    else:
        assert parse_event(event_to_json(read)) == read


@examples(200, report_multiple_bugs=False)
@given(BYTES)
def test_fuzzed_bytes_are_a_log_or_a_refusal(data: bytes) -> None:
    state, accepted, refusal = replay_while_valid(parse_lines(split_lines(data)))
    assert audit(state) == []
    if refusal is None:
        assert accepted == state.events == len(split_lines(data))
    else:
        told(refusal)
        assert refusal.line == accepted + 1


# At every moment of a game


@cache
def moments() -> dict[str, list[tuple[Event, ...]]]:
    """For each phase, logs that lead there: with real and with hidden cards, under every preset."""
    found: dict[str, list[tuple[Event, ...]]] = {START: [()]}
    for number, preset in enumerate([*PRESETS] * 12):
        changes = {"hand_size": number % 4 + 1, "zero_gift": True, "target": 40}
        rules = Ruleset.from_json({"preset": preset, **changes})
        walker = Walker(rules, 2 + number % 4, number, full=number % 3 == 0)
        walker.walk(60)
        for line in range(1, len(walker.events) + 1):
            log = tuple(walker.events[:line])
            found.setdefault(replay(log).phase, []).append(log)
    return found


def test_fuzzed_moments_include_every_phase() -> None:
    assert set(moments()) == set(PHASES)


@pytest.mark.parametrize("phase", PHASES)
@examples(60, report_multiple_bugs=False)
@given(objects=st.lists(EVENT_OBJECTS, min_size=1, max_size=12), seed=st.integers(0, 10**6))
def test_fuzzed_event_is_legal_or_refused_without_a_trace_at_any_moment(
    phase: str, objects: list[dict[str, Any]], seed: int
) -> None:
    """Of the right form, with seats, lines, counts and cards that needn't be there."""
    logs = moments()[phase]
    log = Log()
    for event in logs[Random(seed).randrange(len(logs))]:
        log.add(event)
    for value in objects:
        before, count = dump(log.state), len(log.events)
        try:
            event = parse_event(value)
            foreseen = None if isinstance(event, EventVoided) else refusal_of(log.state, event)
            log.add(event)
        except Refusal as refusal:
            told(refusal)
            assert (dump(log.state), len(log.events)) == (before, count)
        else:
            assert foreseen is None
            assert audit(log.state) == []
            stored = json.loads(json.dumps(dump(log.state)))
            assert dump(load(stored)) == stored
            json.dumps([summarize(log.state), [option.to_json() for option in legal(log.state)]])
            # From here on the phase is another one perhaps; what follows is asked there.

    assert dump(replay(log.events)) == dump(log.state) if log.events else log.state.phase == START


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != START])
def test_seat_that_is_not_there_is_malformed_in_every_phase(phase: str) -> None:
    state = replay(moments()[phase][0])
    values: list[dict[str, Any]] = [
        {"type": "dealer_cut", "cards": {"999999999": "R1"}},
        {"type": "deal_started", "dealer": 0, "hands": {"999999999": []}},
        {"type": "game_closed", "reason": "time", "winner": None, "scores": {"999999999": 1}},
    ]
    for seat in (len(state.seats), 10**9, HUGE):
        values += (
            {"type": "dealer_named", "seat": seat},
            {"type": "deal_started", "dealer": seat},
            {"type": "color_named", "seat": seat, "color": "R"},
            {"type": "cards_played", "seat": seat, "cards": ["R1"]},
            {"type": "cards_drawn", "seat": seat, "count": 1},
            {"type": "turn_passed", "seat": seat},
            {"type": "uno_called", "seat": seat},
            {"type": "uno_caught", "seat": seat},
            {"type": "uno_caught", "seat": 0, "catcher": seat},
            {"type": "challenge_made", "seat": seat, "upheld": True},
            {"type": "penalty_given", "seat": seat, "reason": "prompting"},
            {"type": "zero_gift", "seat": seat, "to": 0},
            {"type": "zero_gift", "seat": 0, "to": seat},
            {"type": "hand_shown", "seat": seat, "points": 0},
            {"type": "game_closed", "reason": "time", "winner": seat},
        )
    for value in values:
        refusal = refusal_of(state, parse_event(value))
        assert refusal is not None
        assert told(refusal) == "malformed"


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase not in (START, OVER)])
def test_numbers_as_long_as_json_allows_are_refused(phase: str) -> None:
    log = Log()
    for event in moments()[phase][0]:
        log.add(event)
    for value in (
        {"type": "cards_drawn", "seat": 0, "count": HUGE},
        {"type": "hand_shown", "seat": 0, "points": HUGE},
        {"type": "event_voided", "line": HUGE, "reason": ""},
        closed_with_total(HUGE),
        closed_with_total(MOST_TOTAL + 1),
    ):
        with pytest.raises(Refusal) as caught:
            log.add(parse_event(value))
        told(caught.value)
    log.add(parse_event(closed_with_total(MOST_TOTAL)))

    assert json.loads(json.dumps(summarize(log.state)))["scores"][0] == MOST_TOTAL


def closed_with_total(points: int) -> dict[str, Any]:
    """The end of a game, with the points of its first seat."""
    return {"type": "game_closed", "reason": "time", "winner": None, "scores": {"0": points}}


@pytest.mark.parametrize(
    "field", ["challenge_failed_cards", "uno_penalty", "prompting_penalty", "wrong_card_penalty"]
)
def test_penalty_of_a_size_without_measure_is_refused_with_the_rules(field: str) -> None:
    seats = [{"name": "Ada"}, {"name": "Bea"}, {"name": "Ciro"}]

    for value in (10_001, 10**9, 10 * HUGE - 1):
        opening = {"type": "game_opened", "ruleset": {"preset": "guide", field: value}, "seats": seats}
        with pytest.raises(Refusal) as refused:
            Log().add(parse_event(opening))
        assert (told(refused.value), refused.value.rule) == ("bad-ruleset", field)


# The command line


TAKING_A_LOG = [verb.name for verb in VERBS if verb.name in ("explain", "legal", "notation", "replay")]


@pytest.mark.parametrize("verb", TAKING_A_LOG)
@examples(40, report_multiple_bugs=False)
@given(data=BYTES)
def test_command_line_answers_any_fuzzed_file(verb: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.jsonl")
        path.write_bytes(data)
        output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = main([verb, str(path)])
    printed, complained = (stream.buffer.getvalue().decode() for stream in (output, errors))
    assert status in (0, 1)
    assert printed or complained
    if verb == "replay":
        assert (printed.count("\n"), complained) == (1, "")
        assert (status == 0) == ("error" not in json.loads(printed))
