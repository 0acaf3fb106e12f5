"""The cards that lie on the tables: number, QR code and short code, two or four to a sheet of A4."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
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
from rendering.pdf.typeface import DISPLAY, writable
from rendering.svg.markup import INK, PAPER

PER_SHEET: Final = (2, 4)
"""How many cards a sheet may have."""

_MARK: Final = 5 * mm


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table: its number, its code as it is typed, and where that is done.

    `squares` are those of its QR code, row by row, True for a dark one.
    """

    number: int
    code: str
    door: str
    squares: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, slots=True)
class TableCardWords:
    """What stands on every card: the word for a table, the event, what referees do and what others may."""

    table: str
    event: str
    referees: str
    others: str


def print_cards(cards: Sequence[TableCard], words: TableCardWords, language: str, per_sheet: int) -> bytes:
    """A PDF of the cards in their order, so many to a sheet; the same input gives the same bytes.

    Marks at the edges and in the middle show where to cut. ValueError for a sheet of neither 2 nor 4.
    """
    if per_sheet not in PER_SHEET:
        raise ValueError(f"2 or 4 cards to a sheet, not {per_sheet}")
    across = per_sheet // 2

    def draw(canvas: Canvas, card: TableCard, width: float, height: float) -> None:
        (_tall if across > 1 else _wide)(canvas, card, words, width, height)

    def draw_marks(canvas: Canvas) -> None:
        cut_marks(canvas, A4, across, 2, long=_MARK, wide=0.6)
        if across > 1:
            half, middle = A4[0] / 2, A4[1] / 2
            canvas.line(half - _MARK / 2, middle, half + _MARK / 2, middle)
            canvas.line(half, middle - _MARK / 2, half, middle + _MARK / 2)

    canvas = new_canvas(words.event, language, A4)
    return print_side_by_side(canvas, cards, A4, across, 2, draw, draw_marks)


def _tall(canvas: Canvas, card: TableCard, words: TableCardWords, width: float, height: float) -> None:
    """A quarter of a sheet, upright: number, square, code below each other."""
    edge = 9 * mm
    inner = width - 2 * edge
    _head(canvas, words, edge, inner, height)
    canvas.setFillColor(HexColor(INK))
    _number(canvas, card, words, edge, height - 38 * mm, inner, 56)
    # Around the square stays free what a camera needs: four of its modules.
    side = 56 * mm
    qr(canvas, card.squares, (width - side) / 2, height - 47 * mm - side, side)
    line(canvas, card.code, DISPLAY, 36, edge, 27 * mm, inner, "center")
    _said(canvas, card, words, edge, 24 * mm, inner, 9.5)


def _wide(canvas: Canvas, card: TableCard, words: TableCardWords, width: float, height: float) -> None:
    """Half a sheet, lying: the square at the left, number and code at the right."""
    edge = 12 * mm
    _head(canvas, words, edge, width - 2 * edge, height)
    side = 92 * mm
    qr(canvas, card.squares, edge, height - 34 * mm - side, side)
    left = edge + side + 10 * mm
    inner = width - edge - left
    canvas.setFillColor(HexColor(INK))
    _number(canvas, card, words, left, height - 58 * mm, inner, 96)
    line(canvas, card.code, DISPLAY, 46, left, height - 84 * mm, inner, "center")
    _said(canvas, card, words, left, height - 90 * mm, inner, 12)


def _head(canvas: Canvas, words: TableCardWords, left: float, inner: float, height: float) -> None:
    """The edge of the tent along the top, with the event."""
    band = 13 * mm
    width = inner + 2 * left
    # A little inside, so that a cut that isn't straight leaves no sliver of the neighbour's.
    tent(canvas, 0.8 * mm, height - 0.8 * mm, width - 1.6 * mm, band)
    canvas.setFillColor(HexColor(PAPER))
    line(canvas, words.event, DISPLAY, 15, left, height - 8.8 * mm, inner, "center")


def _number(
    canvas: Canvas,
    card: TableCard,
    words: TableCardWords,
    left: float,
    base: float,
    inner: float,
    size: float,
) -> None:
    """“Table 3”, the number as large as it can be read from the desk."""
    small, number = writable(words.table), str(card.number)
    word_wide = canvas.stringWidth(small, DISPLAY, size / 2)
    number_wide = canvas.stringWidth(number, DISPLAY, size)
    gap = size / 5
    scale = min(1.0, inner / (word_wide + gap + number_wide))
    start = left + (inner - scale * (word_wide + gap + number_wide)) / 2
    canvas.setFont(DISPLAY, scale * size / 2)
    canvas.drawString(start, base, small)
    canvas.setFont(DISPLAY, scale * size)
    canvas.drawString(start + scale * (word_wide + gap), base, number)


def _said(
    canvas: Canvas, card: TableCard, words: TableCardWords, left: float, top: float, inner: float, size: float
) -> None:
    """Where the code is typed, and who does what with the card."""
    text = f"<b>{as_markup(card.door)}</b><br/>{as_markup(words.referees)} {as_markup(words.others)}"
    paragraph = Paragraph(text, text_style(size, size * 1.25, "center"))
    _wide_used, tall = paragraph.wrap(inner, top)
    paragraph.drawOn(canvas, left, top - tall)
