"""The page on the game log is a public interface: what it shows is what the engine does."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import SENTENCES
from games.engine.command import VERBS
from games.engine.state import PHASES, START
from tests.docs.log_events_table import PAGE, TABLE, with_table
from tests.support import ROOT
from tests.support.doc_pages import first_column, section, sessions
from tournaments.facts.reasons import REASONS

EXAMPLES = sorted((ROOT / "docs" / "reference" / "examples").iterdir())
SESSIONS = dict(sessions(PAGE))
REPLAY = "python -m games.engine replay "
EXPLAIN = "python -m games.engine explain docs/reference/examples/begun.jsonl --language en"


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_game_log_example_replays_to_what_is_shown(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    assert SESSIONS[f"cat {name}"] == path.read_text("utf-8")
    command = [sys.executable, *(REPLAY + name).split()[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    shown = json.loads(SESSIONS[REPLAY + name])
    assert json.loads(done.stdout) == shown
    assert list(json.loads(done.stdout)) == list(shown)
    assert (done.returncode, done.stderr) == (1 if "error" in shown else 0, "")


def test_game_log_example_is_explained_as_shown() -> None:
    command = [sys.executable, *EXPLAIN.split()[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", SESSIONS[EXPLAIN])


def test_game_log_page_commands_are_all_run() -> None:
    replayed = [command + str(path.relative_to(ROOT)) for path in EXAMPLES for command in ("cat ", REPLAY)]
    assert sorted(SESSIONS) == sorted([*replayed, EXPLAIN])


def test_game_log_page_lists_every_verb() -> None:
    listed = re.findall(r"^- `(\w+)` ", section(PAGE, "Command line"), re.MULTILINE)
    assert listed == [verb.name for verb in VERBS]


def test_game_log_page_table_of_events_is_the_engine_s() -> None:
    text = PAGE.read_text("utf-8")
    assert TABLE.search(section(PAGE, "Events"))
    assert text == with_table(text), "write it anew: python -m tests.docs.log_events_table"


def test_game_log_page_lists_every_phase() -> None:
    # The first, before a log's first line, is one that nobody ever reads.
    assert PHASES[0] == START
    assert first_column(section(PAGE, "Phases: what may come when")) == list(PHASES[1:])


def test_game_log_page_lists_every_refusal() -> None:
    assert sorted(first_column(section(PAGE, "Refusals"))) == sorted(SENTENCES)


def test_game_log_page_lists_every_key_of_the_state() -> None:
    state = json.loads(SESSIONS[REPLAY + "docs/reference/examples/begun.jsonl"])
    assert first_column(section(PAGE, "Command line")) == list(state)


def test_game_log_page_lists_every_correction_reason() -> None:
    told = section(PAGE, "In the service")
    assert f"one of the codes {', '.join(f'`{reason}`' for reason in REASONS)}." in told
