"""The page on notation: what it shows is what the engine prints."""

import re
import subprocess
import sys

import pytest

from games.engine import print_notation
from games.engine.events import EVENT_CLASSES, GameOpened
from tests.support import ROOT
from tests.support.doc_pages import first_column, section, sessions
from tests.support.notation_reading import read_notation

PAGE = ROOT / "docs" / "reference" / "notation.md"
SESSIONS = dict(sessions(PAGE))
TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"^```notation\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def rows(heading: str) -> list[list[str]]:
    """The cells of a table below a heading, without its head."""
    lines = [line for line in section(PAGE, heading).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def code(cell: str) -> str:
    return cell.split("`")[1]


@pytest.mark.parametrize("command", SESSIONS)
def test_notation_page_commands_print_what_is_shown(command: str) -> None:
    arguments = [sys.executable, *command.split()[1:]]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert (done.stdout.decode(), done.stderr, done.returncode) == (SESSIONS[command], b"", 0)


def test_notation_page_examples_are_printed_as_shown() -> None:
    assert [print_notation(read_notation(text)) for text in EXAMPLES] == EXAMPLES


def test_notation_page_has_a_token_for_every_event() -> None:
    shown = rows("Tokens")
    for token, type_, _ in shown:
        (event,) = read_notation(code(token))
        assert event.type == code(type_)
    listed = {code(type_) for _, type_, _ in shown}
    assert listed == {cls.type for cls in EVENT_CLASSES} - {GameOpened.type}


def test_notation_page_headers_are_read() -> None:
    headers = [code(cells[0]) for cells in rows("Headers")]
    text = "\n".join([headers[0], headers[1], *(f'[Seat {seat} "Bea"]' for seat in (1, 2, 3)), *headers[2:]])
    (opened,) = read_notation(text.replace("[Winner 1]", "[Winner *]"))

    assert isinstance(opened, GameOpened)
    assert opened.kin == ((0, 2), (1, 3))
    assert (opened.at, opened.by) == ("2026-09-19T14:00:00+02:00", "Ugo")


def test_notation_grammar_has_every_word() -> None:
    grammar = section(PAGE, "Grammar")
    quoted = set(re.findall(r'"([a-z_]+)"', grammar))
    words = {re.split("[=/]", code(token).split(":")[-1])[0] for token, _, _ in rows("Tokens")}

    assert {word for word in words if word.isalpha() and word.islower()} <= quoted
    assert first_column(section(PAGE, "Headers"))[0] == "[Rules palio]"
