"""Slips for parents: team, number, private code and its QR code; eight to a sheet of A4, two to one of A6."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, A6
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from rendering.pdf.page_border import tent
from rendering.pdf.page_parts import (
    as_markup,
    cut_marks,
    line,
    new_canvas,
    print_side_by_side,
    qr,
    text_style,
)
from rendering.pdf.svg_drawing import draw_svg
from rendering.pdf.typeface import DISPLAY, TEXT
from rendering.svg.markup import INK, PAPER

SHEETS: Final = {"a4": (A4, 2, 4), "a6": (A6, 1, 2)}
"""By name: the size of a sheet, and how many slips stand beside and below each other on it."""


@dataclass(frozen=True, slots=True)
class PaperSlip:
    """One child's slip: the banner (of `rendering.svg`), team and number, the code, its QR code's squares."""

    banner: str
    team: str
    number: int
    code: str
    squares: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, slots=True)
class SlipWords:
    """What stands on every slip: the event, what the slip is good for, where the code is typed."""

    event: str
    what: str
    door: str


def print_slips(slips: Sequence[PaperSlip], words: SlipWords, language: str, sheet: str) -> bytes:
    """A PDF of the slips in their order, to be cut apart; the same input gives the same bytes.

    KeyError for a sheet that isn't in `SHEETS`.
    """
    size, across, down = SHEETS[sheet]

    def draw(canvas: Canvas, slip: PaperSlip, width: float, height: float) -> None:
        _slip(canvas, slip, words, width, height)

    def draw_marks(canvas: Canvas) -> None:
        cut_marks(canvas, size, across, down, long=4 * mm, wide=0.5)

    canvas = new_canvas(words.event, language, size)
    return print_side_by_side(canvas, slips, size, across, down, draw, draw_marks)


def _slip(canvas: Canvas, slip: PaperSlip, words: SlipWords, width: float, height: float) -> None:
    edge, band = 6 * mm, 9 * mm
    tent(canvas, 0.8 * mm, height - 0.8 * mm, width - 1.6 * mm, band)
    canvas.setFillColor(HexColor(PAPER))
    line(canvas, words.event, DISPLAY, 12, edge, height - 6.8 * mm, width - 2 * edge, "center")
    side = 37 * mm
    top = height - band - 6 * mm
    qr(canvas, slip.squares, edge, top - side, side)
    left = edge + side + 5 * mm
    inner = width - edge - left
    canvas.setFillColor(HexColor(INK))
    shield = 13 * mm
    draw_svg(canvas, slip.banner, left, top - shield, shield)
    beside = left + shield
    line(canvas, slip.team, DISPLAY, 15, beside, top - 5 * mm, width - edge - beside, "center")
    line(canvas, str(slip.number), DISPLAY, 26, beside, top - 13.5 * mm, width - edge - beside, "center")
    line(canvas, slip.code, DISPLAY, 17, left, top - 24 * mm, inner, "center")
    line(canvas, words.door, TEXT, 9, left, top - 29.5 * mm, inner, "center")
    paragraph = Paragraph(as_markup(words.what), text_style(8.5, 10.5, "center"))
    _used, tall = paragraph.wrap(width - 2 * edge, height)
    paragraph.drawOn(canvas, edge, max(3 * mm, top - side - 2 * mm - tall))
