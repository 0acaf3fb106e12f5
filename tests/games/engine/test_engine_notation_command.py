"""`python -m games.engine notation`, run as a program: what it prints, and its exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import (
    Ruleset,
    Seat,
    parse_log,
    play_random_game,
    print_log,
    print_notation,
    print_position,
    replay,
)

ROOT = Path(__file__).parents[3]


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


def test_json_lines_become_notation_and_notation_json_lines(game: Path, text: str, tmp_path: Path) -> None:
    notation = print_notation(parse_log(text))
    assert run(game) == (0, notation, "")
    other = tmp_path / "game.txt"
    other.write_text(f"\ufeff; remarks first\n{notation}", "utf-8")
    assert run(other) == (0, text, "")
    assert run(game, other) == (0, notation + text, "")


def test_the_format_can_be_asked_for(game: Path, text: str, tmp_path: Path) -> None:
    notation = print_notation(parse_log(text))
    assert run("--to", "jsonl", game) == (0, text, "")
    typed = tmp_path / "typed.txt"
    typed.write_text(notation.lower().replace("zoë", "Zoë").replace('"', '"').replace("\n", "  \n"), "utf-8")
    status, printed, _ = run("--to", "notation", typed)
    assert (status, printed.lower()) == (0, notation.lower())


def test_the_position_of_each_log_is_one_line(game: Path, text: str) -> None:
    log = parse_log(text)
    lines = [print_position(replay(log)), print_position(replay(log, until=9))]
    assert run("--position", game) == (0, f"{lines[0]}\n", "")
    assert run("--position", "--until", 9, game, game) == (0, f"{lines[1]}\n" * 2, "")
    assert run("--until", 9, game) == (0, print_notation(log[:9]), "")


def test_what_is_refused_is_told_elsewhere(game: Path, text: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("2. dealer=0", "utf-8")
    illegal = tmp_path / "illegal.jsonl"
    illegal.write_text(text + text.splitlines()[-1] + "\n", "utf-8")
    status, printed, told = run(wrong, game)
    assert (status, printed) == (1, print_notation(parse_log(text)))
    error = json.loads(told)["error"]
    assert (error["code"], error["line"]) == ("malformed", 1)
    # A log that the rules refuse is a log, but leads to no position.
    assert run(illegal)[0] == 0
    status, printed, told = run("--position", illegal)
    assert (status, printed) == (1, "")
    assert json.loads(told)["error"]["line"] == text.count("\n") + 1
    status, printed, told = run(tmp_path / "missing.txt", wrong)
    assert (status, printed) == (2, "")
    assert [json.loads(line)["error"]["code"] for line in told.splitlines()] == ["unreadable", "malformed"]


def test_replaying_stays_with_json_lines(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(print_notation(parse_log(game.read_text("utf-8"))), "utf-8")
    command = [sys.executable, "-m", "games.engine", "replay", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, json.loads(done.stdout)["error"]["line"]) == (1, 1)
