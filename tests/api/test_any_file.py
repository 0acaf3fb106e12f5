"""Whatever file is sent, a reader takes it or refuses it in its own words: lists, workbooks, archives, logs.

Valid files, changed: bytes turned, spans lost, doubled and put in; and the parts of archives likewise, so
that what reads them is reached behind their checksums. No reader opens a path, and none takes much room.
"""

import io
import random
import stat
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from datetime import date
from tempfile import NamedTemporaryFile

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.engine import Refusal, Ruleset, parse_log, print_log, replay
from games.engine.bots import play_random_game
from games.engine.command import main
from people.intake.problems import BadInputError
from people.intake.rows import IntakeRules
from people.intake.sheet import Options, look_at, read_sheet
from tests.services.long import examples
from tournaments.transfer.archive import container

RULES = IntakeRules(day=date(2026, 9, 5), min_age=7, max_age=14, teams=())
ROWS = [
    ["cognome", "nome", "data di nascita", "contrada"],
    ["Rossi", "Ada", "01/05/2016", "Torre"],
    ["Bianchi", "Ugo", "2015-02-03", "Torre"],
]
MEGABYTE = 1024 * 1024


def workbook() -> bytes:
    """A list of people as XLSX."""
    book = openpyxl.Workbook()
    for row in ROWS:
        book.worksheets[0].append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def archive() -> bytes:
    """A small archive of ours."""
    made = io.BytesIO()
    container.write(made, {"event": "x"}, {"rows.jsonl": b'{"a": 1}\n', "facts.jsonl": b"{}\n"})
    return made.getvalue()


def packed(parts: dict[str, bytes], mode: int = 0) -> bytes:
    """A zip of these parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content)
    return made.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    """The parts of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        return {name: source.read(name) for name in source.namelist()}


def read_list(data: bytes) -> None:
    """Read as a list of people, for choosing columns and for entering."""
    options = Options(mapping={}, with_notes=True)
    for reader in (lambda: look_at(data, options), lambda: read_sheet(data, RULES, options)):
        with suppress(BadInputError):
            reader()


def read_archive(data: bytes) -> None:
    """Read as an event's archive."""
    with suppress(container.BadArchiveError), container.opened(io.BytesIO(data)) as found:
        for name in found.files:
            for _line in found.lines(name):
                pass


def read_log(data: bytes) -> None:
    """Read as a game's log, and replay what was read."""
    with suppress(Refusal):
        replay(parse_log(data))


CSV = "\n".join(";".join(row) for row in ROWS).encode()
WORKBOOK, ARCHIVE = workbook(), archive()
GAME = play_random_game(Ruleset.from_json("palio"), 2, seed=1)
LOG = print_log(GAME).encode()
FILES: dict[str, tuple[bytes, Callable[[bytes], None]]] = {
    "list": (CSV, read_list),
    "workbook": (WORKBOOK, read_list),
    "archive": (ARCHIVE, read_archive),
    "log": (LOG, read_log),
}
PUT_IN = [
    *(
        b"\x00",
        b'"',
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"[" * 2000,
        b'{"a":' * 2000,
        b"9" * 5000,
    ),
    *(b"1e999", b"NaN", b"\r\n" * 50, b";" * 500, "’".encode(), b"PK\x03\x04", b"]]>", b"&a;"),
]


def changed(data: bytes, seed: int) -> bytes:
    """The file with one to four changes."""
    chance = random.Random(seed)
    made = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made) + 1)
        end = min(len(made), at + chance.choice((1, 1, 8, 64, 4096)))
        match chance.randrange(4):
            case 0:
                made[at:end] = bytes(each ^ chance.randrange(256) for each in made[at:end])
            case 1:
                del made[at:end]
            case 2:
                made[at:at] = made[at:end]
            case 3:
                made[at:at] = chance.choice(PUT_IN)
    return bytes(made)


@pytest.mark.parametrize("kind", FILES)
@examples(160)
@given(seed=st.integers(0, 2**32))
def test_no_changed_file_ends_in_a_fault(kind: str, seed: int) -> None:
    data, read = FILES[kind]
    read(changed(data, seed))


@pytest.mark.parametrize("kind", ["workbook", "archive"])
@examples(80)
@given(seed=st.integers(0, 2**32))
def test_no_changed_part_of_an_archive_ends_in_a_fault(kind: str, seed: int) -> None:
    data, read = FILES[kind]
    parts = parts_of(data)
    name = random.Random(seed).choice(list(parts))
    read(packed({**parts, name: changed(parts[name], seed)}))


@pytest.mark.parametrize("kind", FILES)
@examples(60)
@given(data=st.binary(max_size=300))
@example(b"")
def test_no_bytes_end_in_a_fault(kind: str, data: bytes) -> None:
    FILES[kind][1](data)


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "' + b"b" * 1000 + b'"><!ENTITY c "&a;&a;">]><x>&c;</x>'
)
ELSEWHERE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
SHEET = "xl/worksheets/sheet1.xml"
BOMBS = {
    "a sheet of 80 MB": packed({**parts_of(WORKBOOK), SHEET: b" " * 80 * MEGABYTE}),
    "many parts": packed({**parts_of(WORKBOOK), **{f"x{number}": b"" for number in range(5000)}}),
    "entities": packed({**parts_of(WORKBOOK), SHEET: ENTITIES}),
    "an entity from elsewhere": packed({**parts_of(WORKBOOK), SHEET: ELSEWHERE}),
    "a name that leads out": packed({**parts_of(WORKBOOK), "../../etc/passwd": b"x"}),
    "an archive of 80 MB": packed({**parts_of(ARCHIVE), "rows.jsonl": b" " * 80 * MEGABYTE}),
    "an archive that leads out": packed({**parts_of(ARCHIVE), "../../etc/passwd": b"x"}),
    "an archive of links": packed({**parts_of(ARCHIVE), "rows.jsonl": b"/etc/passwd"}, stat.S_IFLNK | 0o777),
    "a cell without an end": CSV + b'\n"' + b"x" * MEGABYTE,
    "a row of a million cells": CSV + b"\n" + b";" * MEGABYTE,
    "a line of a million braces": b"[" * MEGABYTE,
}


@pytest.mark.parametrize("name", BOMBS)
def test_no_bomb_takes_much_room(name: str) -> None:
    tracemalloc.start()
    try:
        for _, read in FILES.values():
            read(BOMBS[name])
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 48 * MEGABYTE


@pytest.mark.parametrize("name", ["an archive of links", "an archive that leads out", "an archive of 80 MB"])
def test_an_archive_that_was_tampered_with_is_refused(name: str) -> None:
    with pytest.raises(container.BadArchiveError), container.opened(io.BytesIO(BOMBS[name])):
        pass
    # The twin: untouched it is read.
    with container.opened(io.BytesIO(ARCHIVE)) as found:
        assert set(found.files) == {"rows.jsonl", "facts.jsonl"}


VERBS = [["replay"], ["explain", "--language", "it"], ["legal"], ["notation"]]


@examples(40)
@given(seed=st.integers(0, 2**32))
def test_the_command_line_takes_a_changed_file_or_says_what_is_wrong_with_it(seed: int) -> None:
    with NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(changed(LOG, seed))
        file.flush()
        for verb in VERBS:
            said = io.TextIOWrapper(io.BytesIO())
            with redirect_stdout(said), redirect_stderr(said):
                status = main([*verb, file.name])
            said.flush()
            assert (status in (0, 1), status == 0 or said.buffer.tell() > 0) == (True, True)
