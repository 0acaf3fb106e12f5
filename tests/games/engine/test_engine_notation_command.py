"""`python -m games.engine notation`, run as a program: what it prints, and its exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import Ruleset, Seat, parse_log, play_random_game, print_log, print_notation
from tests.support import ROOT


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error; on a terminal that knows ASCII only."""
    command = [sys.executable, "-W", "error", "-m", "games.engine", "notation", *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60, env=environment)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def text() -> str:
    """A log as JSON Lines, of somebody whose name is no ASCII."""
    seats = [Seat("Zoë", "Centro"), Seat("Bea", "Alta")]
    return print_log(play_random_game(Ruleset.from_json("palio"), seats, 3, table=True))


@pytest.fixture
def game(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    return path


def test_notation_command_prints_each_log(game: Path, text: str) -> None:
    notation = print_notation(parse_log(text))

    assert run(game) == (0, notation, "")
    assert run(game, game) == (0, notation * 2, "")


def test_notation_command_writes_a_refusal_to_stderr(game: Path, text: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("2. dealer=0", "utf-8")

    status, printed, told = run(wrong, game)

    error = json.loads(told)["error"]
    assert (status, printed) == (1, print_notation(parse_log(text)))
    assert (error["code"], error["line"]) == ("malformed", 1)


def test_notation_command_prints_a_log_that_the_rules_refuse(text: str, tmp_path: Path) -> None:
    illegal = tmp_path / "illegal.jsonl"
    illegal.write_text(text + text.splitlines()[-1] + "\n", "utf-8")

    assert run(illegal)[0] == 0


def test_notation_command_exits_with_the_worst_status_for_a_missing_file(game: Path, tmp_path: Path) -> None:
    status, printed, told = run(tmp_path / "missing.jsonl", game)

    assert (status, printed) == (2, run(game)[1])
    assert json.loads(told)["error"]["code"] == "unreadable"
