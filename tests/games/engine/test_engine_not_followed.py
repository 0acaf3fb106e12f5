"""A log that leads the engine to a state that can't be: how it is told, and how a correction mends it.

The fault is put into one transition.
"""

import json
from pathlib import Path

import pytest

from games.engine import ImpossibleStateError, parse_log, replay
from games.engine.command import main
from games.engine.corrections import Log
from tests.support.faults import WHAT, put_fault_in
from tests.support.recorded_game import table_log

OPENING = {"type": "game_opened", "ruleset": "palio", "seats": [{"name": "a"}, {"name": "b"}]}
LINE = 16
"""The challenge in the log, from which on nothing can be followed."""


def text_of(*more: dict[str, object]) -> str:
    """The log up to the challenge, and more lines."""
    return "".join(json.dumps(event) + "\n" for event in [OPENING, *table_log()[: LINE - 1], *more])


def void(line: int) -> dict[str, object]:
    return {"type": "event_voided", "line": line, "reason": "not-followed"}


@pytest.mark.parametrize("verb", ["replay", "legal"])
def test_log_that_can_not_be_followed_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(text_of(), "utf-8")
    put_fault_in(monkeypatch)

    status = main([verb, str(file)])

    assert (status, json.loads(capsys.readouterr().out)) == (
        1,
        {
            "error": {
                "line": LINE,
                "type": "challenge_made",
                "code": "not-followed",
                "message": f"the engine can't follow line {LINE}, by a fault of its own: {WHAT}",
            }
        },
    )


def test_log_that_can_not_be_followed_leaves_other_files_to_be_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty, other = tmp_path / "faulty.jsonl", tmp_path / "other.jsonl"
    faulty.write_text(text_of(), "utf-8")
    other.write_text(json.dumps(OPENING) + "\n", "utf-8")
    put_fault_in(monkeypatch)

    status = main(["replay", str(faulty), str(other)])

    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (status, [answer.get("events") for answer in answers]) == (1, [None, 1])


def test_log_whose_impossible_line_is_voided_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    end = {"type": "game_closed", "reason": "result", "winner": 0}
    log = parse_log(text_of(table_log()[LINE - 1], void(LINE + 1), void(LINE), end))
    as_followed = replay(log)

    put_fault_in(monkeypatch)

    assert (replay(log).events, replay(log).winner, replay(log).hands) == (
        as_followed.events,
        as_followed.winner,
        as_followed.hands,
    )
    with pytest.raises(ImpossibleStateError):
        replay(log, len(log) - 2)


def test_log_without_a_correction_of_its_impossible_line_raises_the_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put_fault_in(monkeypatch)

    with pytest.raises(ImpossibleStateError) as met:
        replay(parse_log(text_of()))

    assert met.value.line == LINE
    with pytest.raises(ImpossibleStateError):
        Log.past(met.value, parse_log(text_of(void(LINE - 1))))
