"""The page on notation: what it shows is what the engine reads and prints."""

import re
import subprocess
import sys

import pytest

from games.engine import Refusal, advance, audit, parse_log, parse_notation, parse_position, print_notation
from games.engine.events import EVENT_CLASSES, GameOpened
from games.engine.notation.position import OPTIONS
from games.engine.notation.tokens import SEAT_WORDS, TABLE_WORDS
from tests.docs.pages import ROOT, first_column, section, sessions

PAGE = ROOT / "docs" / "reference" / "notation.md"
SESSIONS = dict(sessions(PAGE))
TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"^```notation\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
POSITIONS = re.findall(r"^```position\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def rows(heading: str) -> list[list[str]]:
    """The cells of a table below a heading, without its head."""
    lines = [line for line in section(PAGE, heading).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def code(cell: str) -> str:
    return cell.split("`")[1]


@pytest.mark.parametrize("command", SESSIONS)
def test_a_command_prints_what_is_shown(command: str) -> None:
    arguments = [sys.executable, *command.split()[1:]]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert (done.stdout.decode(), done.stderr, done.returncode) == (SESSIONS[command], b"", 0)


def test_every_example_reads() -> None:
    assert len(EXAMPLES) == 3
    for text in EXAMPLES:
        assert parse_notation(print_notation(parse_notation(text))) == parse_notation(text)


def test_the_game_with_remarks_is_the_game_without() -> None:
    log = parse_log((ROOT / "docs" / "reference" / "examples" / "finished.jsonl").read_bytes())
    assert parse_notation(EXAMPLES[0]) == log


def test_the_example_with_stamps_is_as_it_is_printed() -> None:
    assert print_notation(parse_notation(EXAMPLES[1])) == EXAMPLES[1]


def test_every_position_is_sound_and_the_case_plays_on() -> None:
    states = [parse_position(text) for text in POSITIONS]
    for event in parse_notation(EXAMPLES[2]):
        advance(states[1], event)
    assert [audit(state) for state in states] == [[], []]


def test_every_event_has_its_token() -> None:
    shown = rows("Tokens")
    for token, type_, _ in shown:
        (event,) = parse_notation(code(token))
        assert event.type == code(type_)
    listed = {code(type_) for _, type_, _ in shown}
    assert listed == {cls.type for cls in EVENT_CLASSES} - {GameOpened.type}


def test_every_header_reads() -> None:
    headers = [code(cells[0]) for cells in rows("Headers")]
    text = "\n".join([headers[0], headers[1], *(f'[Seat {seat} "Bea"]' for seat in (1, 2, 3)), *headers[2:]])
    (opened,) = parse_notation(text.replace("[Winner 1]", "[Winner *]"))
    assert isinstance(opened, GameOpened)
    assert opened.kin == ((0, 2), (1, 3))
    assert (opened.at, opened.by) == ("2026-09-19T14:00:00+02:00", "Ugo")


def test_every_field_of_a_position_is_listed() -> None:
    listed = [
        re.split("[=/]", code(cells[0]))[0] for cells in rows("A position on one line") if len(cells) == 2
    ]
    assert listed == list(OPTIONS)


def test_every_refusal_says_what_is_shown() -> None:
    shown = rows("What is refused")
    assert len(shown) > 5
    for text, message in shown:
        with pytest.raises(Refusal) as caught:
            parse_notation(code(text))
        assert caught.value.message == message


def test_the_grammar_has_every_word() -> None:
    grammar = section(PAGE, "Grammar")
    quoted = set(re.findall(r'"([a-z_]+)"', grammar))
    assert {*SEAT_WORDS, *TABLE_WORDS} <= quoted
    assert first_column(section(PAGE, "Headers"))[0] == "[Rules palio]"
