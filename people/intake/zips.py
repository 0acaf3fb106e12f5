"""ZIP archives from outside, opened and inflated within limits. Pure.

A ZIP file says of itself how much it holds, and may lie: 500 bytes can inflate to a gigabyte. Here the
directory is measured before it is read, and members are inflated block by block. Only the two compressions
whose output can be limited are read; spreadsheets and archives of events have no others.
"""

import struct
import zipfile
from collections.abc import Iterator
from typing import IO

from django.utils.translation import gettext as _

BLOCK = 64 * 1024
_END = b"PK\x05\x06"
_END_SIZE = 22
_LONGEST_COMMENT = 2**16 - 1
_ZIP64 = 2**32 - 1
_LOCATOR = b"PK\x06\x07"
_LOCATOR_SIZE = 20
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1


class ZipRefusedError(Exception):
    """The file isn't a ZIP archive that is read here; the text says why, in the reader's language.

    `is_size`: it holds too much.
    """

    def __init__(self, why: str, *, is_size: bool = False) -> None:
        super().__init__(why)
        self.is_size = is_size


def opened_zip(source: IO[bytes], most_directory: int) -> zipfile.ZipFile:
    """Open an archive whose directory has at most so many bytes, for reading members by `member_blocks`.

    Raises ZipRefusedError for anything else, whatever the bytes are.
    """
    if _directory_size(source) > most_directory:
        raise ZipRefusedError(_("too many files in it"), is_size=True)
    try:
        return zipfile.ZipFile(source)
    except Exception as error:
        # Bytes from outside can break the library in any of its ways.
        raise ZipRefusedError(_("it can’t be read as a ZIP file")) from error


def _directory_size(source: IO[bytes]) -> int:
    """The size of the directory in bytes, as the end of the archive names it."""
    size = source.seek(0, 2)
    source.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT))
    tail = source.read()
    at = tail.rfind(_END, 0, len(tail) - _END_SIZE + len(_END))
    if at < 0:
        raise ZipRefusedError(_("it isn’t a ZIP file"))
    (directory,) = struct.unpack_from("<L", tail, at + 12)
    # Beside that sentinel, the library believes a locator that stands just before the end.
    if directory == _ZIP64 or tail[max(0, at - _LOCATOR_SIZE) :].startswith(_LOCATOR):
        raise ZipRefusedError(_("it is a ZIP file of the 64-bit kind"))
    return int(directory)


def member_blocks(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    """The content of a member in blocks, at most `most` bytes whatever size the archive claims.

    Raises ZipRefusedError if there is more, if it is encrypted, compressed otherwise or damaged.
    """
    if member.compress_type not in _METHODS or member.flag_bits & _ENCRYPTED:
        raise ZipRefusedError(_("a file in it is compressed or encrypted in a way that isn’t read"))
    room = most
    try:
        with archive.open(member) as opened:
            while block := opened.read(BLOCK):
                room -= len(block)
                if room < 0:
                    raise ZipRefusedError(_("too much in it"), is_size=True)
                yield block
    except ZipRefusedError:
        raise
    except Exception as error:
        raise ZipRefusedError(_("it can’t be read as a ZIP file")) from error
