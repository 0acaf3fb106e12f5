"""Zip archives, packed and unpacked."""

import io
import struct
import zipfile
from collections.abc import Iterable, Mapping

Content = bytes | str


def packed(
    files: Mapping[str, Content] | Iterable[tuple[str, Content]],
    method: int = zipfile.ZIP_DEFLATED,
    mode: int = 0,
) -> bytes:
    """A zip of these files, whatever they are called, all with this mode of Unix."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items() if isinstance(files, Mapping) else files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.external_attr = method, mode << 16
            archive.writestr(entry, content)
    return made.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The files of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def claiming(data: bytes, name: str, size: int) -> bytes:
    """The same zip, which says that one of its files has another size."""
    changed = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        local = archive.getinfo(name).header_offset
    struct.pack_into("<L", changed, local + 22, size)
    directory = data.index(b"PK\x01\x02")
    struct.pack_into("<L", changed, data.index(name.encode(), directory) - 46 + 24, size)
    return bytes(changed)
