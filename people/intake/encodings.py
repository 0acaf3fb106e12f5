"""Encodings of text files, recognized from their bytes; and kinds of files that are no lists."""

import codecs
import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from operator import itemgetter
from typing import Final

from people.input_problems import BadInputError, Code, InputProblem

COMMON: Final = frozenset("àèéìòùÀÈÉÌÒÙ")
"""The accented letters of Italian, which are the most frequent ones in the lists that come here."""
_APOSTROPHES: Final = frozenset("’‘ʼ´`")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_EIGHT_BIT: Final = (("cp1252", "Windows-1252"), ("mac_roman", "MacRoman"), ("cp850", "DOS (850)"))
"""The encodings of a byte a letter, the most frequent first: of equals it is taken."""
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_ENOUGH: Final = 5_000
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1a")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class FileKind(StrEnum):
    """Kinds of files that people send in the place of a list."""

    PDF = "pdf"
    IMAGE = "image"
    DOCUMENT = "document"
    SLIDES = "slides"
    WEB_PAGE = "web_page"
    ARCHIVE = "archive"
    # Spreadsheets that aren't read here.
    OLD_EXCEL = "old_excel"
    OPEN_DOCUMENT = "open_document"
    NUMBERS = "numbers"
    LOCKED = "locked"
    SPREADSHEET = "spreadsheet"


