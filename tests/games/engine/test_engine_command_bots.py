"""The verbs `random` and `legal`: games out of nothing, and what may follow a log."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine import (
    Ruleset,
    advance,
    dump,
    load,
    parse_line,
    parse_log,
    play_random_game,
    print_log,
    refusal_of,
    replay,
)
from tests.support import ROOT


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "games.engine", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def test_random_command_without_options_plays_the_palio() -> None:
    done = run("random")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == print_log(play_random_game(Ruleset.from_json("palio"), 2, 0))


def test_random_command_takes_every_option() -> None:
    rules = {"preset": "house", "zero_gift": True, "target": 100}
    done = run(
        *("random", "--ruleset", json.dumps(rules), "--seats", 4, "--seed", 3, "--table"),
        *("--style", "random", "--kin", "0-2", "1-3"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    log = play_random_game(Ruleset.from_json(rules), 4, 3, table=True, style="random", kin=((0, 2), (1, 3)))
    assert done.stdout == print_log(log)
    assert replay(parse_log(done.stdout)).over


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--ruleset", "scopa"),
            'argument --ruleset: there is no preset "scopa"; '
            'there are "palio", "classic", "to_go", "guide", "house"',
        ),
        (
            ("--ruleset", '{"preset"'),
            "argument --ruleset: the rule set isn't JSON: Expecting ':' delimiter: line 1 column 10 (char 9)",
        ),
        (
            ("--ruleset", '{"preset": "palio", "scoring": "elimination"}'),
            'argument --ruleset: elimination takes new deals: after_out must be "new_deal", not "game_ends"',
        ),
        (("--seats", "11"), "these rules are for 2 to 10 players, not 11"),
        (("--seats", "-1"), "these rules are for 2 to 10 players, not -1"),
        (("--seats", "two"), "argument --seats: invalid int value: 'two'"),
        (("--kin", "0-5"), "`kin` names seat 5, but only 2 players sit here, counted from 0"),
        (("--kin", "1-1"), "argument --kin: '1-1' should be two different seats such as 0-2"),
    ],
)
def test_random_command_refuses_a_wrong_argument_in_one_line(
    arguments: tuple[str, ...], message: str
) -> None:
    done = run("random", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert last.removeprefix("python -m games.engine random: ") == f"error: {message}"


def test_random_command_ends_without_error_when_its_reader_closes_the_pipe() -> None:
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "games.engine",
        "random",
        "--ruleset",
        "classic",
        "--seats",
        "6",
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # A whole game is more than a pipe holds.
        assert process.stdout.readline().startswith(b'{"type": "game_opened"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


# legal

OPENED = """\
{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada"}, {"name": "Bea"}]}
"""
HOUSE = """\
{"type": "game_opened", "ruleset": "house", "seats": [{"name": "Ada"}, {"name": "Bea"}]}
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0, "hands": {"1": ["R5", "G5", "G5", "B1", "B2", "B3", "B9"]}}
{"type": "card_turned", "card": "R7"}
"""


def offered(tmp_path: Path, text: str, *arguments: object) -> list[dict[str, Any]]:
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    done = run("legal", path, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_legal_command_offers_the_cut_by_who_wins_it(tmp_path: Path) -> None:
    found = offered(tmp_path, OPENED)
    assert found[:4] == [
        {"type": "dealer_cut", "cards": {"0": "R9", "1": "R1"}},
        {"type": "dealer_cut", "cards": {"0": "R1", "1": "R9"}},
        {"type": "dealer_named", "seat": 0},
        {"type": "dealer_named", "seat": 1},
    ]
    assert {event["type"] for event in found[4:]} == {"game_closed"}


def test_legal_command_offers_cards_of_one_number_together(tmp_path: Path) -> None:
    found = offered(tmp_path, HOUSE)
    assert [event["cards"] for event in found if event["type"] == "cards_played"] == [
        ["R5"],
        ["R5", "G5"],
        ["R5", "G5", "G5"],
    ]
    assert {event["type"] for event in found} == {
        "cards_played",
        "cards_drawn",
        "penalty_given",
        "game_closed",
    }


@pytest.mark.parametrize("rules", ["palio", "guide", "house"])
def test_legal_command_offers_only_events_that_would_be_accepted(rules: str, tmp_path: Path) -> None:
    log = play_random_game(Ruleset.from_json(rules), 3, 5)
    for until in (1, 2, 3, 6, 20, len(log)):
        state = replay(log[:until])
        found = offered(tmp_path, print_log(log), "--until", until)
        assert bool(found) == (not state.over)
        for event in found:
            advance(load(dump(state)), parse_line(json.dumps(event)))
        # And what the bots did next is among it, apart from what only adds knowledge.
        if until > 2 and not state.over:
            assert refusal_of(state, log[until]) is None
            assert log[until].type in {event["type"] for event in found}


def test_legal_command_refuses_a_refused_log_and_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(OPENED + '{"type": "turn_passed", "seat": 0}\n', "utf-8")
    done = run("legal", path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == run("replay", path).stdout
    done = run("legal", tmp_path / "missing.jsonl")
    assert (done.returncode, done.stderr) == (2, "")
    assert json.loads(done.stdout)["error"]["code"] == "unreadable"


@pytest.mark.parametrize("verb", ["random", "rules"])
def test_help_writes_a_rule_set_as_json(verb: str) -> None:
    helped = " ".join(run(verb, "--help").stdout.split())
    written = re.search(r"'(\{.*\})'", helped)

    assert written is not None
    assert Ruleset.from_json(json.loads(written[1])).final_draw
    assert run("random", "--ruleset", written[1]).returncode == 0


def test_help_says_json_in_capitals() -> None:
    assert "as one line of JSON." in run("replay", "--help").stdout


def test_ruleset_option_takes_a_preset_s_name_as_json_too() -> None:
    assert run("random", "--ruleset", '"classic"').stdout == run("random", "--ruleset", "classic").stdout
