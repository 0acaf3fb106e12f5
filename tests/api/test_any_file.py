"""Whatever file is sent, a reader takes it or refuses it in its own words: lists, workbooks, archives, logs.

Valid files, changed: bytes turned, spans lost, doubled and put in; and the parts of archives likewise, so
that what reads them is reached behind their checksums. No reader opens a path, and none takes much room.
"""

import io
import random
import stat
import tracemalloc
from contextlib import redirect_stderr, redirect_stdout
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.engine.command import main
from tests.support.hostile_files import (
    ARCHIVE,
    CSV,
    FILES,
    LOG,
    WORKBOOK,
    changed,
)
from tests.support.run.long import examples
from tests.support.zips import packed, unpacked
from tournaments.transfer.archive import container

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize("kind", FILES)
@examples(160)
@given(seed=st.integers(0, 2**32))
def test_changed_file_is_read_or_refused(kind: str, seed: int) -> None:
    data, read = FILES[kind]
    read(changed(data, seed))


@pytest.mark.parametrize("kind", ["workbook", "archive"])
@examples(80)
@given(seed=st.integers(0, 2**32))
def test_changed_part_of_an_archive_is_read_or_refused(kind: str, seed: int) -> None:
    data, read = FILES[kind]
    parts = unpacked(data)
    name = random.Random(seed).choice(list(parts))
    read(packed({**parts, name: changed(parts[name], seed)}))


@pytest.mark.parametrize("kind", FILES)
@examples(60)
@given(data=st.binary(max_size=300))
@example(b"")
def test_file_of_any_bytes_is_read_or_refused(kind: str, data: bytes) -> None:
    FILES[kind][1](data)


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "' + b"b" * 1000 + b'"><!ENTITY c "&a;&a;">]><x>&c;</x>'
)
ELSEWHERE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
SHEET = "xl/worksheets/sheet1.xml"
BOMBS = {
    "a sheet of 80 MB": packed({**unpacked(WORKBOOK), SHEET: b" " * 80 * MEGABYTE}),
    "many parts": packed({**unpacked(WORKBOOK), **{f"x{number}": b"" for number in range(5000)}}),
    "entities": packed({**unpacked(WORKBOOK), SHEET: ENTITIES}),
    "an entity from elsewhere": packed({**unpacked(WORKBOOK), SHEET: ELSEWHERE}),
    "a name that leads out": packed({**unpacked(WORKBOOK), "../../etc/passwd": b"x"}),
    "an archive of 80 MB": packed({**unpacked(ARCHIVE), "rows.jsonl": b" " * 80 * MEGABYTE}),
    "an archive that leads out": packed({**unpacked(ARCHIVE), "../../etc/passwd": b"x"}),
    "an archive of links": packed(
        {**unpacked(ARCHIVE), "rows.jsonl": b"/etc/passwd"}, mode=stat.S_IFLNK | 0o777
    ),
    "a cell without an end": CSV + b'\n"' + b"x" * MEGABYTE,
    "a row of a million cells": CSV + b"\n" + b";" * MEGABYTE,
    "a line of a million braces": b"[" * MEGABYTE,
}


@pytest.mark.parametrize("name", BOMBS)
def test_decompression_bomb_takes_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        for _, read in FILES.values():
            read(BOMBS[name])
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 48 * MEGABYTE


@pytest.mark.parametrize("name", ["an archive of links", "an archive that leads out", "an archive of 80 MB"])
def test_archive_that_was_tampered_with_is_refused(name: str) -> None:
    with pytest.raises(container.BadArchiveError), container.opened(io.BytesIO(BOMBS[name])):
        pass
    # The twin: untouched it is read.
    with container.opened(io.BytesIO(ARCHIVE)) as found:
        assert set(found.files) == {"rows.jsonl", "facts.jsonl"}


VERBS = [["replay"], ["explain", "--language", "it"], ["legal"], ["notation"]]


@examples(40)
@given(seed=st.integers(0, 2**32))
def test_command_line_reads_a_changed_log_or_names_the_error(seed: int) -> None:
    with NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(changed(LOG, seed))
        file.flush()
        for verb in VERBS:
            said = io.TextIOWrapper(io.BytesIO())
            with redirect_stdout(said), redirect_stderr(said):
                status = main([*verb, file.name])
            said.flush()
            assert (status in (0, 1), status == 0 or said.buffer.tell() > 0) == (True, True)
