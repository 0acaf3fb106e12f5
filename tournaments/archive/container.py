"""The file itself: a zip with a manifest that names every other file with its size and hash. Pure.

The same content gives the same bytes. Nothing that a reader is given is trusted: names, sizes and hashes are
compared before anybody looks at what the files say.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

FORMAT = "tendone.event"
VERSION = 1
MANIFEST = "manifest.json"
MOST_BYTES = 256 * 1024 * 1024
"""What an archive may hold when it is unpacked; a festival of a thousand games has a tenth of it."""
MOST_PACKED = 64 * 1024 * 1024
"""What the file may have that somebody sends over the network."""
MOST_MANIFEST = 1024 * 1024
_NEVER = (1980, 1, 1, 0, 0, 0)


class UnreadableError(Exception):
    """It isn't an archive of ours, or not a whole one; the text says why, for who knows files."""


@dataclass(frozen=True, slots=True)
class Container:
    """What stands in the manifest beside the files, and the files by name."""

    about: Mapping[str, Any]
    files: Mapping[str, bytes]


def write(target: IO[bytes], about: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write an archive. `about` is what the manifest says beside format, version and files."""
    listed = {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in sorted(files.items())
    }
    manifest = {"format": FORMAT, "version": VERSION, **about, "files": listed}
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True).encode()
    with zipfile.ZipFile(target, "w") as packed:
        for name, content in ((MANIFEST, text), *sorted(files.items())):
            entry = zipfile.ZipInfo(name, _NEVER)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            packed.writestr(entry, content)


def read(source: IO[bytes], most: int = MOST_BYTES) -> Container:
    """Read an archive; UnreadableError for anything else, whatever the bytes are.

    It has exactly the files that its manifest names, each once, as long and with the hash that it says.
    """
    try:
        return _read(source, most)
    except UnreadableError:
        raise
    except Exception as error:
        # Bytes from outside can break a reader of zips in any of its ways.
        raise UnreadableError(f"not a zip that can be read: {type(error).__name__}") from error


def _read(source: IO[bytes], most: int) -> Container:
    with zipfile.ZipFile(source) as packed:
        entries = packed.infolist()
        names = [entry.filename for entry in entries]
        if len(set(names)) < len(names):
            raise UnreadableError("a name twice")
        by_name = dict(zip(names, entries, strict=True))
        if MANIFEST not in by_name:
            raise UnreadableError("no manifest")
        about = json.loads(_content(packed, by_name[MANIFEST], MOST_MANIFEST))
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise UnreadableError("not an event's archive")
        if about.get("version") != VERSION:
            raise UnreadableError(f"version {str(about.get('version'))[:20]}, expected {VERSION}")
        listed = about.get("files")
        if not isinstance(listed, dict) or set(listed) != set(names) - {MANIFEST}:
            raise UnreadableError("other files than the manifest names")
        files = {}
        room = most
        for name, said in sorted(listed.items()):
            # Nothing is unpacked beyond what the manifest says.
            size = said.get("size") if isinstance(said, dict) else None
            if not isinstance(size, int):
                raise UnreadableError(f"{name[:60]} isn't as the manifest says")
            content = _content(packed, by_name[name], min(room, size))
            room -= len(content)
            if said != {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}:
                raise UnreadableError(f"{name[:60]} isn't as the manifest says")
            files[name] = content
    return Container({key: value for key, value in about.items() if key != "files"}, files)


def _content(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    """A file, unpacked no further than it may be, whatever size it claims."""
    with packed.open(entry) as opened:
        content = opened.read(max(most, 0) + 1)
    if len(content) > most:
        raise UnreadableError("too much in it")
    return content