_SPREADSHEETS: Final = frozenset(
    {FileKind.OLD_EXCEL, FileKind.OPEN_DOCUMENT, FileKind.NUMBERS, FileKind.LOCKED, FileKind.SPREADSHEET}
)
_STARTS: Final = (
    (b"%PDF-", FileKind.PDF),
    (b"\x89PNG\r\n", FileKind.IMAGE),
    (b"\xff\xd8\xff", FileKind.IMAGE),
    (b"GIF87a", FileKind.IMAGE),
    (b"GIF89a", FileKind.IMAGE),
    (b"II*\x00", FileKind.IMAGE),
    (b"MM\x00*", FileKind.IMAGE),
    (b"{\\rtf", FileKind.DOCUMENT),
    (b"Rar!\x1a\x07", FileKind.ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", FileKind.ARCHIVE),
    (b"\x1f\x8b\x08", FileKind.ARCHIVE),
    # Excel before 1997, without the container of later years.
    (b"\x09\x08\x10\x00\x00\x06", FileKind.OLD_EXCEL),
)
_PICTURES_OF_PHONES: Final = frozenset({b"heic", b"heix", b"mif1", b"msf1", b"avif"})
_PAGES: Final = (b"<!doctype html", b"<html", b"<table", b"<?xml")
# Names of streams in Microsoft's container of older years, as it writes them.
_OLE_STREAMS: Final = (
    ("EncryptedPackage", FileKind.LOCKED),
    ("WordDocument", FileKind.DOCUMENT),
    ("PowerPoint Document", FileKind.SLIDES),
    ("Workbook", FileKind.OLD_EXCEL),
    ("Book", FileKind.OLD_EXCEL),
)
_ZIP_MEMBERS: Final = (
    ("word/", FileKind.DOCUMENT),
    ("ppt/", FileKind.SLIDES),
    ("Index/Document.iwa", FileKind.NUMBERS),
    ("Index.zip", FileKind.NUMBERS),
)
_OPEN_DOCUMENT_TYPES: Final = (
    (b"opendocument.spreadsheet", FileKind.OPEN_DOCUMENT),
    (b"opendocument.text", FileKind.DOCUMENT),
    (b"opendocument.presentation", FileKind.SLIDES),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, and the usual name of the encoding that it was in."""

    text: str
    encoding: str


def other_kind(data: bytes) -> FileKind | None:
    """The kind of a file that is no list, by how it begins and not by its name; None for a text or a ZIP."""
    beginning = data[:200].removeprefix(codecs.BOM_UTF8)
    for start, kind in _STARTS:
        if beginning.startswith(start):
            return kind
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return FileKind.IMAGE
    if data[4:8] == b"ftyp" and data[8:12] in _PICTURES_OF_PHONES:
        return FileKind.IMAGE
    if data.startswith(_OLE):
        streams = (kind for name, kind in _OLE_STREAMS if name.encode("utf-16-le") in data)
        return next(streams, FileKind.SPREADSHEET)
    return FileKind.WEB_PAGE if beginning.lstrip().lower().startswith(_PAGES) else None


def kind_of_zip(names: Iterable[str], mimetype: bytes) -> FileKind:
    """The kind of a ZIP archive that is no workbook, by its members' names and an OpenDocument's type."""
    for ending, kind in _OPEN_DOCUMENT_TYPES:
        if ending in mimetype:
            return kind
    for name in names:
        for start, kind in _ZIP_MEMBERS:
            if name.startswith(start):
                return kind
    return FileKind.ARCHIVE


def refusal_of(kind: FileKind) -> BadInputError:
    """Why a file of this kind isn't read."""
    code = Code.FILE_SPREADSHEET if kind in _SPREADSHEETS else Code.FILE_OTHER_KIND
    return BadInputError(InputProblem(code, params={"kind": kind.value}))


def decode(data: bytes) -> Decoded:
    """The text of a file.

    Its encoding is UTF-8, UTF-16 or UTF-32, with or without a mark. Else it is Windows-1252, MacRoman or DOS
    (code page 850), whichever makes the best names of its letters.

    Raises `BadInputError` for what is no text, and for UTF-16 that is damaged.
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _strictly(data, codec, name)
    if codec := _unmarked_utf16(data):
        return _strictly(data, codec, "UTF-16")
    if b"\x00" in data:
        raise BadInputError.of(Code.FILE_BINARY)
    try:
        return Decoded(data.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError:
        pass
    found = []
    for codec, name in _EIGHT_BIT:
        with suppress(UnicodeDecodeError):
            text = data.decode(codec)
            found.append((likeness(text, is_rare=codec == "cp850"), Decoded(text, name)))
    points, best = max(found, key=itemgetter(0))
    # Some bytes are nothing in Windows-1252, and all are something in the others: it may be no text at all.
    is_windows = found[0][1].encoding == _EIGHT_BIT[0][1]
    if not is_windows and (points <= 0 or _CONTROLS.intersection(data)):
        raise BadInputError.of(Code.FILE_BINARY)
    return best


def _strictly(data: bytes, codec: str, name: str) -> Decoded:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        raise BadInputError(InputProblem(Code.FILE_UTF16 if name == "UTF-16" else Code.FILE_BINARY)) from None
    if "\x00" in text:
        raise BadInputError.of(Code.FILE_BINARY)
    return Decoded(text, name)


def _unmarked_utf16(data: bytes) -> str:
    """The codec of UTF-16 without a mark, in which every other byte of plain letters is null; else empty."""
    start = data[:2000]
    halves = {"utf-16-be": start[::2], "utf-16-le": start[1::2]}
    return next((codec for codec, half in halves.items() if half and half.count(0) > len(half) * 0.8), "")


def likeness(text: str, *, is_rare: bool = False) -> int:
    """How much the first `_ENOUGH` letters beyond ASCII are like those of names: the higher, the better.

    An Italian letter counts 3, another letter 1, an apostrophe between letters 2, a sign within a word -3. A
    capital within a word that has small letters (`NicolÒ`) costs 4. A small one costs 2 at the beginning of a
    word, and 1 within capitals (`NICOLò`).

    `is_rare` is for an encoding that few files have. There an Italian letter counts 3 only at the end of a
    word, where most stand, and an apostrophe counts nothing.
    """
    points = 0
    for found in islice(_BEYOND_ASCII.finditer(text), _ENOUGH):
        letter, place = found[0], found.start()
        before = text[place - 1] if place else " "
        after = text[place + 1] if place + 1 < len(text) else " "
        if letter in _APOSTROPHES:
            points += 2 if before.isalpha() and after.isalpha() and not is_rare else 0
        elif not letter.isalpha() or letter == "ƒ":
            points -= 3 if before.isalpha() or after.isalpha() else 0
        else:
            points += 3 if letter in COMMON and not (is_rare and after.isalpha()) else 1
            if letter.isupper():
                points -= 4 if before.islower() or (before.isupper() and after.islower()) else 0
            elif not before.isalpha():
                points -= 2 if after.isalpha() else 0
            else:
                points -= 1 if before.isupper() and (after.isupper() or not after.isalpha()) else 0
    return points


def strange_letters(name: str) -> str:
    """What in a name no name has: signs within a word, capitals after small letters (beyond ASCII only).

    Such letters come from a list that was read in another encoding than it was written in.
    """
    found = []
    for place, letter in enumerate(name):
        if letter.isascii() or unicodedata.category(letter).startswith("M"):
            continue
        before = name[place - 1] if place else " "
        after = name[place + 1] if place + 1 < len(name) else " "
        if letter.isalpha():
            is_strange = letter == "ƒ" or (letter.isupper() and before.islower())
        elif letter in _APOSTROPHES or letter in "‐‑‒–—":
            is_strange = letter in "‒–—" and before.isalpha() and after.islower()
        elif letter == "·":
            is_strange = not (before.lower() == after.lower() == "l")
        elif letter in "“”„«»":
            is_strange = before.isalpha() and after.isalpha()
        else:
            is_strange = letter not in "・ـ" and unicodedata.category(letter) != "Zs"
        if is_strange and letter not in found:
            found.append(letter)
    return "".join(found)
