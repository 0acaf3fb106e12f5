"""The verb `explain`, run as a program: a story line by line, and a refusal that a volunteer understands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import Ruleset, play_random_game, print_log
from tests.support import ROOT

GAME = """\
{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada", "team": "Alta"}, {"name": "Bea"}]}
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0}
{"type": "card_turned", "card": "R7"}
{"type": "cards_played", "seat": 1, "cards": ["G7"]}
"""
ITALIAN = """\
   1  Al tavolo: Ada e Bea. Si gioca con le regole del palio.
   2  Il mazziere è Ada.
   3  Ada distribuisce 7 carte a testa.
   4  La prima carta è il 7 rosso. Comincia Bea.
   5  Bea gioca il 7 verde.
"""
ENGLISH = """\
   1  At the table: Ada and Bea. They play by the rules of the palio.
   2  Ada is the dealer.
   3  Ada deals 7 cards to each.
   4  The first card is a red 7. Bea begins.
   5  Bea plays a green 7.
"""


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    plain = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "games.engine", "explain", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        env={**plain, **environment},
    )


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(GAME, "utf-8")
    return path


def test_explain_command_tells_a_game_line_by_line(game: Path) -> None:
    for language, told in (("it", ITALIAN), ("en", ENGLISH)):
        done = run(game, "--language", language)
        assert (done.returncode, done.stderr, done.stdout) == (0, "", told)


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, ENGLISH),
        ({"LANG": "C.UTF-8"}, ENGLISH),
        ({"LANG": "it_IT.UTF-8"}, ITALIAN),
        ({"LANG": "en_GB.UTF-8"}, ENGLISH),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "en_US"}, ENGLISH),
    ],
)
def test_explain_command_defaults_to_the_language_of_the_terminal(
    game: Path, environment: dict[str, str], told: str
) -> None:
    assert run(game, **environment).stdout == told


def test_explain_command_until_reads_the_first_lines_only(game: Path) -> None:
    game.write_text(GAME + "no JSON at all\n", "utf-8")
    done = run(game, "--until", "2", "--language", "it")
    assert (done.returncode, done.stdout) == (0, "".join(ITALIAN.splitlines(keepends=True)[:2]))


def test_explain_command_tells_a_refusal_with_line_code_expectation_and_rule(game: Path) -> None:
    game.write_text(GAME + '{"type": "cards_played", "seat": 0, "cards": ["B1"]}\nno JSON\n', "utf-8")
    done = run(game, "--language", "it")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == ITALIAN + (
        "   6  Rifiutata (no-match): Ada gioca l’1 blu.\n"
        "      1 blu non va su 7 verde: ci vuole il verde, lo stesso numero o simbolo, o un jolly.\n"
        "      Regola: Questa carta non va sul mazzo scarti: deve avere lo stesso colore, numero o simbolo, "
        "o essere un jolly.\n"
    )


def test_explain_command_tells_a_line_that_can_not_be_read(game: Path) -> None:
    game.write_text(GAME + "{\n", "utf-8")
    done = run(game, "--language", "en")
    assert done.returncode == 1
    assert done.stdout.splitlines()[5:] == [
        "   6  Refused: malformed",
        "      The line isn't JSON from character 2 on.",
        "      Rule: This entry can't be read: something in it is missing, unknown or of the wrong kind.",
    ]


def test_explain_command_refuses_a_file_that_can_not_be_opened(tmp_path: Path) -> None:
    done = run(tmp_path / "none.jsonl", "--language", "it")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path / 'none.jsonl'} non si può leggere: No such file or directory\n"
    assert run(tmp_path).returncode == 2


def test_explain_command_tells_a_log_while_it_is_still_being_written(tmp_path: Path) -> None:
    pipe = tmp_path / "growing.jsonl"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "games.engine", "explain", str(pipe), "--language", "it"]

    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as reader:
        assert reader.stdout is not None
        with pipe.open("w", buffering=1, encoding="utf-8") as writer:
            for line, told in zip(GAME.splitlines(), ITALIAN.splitlines(), strict=True):
                writer.write(f"{line}\n")
                assert reader.stdout.readline() == f"{told}\n"

    assert reader.returncode == 0


def test_explain_command_shows_the_hands_that_the_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "bots.jsonl"
    log = play_random_game(Ruleset.from_json("palio"), 2, 3)
    path.write_text(print_log(log), "utf-8")
    done = run(path, "--language", "it")

    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == len(log)
    assert "In mano hanno: Bot 1 – " in done.stdout
