"""The file of an archive: what is written is read again, and no other bytes are."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.support.zips import packed, unpacked
from tournaments.transfer.archive import container
from tournaments.transfer.archive.container import MANIFEST, BadArchiveError, opened, write

ABOUT = {"event": "7", "name": "Palio “dei rioni”"}
FILES = {"facts.jsonl": b'{"a":1}\n', "rows/people.event.jsonl": '{"n":"è\u2028"}\n'.encode()}


def written(files: dict[str, bytes] = FILES) -> bytes:
    """An archive's bytes."""
    target = io.BytesIO()
    write(target, ABOUT, files)
    return target.getvalue()


def read(content: bytes, most: int = container.MOST_BYTES) -> tuple[dict[str, Any], dict[str, list[bytes]]]:
    """What an archive says of itself, and the lines of its files."""
    with opened(io.BytesIO(content), most) as found:
        return dict(found.about), {name: list(found.lines(name)) for name in found.files}


def lines(files: dict[str, bytes]) -> dict[str, list[bytes]]:
    """The lines of these files; what ends without an end of line is one, too."""
    split = {name: content.split(b"\n") for name, content in files.items()}
    return {name: found if found[-1] else found[:-1] for name, found in split.items()}


def refused(content: bytes, most: int = container.MOST_BYTES) -> str:
    """Why these bytes are no archive, in English."""
    with translation.override("en"), pytest.raises(BadArchiveError) as caught:
        read(content, most)
    return str(caught.value)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8})?\.jsonl", fullmatch=True), st.binary(max_size=400)
    )
)
def test_container_reads_what_it_wrote_and_gives_the_same_bytes_for_the_same(
    files: dict[str, bytes],
) -> None:
    about, found = read(written(files))
    assert found == lines(files)
    assert {name: about[name] for name in ABOUT} == ABOUT
    assert written(dict(reversed(files.items()))) == written(files)


@given(st.binary(max_size=600))
def test_container_refuses_any_bytes(content: bytes) -> None:
    refused(content)


@given(st.data())
def test_container_with_a_piece_altered_or_cut_off_is_refused_or_says_the_same(data: st.DataObject) -> None:
    whole = written()
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        altered = whole[:at]
    else:
        altered = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    try:
        found = read(altered)
    except BadArchiveError:
        return

    # What isn't part of the content, such as a file's rights or times.
    assert found == read(whole)


def test_container_unpacks_a_bomb_no_further_than_it_may() -> None:
    bomb = written({"facts.jsonl": b"0" * 5_000_000})

    assert len(bomb) < 20_000
    assert refused(bomb, most=1_000_000) == "too much in it"
    assert refused(packed({MANIFEST: b" " * (container.MOST_MANIFEST + 1)})) == "too much in it"
    # The same with many files that are each small enough.
    assert (
        refused(written({f"{number}": b"0" * 300_000 for number in range(4)}), most=1_000_000)
        == "too much in it"
    )


def test_container_refuses_compressions_that_grow_without_limit() -> None:
    archive = packed({MANIFEST: bytes(5_000_000)}, zipfile.ZIP_BZIP2)
    assert refused(archive) == "a file in it is compressed or encrypted in a way that isn’t read"


def test_container_refuses_a_directory_of_many_files_before_reading_it() -> None:
    assert refused(packed((f"{number:0100}", b"") for number in range(600))) == "too many files in it"


def test_container_refuses_a_line_that_is_too_long() -> None:
    longest = {"facts.jsonl": b"0" * container.MOST_LINE}
    assert read(written(longest))[1] == lines(longest)
    assert (
        refused(written({"facts.jsonl": b"0" * (container.MOST_LINE + 70_000)})) == "a line in it is too long"
    )


def test_container_refuses_other_missing_and_duplicate_files() -> None:
    manifest = read_manifest(written())
    more = packed({MANIFEST: manifest, **FILES, "../../etc/passwd": b"x"})
    assert refused(more) == "it has other files than its manifest names"
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = packed([(MANIFEST, manifest), *FILES.items(), ("facts.jsonl", b"x")])
    assert refused(twice) == "two files in it have the same name"
    assert refused(packed({MANIFEST: manifest})) == "it has other files than its manifest names"
    assert refused(packed(FILES)) == "its manifest is missing"


def read_manifest(archive: bytes) -> bytes:
    """The manifest's text."""
    return unpacked(archive)[MANIFEST]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"format": "other"}, "its manifest names another format"),
        ({"version": 2}, "it has version 2, expected 1"),
        ({"version": True}, "it has version True, expected 1"),
        ({"files": []}, "it has other files than its manifest names"),
    ],
)
def test_container_refuses_the_manifest_of_something_else(changed: dict[str, object], why: str) -> None:
    manifest = {**json.loads(read_manifest(written())), **changed}
    assert refused(packed({MANIFEST: json.dumps(manifest).encode(), **FILES})) == why


@pytest.mark.parametrize("manifest", [b"{", b"[" * 100_000, b'{"version": "\xed\xa0\x80"}'])
def test_container_refuses_an_unreadable_manifest_without_words_of_the_code(manifest: bytes) -> None:
    assert refused(packed({MANIFEST: manifest})) == "its manifest can’t be read"


def test_container_refuses_a_file_that_differs_from_the_manifest() -> None:
    manifest = read_manifest(written())
    other = packed({MANIFEST: manifest, **FILES, "facts.jsonl": b"x"})
    assert refused(other) == "facts.jsonl isn’t as the manifest says"


@pytest.mark.parametrize("version", ["\\ud800", "\\u0000", "\\ud83d\\ude00", "è"])
def test_container_refuses_a_version_that_can_not_be_quoted_in_ascii_words(version: str) -> None:
    manifest = f'{{"format": "tendone.event", "version": "{version}"}}'.encode()

    why = refused(packed({MANIFEST: manifest}))

    assert why.isascii()
    assert why.startswith("it has version ")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"hello", "non è un file ZIP"),
        (packed({"facts.jsonl": b""}), "manca il manifesto"),
        (packed({MANIFEST: b"{"}), "il suo manifesto non si può leggere"),
        (packed({MANIFEST: b'{"format": "other"}'}), "il suo manifesto indica un altro formato"),
    ],
)
def test_container_tells_italian_readers_in_italian_why_it_refuses(content: bytes, why: str) -> None:
    with translation.override("it"), pytest.raises(BadArchiveError) as caught:
        read(content)

    assert str(caught.value) == why
