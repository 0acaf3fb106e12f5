"""The file of an archive: a zip with a manifest that names every other file, with size and hash. Pure.

The same content gives the same bytes. Nothing that a reader is given is trusted: names, sizes and hashes are
compared before anybody looks at what the files say.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from django.utils.translation import gettext as _

from people.intake.zips import ZipRefusedError, member_blocks, opened_zip

FORMAT = "tendone.event"
VERSION = 1
MANIFEST = "manifest.json"
MOST_BYTES = 256 * 1024 * 1024
"""Bytes of an archive when it is unpacked, at most; a festival of a thousand games has a tenth of them."""
MOST_PACKED = 64 * 1024 * 1024
"""Bytes of a file that somebody sends over the network, at most."""
MOST_MANIFEST = 1024 * 1024
MOST_LINE = 2 * 1024 * 1024
"""Bytes of one line of a file, at most; the longest is a receipt's, with a hundred bytes for each game."""
_MOST_DIRECTORY = 64 * 1024
_NEVER = (1980, 1, 1, 0, 0, 0)


class BadArchiveError(Exception):
    """It isn't a whole archive, or can't be stored; the text says why, in the reader's language."""


@dataclass(frozen=True, slots=True)
class Container:
    """An opened archive: what its manifest says, and the size and hash of each of its files."""

    about: Mapping[str, Any]
    files: Mapping[str, Mapping[str, Any]]
    _packed: zipfile.ZipFile

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file, one after the other; none if there is no such file.

        Raises BadArchiveError for a line that is too long.
        """
        if name not in self.files:
            return
        rest = b""
        for block in member_blocks(self._packed, self._packed.getinfo(name), MOST_BYTES):
            # Not `splitlines`: text may hold other ends of lines.
            *whole, rest = (rest + block).split(b"\n")
            yield from whole
            if len(rest) > MOST_LINE:
                raise BadArchiveError(_("a line in it is too long"))
        if rest:
            yield rest


def write(target: IO[bytes], about: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write an archive. `about` is what the manifest says beside format, version and files."""
    listed = {name: described(content) for name, content in sorted(files.items())}
    manifest = {"format": FORMAT, "version": VERSION, **about, "files": listed}
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True).encode()
    with zipfile.ZipFile(target, "w") as packed:
        for name, content in ((MANIFEST, text), *sorted(files.items())):
            entry = zipfile.ZipInfo(name, _NEVER)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            packed.writestr(entry, content)


def described(content: bytes) -> dict[str, object]:
    """What the manifest says of a file: its size in bytes and its hash."""
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


@contextmanager
def opened(source: IO[bytes], most: int = MOST_BYTES) -> Iterator[Container]:
    """Open an archive; BadArchiveError for anything else, whatever the bytes are.

    An archive has exactly the files that its manifest names, each once, with the stated size and hash. All
    of them are read once to compare, and again by whoever reads their lines.
    """
    try:
        with opened_zip(source, _MOST_DIRECTORY) as packed:
            yield _checked(packed, most)
    except ZipRefusedError as error:
        raise BadArchiveError(str(error)) from error


def _checked(packed: zipfile.ZipFile, most: int) -> Container:
    entries = packed.infolist()
    by_name = {entry.filename: entry for entry in entries}
    if len(by_name) < len(entries):
        raise BadArchiveError(_("two files in it have the same name"))
    if MANIFEST not in by_name:
        raise BadArchiveError(_("its manifest is missing"))
    try:
        about = json.loads(b"".join(member_blocks(packed, by_name[MANIFEST], MOST_MANIFEST)).decode())
    except (ValueError, RecursionError) as error:
        raise BadArchiveError(_("its manifest can’t be read")) from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadArchiveError(_("its manifest names another format"))
    if type(about.get("version")) is not int or about["version"] != VERSION:
        raise BadArchiveError(
            _("it has version %(version)s, expected %(expected)d")
            % {"version": ascii(about.get("version"))[:20], "expected": VERSION}
        )
    listed = about.pop("files", None)
    if not isinstance(listed, dict) or set(listed) != set(by_name) - {MANIFEST}:
        raise BadArchiveError(_("it has other files than its manifest names"))
    room = most
    for name, described in sorted(listed.items()):
        size, digest = 0, hashlib.sha256()
        # Nothing is unpacked beyond what may be in all files together.
        for block in member_blocks(packed, by_name[name], room):
            size += len(block)
            digest.update(block)
        room -= size
        if described != {"size": size, "sha256": digest.hexdigest()}:
            raise BadArchiveError(_("%(file)s isn’t as the manifest says") % {"file": name[:60]})
    return Container(about, listed, packed)
