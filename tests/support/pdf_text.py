"""Reading the text of our own PDFs, page by page, by the tables of letters that they carry along."""

import base64
import re
import zlib

_OBJECT = re.compile(rb"(\d+) 0 obj\s*(.*?)endobj", re.S)
_SHOWN = re.compile(rb"/(F[\d+]+) [\d.]+ Tf|\((?:\\.|[^\\)])*\)\s*Tj|T\*|\bTd\b|\bTm\b", re.S)
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)", re.S)


def pages_of(made: bytes) -> list[str]:
    """What is written on each page, in the order in which it was written, with single spaces."""
    objects = {int(number): body for number, body in _OBJECT.findall(made)}
    fonts = _fonts(objects)
    pages = [body for body in objects.values() if b"/Type /Page\n" in body or b"/Type /Page " in body]
    return [_text(_stream(objects[_reference(page, b"Contents")]), fonts) for page in pages]


def text_of(made: bytes) -> str:
    """The text of all pages."""
    return " ".join(pages_of(made))


def sizes_of(made: bytes) -> list[float]:
    """The sizes of type on all pages, in points."""
    objects = {int(number): body for number, body in _OBJECT.findall(made)}
    pages = [body for body in objects.values() if b"/Type /Page\n" in body or b"/Type /Page " in body]
    contents = [_stream(objects[_reference(page, b"Contents")]) for page in pages]
    return [float(size) for content in contents for size in re.findall(rb"/F[\d+]+ ([\d.]+) Tf", content)]


def title_of(made: bytes) -> str:
    """The document's title."""
    found = re.search(rb"/Title \((.*?)\)\s", made, re.S)
    assert found is not None
    raw = _unescaped(found[1])
    return raw.decode("utf-16") if raw.startswith(b"\xfe\xff") else raw.decode("latin-1")


def language_of(made: bytes) -> str:
    """The document's language."""
    found = re.search(rb"/Lang \((.*?)\)", made)
    assert found is not None
    return found[1].decode()


def _fonts(objects: dict[int, bytes]) -> dict[bytes, dict[int, str]]:
    """From each font's name on the pages to its letters by code."""
    fonts = {}
    for body in objects.values():
        named = re.search(rb"/Name /(F[\d+]+)", body)
        if named and b"/ToUnicode" in body:
            fonts[named[1]] = _letters(_stream(objects[_reference(body, b"ToUnicode")]))
    return fonts


def _letters(table: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    for start, listed in re.findall(rb"<(\w+)> <\w+> \[(.*?)\]", table, re.S):
        for place, code in enumerate(re.findall(rb"<(\w+)>", listed)):
            found[int(start, 16) + place] = bytes.fromhex(code.decode()).decode("utf-16-be")
    for code, letter in re.findall(rb"^<(\w\w)> <(\w{4})>$", table, re.M):
        found[int(code, 16)] = chr(int(letter, 16))
    return found


def _stream(body: bytes) -> bytes:
    head, _, rest = body.partition(b"stream")
    length = re.search(rb"/Length (\d+)", head)
    assert length is not None
    # The bytes themselves may begin or end like an end of line.
    data = re.sub(rb"^\r?\n", b"", rest, count=1)[: int(length[1])]
    if b"ASCII85Decode" in head:
        data = base64.a85decode(data.strip().removesuffix(b"~>"))
    return zlib.decompress(data)


def _reference(body: bytes, name: bytes) -> int:
    found = re.search(rb"/%s (\d+) 0 R" % name, body)
    assert found is not None
    return int(found[1])


def _text(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    font: dict[int, str] = {}
    parts = []
    for found in _SHOWN.finditer(content):
        if found[1]:
            font = fonts.get(found[1], {})
        elif found[0].startswith(b"("):
            code = _unescaped(found[0].rpartition(b")")[0][1:])
            parts.append("".join(font.get(each, "?") for each in code))
        else:
            parts.append(" ")
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def _unescaped(text: bytes) -> bytes:
    names = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

    def plain(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8)]) if len(code) == 3 else names.get(code, code)

    return _ESCAPED.sub(plain, text)
