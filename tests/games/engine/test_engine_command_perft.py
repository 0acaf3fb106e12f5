"""The counts, run as a program: what `docs/development/perft.md` shows is what is printed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import Ruleset, play_random_game, print_log
from tests.games.engine.perft.counts import perft
from tests.games.engine.perft.positions import read_corpus
from tests.support import ROOT

PAGE = (ROOT / "docs" / "development" / "perft.md").read_text("utf-8")
SHOWN = re.findall(r"^\$ python -m tests\.games\.engine\.perft (.*)\n((?:[^$`].*\n)+)", PAGE, re.MULTILINE)
POSITION = """\
## two cards each
ruleset {"preset": "palio", "hand_size": 2}
seats 2
seed 1
pack R1 R2 R3 R4 R7
moves 1 2
moves 2 4
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "tests.games.engine.perft", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=60)


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_perft_page_shows_what_is_printed(command: str, shown: str) -> None:
    done = run(*command.split())
    assert (done.returncode, done.stderr, done.stdout) == (0, "", shown)


def test_perft_page_shows_two_commands() -> None:
    assert len(SHOWN) == 2


def test_perft_page_s_position_has_the_counts_that_stand_there() -> None:
    (text,) = re.findall(r"^```\n(## .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (entry,) = read_corpus(text)
    for profile, depth, count in entry.counts:
        assert perft(entry.position(), depth, profile) == count


def test_perft_command_counts_a_corpus_again(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(POSITION, "utf-8")
    done = run(path)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "two cards each: moves 1 2\ntwo cards each: moves 2 4\n"
    assert run(path, "--depth", 1).stdout == "two cards each: moves 1 2\n"


def test_perft_command_reports_a_count_that_differs_from_the_corpus(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(POSITION.replace("moves 2 4", "moves 2 5"), "utf-8")
    done = run(path)

    assert done.returncode == 1
    assert done.stdout == "two cards each: moves 1 2\ntwo cards each: moves 2 4, expected 5\n"


def test_perft_command_takes_a_log_as_the_position(tmp_path: Path) -> None:
    log = play_random_game(Ruleset.from_json("classic"), 3, 4)[:12]
    path = tmp_path / "log.jsonl"
    path.write_text(print_log(log), "utf-8")
    done = run("--log", path, "--depth", 2, "--profile", "all")

    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["all", "1"], ["all", "2"]]


@pytest.mark.parametrize(
    ("arguments", "status", "code", "message"),
    [
        (["--ruleset", "pali", "--depth", "1"], 1, "malformed", "pali"),
        (["--ruleset", "{", "--depth", "1"], 2, "unreadable", "Expecting property name"),
        (["--ruleset", "palio", "--seats", "11", "--depth", "1"], 1, "bad-ruleset", "11"),
        (["--ruleset", "palio", "--pack", "R0 R0", "--depth", "1"], 1, "too-many-copies", "packs"),
        (["--log", "nowhere.jsonl", "--depth", "1"], 2, "unreadable", "nowhere.jsonl can't be read"),
        (["nowhere.txt"], 2, "unreadable", "nowhere.txt can't be read"),
        (["README.md"], 2, "unreadable", "README.md: line "),
        (
            ["--log", "docs/reference/examples/begun.jsonl", "--depth", "1"],
            2,
            "unreadable",
            "every hand known",
        ),
    ],
)
def test_perft_command_refuses_impossible_positions_and_logs(
    arguments: list[str], status: int, code: str, message: str
) -> None:
    done = run(*arguments)
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, done.stderr, error["code"]) == (status, "", code)
    assert message in error["message"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "perft takes files with positions, or --ruleset, or --log"),
        (["--ruleset", "palio"], "perft needs --depth"),
        (["--ruleset", "palio", "--depth", "0"], "N counts events: 1 or more"),
        (["--ruleset", "palio", "--pack", "X", "--depth", "1"], "argument --pack"),
    ],
)
def test_perft_command_refuses_arguments_that_do_not_fit(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
