"""The face of everything printed: Piazzolla, in the weights `TEXT` and `DISPLAY`."""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

TEXT: Final = "Piazzolla"
DISPLAY: Final = "Piazzolla-ExtraBold"
_FILES: Final = {TEXT: "piazzolla-500.ttf", DISPLAY: "piazzolla-800.ttf"}


@cache
def load_face() -> frozenset[int]:
    """Make both weights known to reportlab; gives the code points that can be written."""
    fonts = [TTFont(name, Path(__file__).parent / "fonts" / file) for name, file in _FILES.items()]
    for font in fonts:
        pdfmetrics.registerFont(font)
    # `<b>` in a paragraph is the display weight; there is no slanted one.
    pdfmetrics.registerFontFamily(TEXT, normal=TEXT, bold=DISPLAY, italic=TEXT, boldItalic=DISPLAY)
    known = [frozenset(font.face.charToGlyph) for font in fonts]
    return known[0] & known[1]


def writable(text: str) -> str:
    """`text` with what the face has no glyph for taken down to its base letter, or a question mark.

    A fraction is written with a stroke, apart from a whole number before it: "4⅓" is "4 1/3".
    """
    known = load_face()
    written = ""
    for letter in unicodedata.normalize("NFC", text):
        if ord(letter) in known:
            written += letter
            continue
        if unicodedata.decomposition(letter).startswith("<fraction>") and written[-1:].isdigit():
            written += "\N{NO-BREAK SPACE}"
        written += _nearest(letter, known)
    return written


def _nearest(letter: str, known: frozenset[int]) -> str:
    letter = unicodedata.normalize("NFKD", letter).replace("\N{FRACTION SLASH}", "/")
    plain = [part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part)]
    return "".join(part if ord(part) in known else "?" for part in plain)
