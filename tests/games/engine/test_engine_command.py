"""The command line, run as a program: its output to the letter and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

GAME = """\
{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada", "team": "Alta"}, {"name": "Bea"}]}
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0}
{"type": "card_turned", "card": "R7"}
{"type": "cards_played", "seat": 1, "cards": ["G7"]}
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "games.engine", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(GAME, "utf-8")
    return path


def test_replay_command_prints_one_object_on_one_line(game: Path) -> None:
    done = run("replay", game)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    assert list(json.loads(done.stdout).items()) == [
        ("ruleset", "palio"),
        ("events", 5),
        ("deal", 1),
        ("phase", "play"),
        ("turn", 0),
        ("direction", 1),
        ("dealer", 0),
        ("top", "G7"),
        ("color", "G"),
        ("owed", 0),
        ("hands", [7, 6]),
        ("draw_pile", 93),
        ("discards", 2),
        ("scores", [0, 0]),
        ("deal_scores", []),
        ("left", []),
        ("winner", None),
        ("team", None),
    ]


def test_replay_command_until_reads_the_first_lines_only(game: Path) -> None:
    game.write_text(GAME + "no JSON at all\n", "utf-8")
    done = run("replay", game, "--until", "4")
    assert done.returncode == 0
    assert json.loads(done.stdout)["events"] == 4
    assert json.loads(run("replay", game, "--until", "6").stdout)["error"]["line"] == 6
    assert json.loads(run("replay", game, "--until", "0").stdout)["error"]["line"] == 1
    wrong = run("replay", game, "--until", "-1")
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_replay_command_until_leaves_out_a_later_correction(game: Path) -> None:
    game.write_text(GAME + '{"type": "event_voided", "line": 5, "reason": "red"}\n', "utf-8")
    assert json.loads(run("replay", game, "--until", "5").stdout)["top"] == "G7"
    assert json.loads(run("replay", game).stdout)["top"] == "R7"


def test_replay_command_names_the_first_refused_event(game: Path) -> None:
    game.write_text(GAME + '{"type": "cards_played", "seat": 0, "cards": ["B1"]}\nno JSON\n', "utf-8")
    done = run("replay", game)
    assert (done.returncode, done.stderr) == (1, "")
    error = json.loads(done.stdout)["error"]
    assert list(error) == ["line", "type", "code", "message"]
    assert (error["line"], error["type"], error["code"]) == (6, "cards_played", "no-match")


def test_replay_command_prints_one_line_a_file_and_exits_with_the_worst_status(
    game: Path, tmp_path: Path
) -> None:
    blank = tmp_path / "blank.jsonl"
    blank.write_text(GAME + "\n", "utf-8")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", "utf-8")
    done = run("replay", blank, game, empty)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert answers[0]["error"]["line"] == 6
    assert answers[0]["error"]["code"] == "malformed"
    assert answers[1]["events"] == 5
    assert answers[2]["error"]["line"] == 1

    done = run("replay", tmp_path / "missing.jsonl", blank, tmp_path, game)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (2, "")
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        "unreadable",
        "malformed",
        "unreadable",
        None,
    ]


def test_engine_needs_only_the_standard_library(game: Path) -> None:
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import runpy;",
    ]
    command[-1] += "runpy.run_module('games.engine', run_name='__main__')"
    done = subprocess.run(
        [*command, str(ROOT), "replay", str(game)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
