"""Certificates to be proud of: the team's banner hanging at the left, the name in the middle, a wreath."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, A5, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from rendering.pdf.page_border import tent
from rendering.pdf.page_parts import line, lines, new_canvas, pdf_of
from rendering.pdf.svg_drawing import Drawn, draw_svg
from rendering.pdf.typeface import DISPLAY, TEXT
from rendering.svg.markup import INK, PAPER

SIZES: Final = {"a4": landscape(A4), "a5": landscape(A5)}
"""The sheets that there are, lying."""

_WIDE, _HIGH = SIZES["a4"]
_RULE: Final = HexColor("#8f1457")


@dataclass(frozen=True, slots=True)
class Certificate:
    """Whose it is, for what, and which place it was: `place` as a numeral (empty without one), `banner` as
    SVG of `rendering.svg`. `has_wreath`: one of the first three.
    """

    name: str
    said: str
    placed: str
    place: str
    banner: str
    team: str
    has_wreath: bool = False


@dataclass(frozen=True, slots=True)
class CertificateWords:
    """What stands on every certificate."""

    title: str
    event: str
    where: str
    signature: str


def print_certificates(
    certificates: Sequence[Certificate], words: CertificateWords, language: str, size: str = "a4"
) -> bytes:
    """A PDF with a page for each; the same input gives the same bytes.

    ValueError without a certificate, KeyError for a size that there isn't.
    """
    if not certificates:
        raise ValueError("no certificate")
    wide, high = SIZES[size]
    canvas = new_canvas(f"{words.title} · {words.event}", language, (wide, high))
    for certificate in certificates:
        canvas.saveState()
        canvas.scale(wide / _WIDE, high / _HIGH)
        _draw(canvas, certificate, words)
        canvas.restoreState()
        canvas.showPage()
    return pdf_of(canvas)


def _draw(canvas: Canvas, certificate: Certificate, words: CertificateWords) -> None:
    band = 24 * mm
    tent(canvas, 0, _HIGH, _WIDE, band)
    canvas.setFillColor(HexColor(PAPER))
    line(canvas, words.event, DISPLAY, 30, 20 * mm, _HIGH - 17 * mm, _WIDE - 40 * mm, "center")
    _frame(canvas, 9 * mm, 9 * mm, _WIDE - 18 * mm, _HIGH - band - 9 * mm - 11 * mm)
    # The banner, with its team below.
    high, hung = 98 * mm, _HIGH - band - 21 * mm
    drape = Drawn([certificate.banner], high)
    draw_svg(canvas, certificate.banner, 58 * mm - drape.width / 2, hung - high, high)
    canvas.setFillColor(HexColor(INK))
    line(canvas, certificate.team, DISPLAY, 20, 18 * mm, hung - high - 13 * mm, 80 * mm, "center")
    left, room = 108 * mm, _WIDE - 108 * mm - 20 * mm
    line(canvas, words.title, DISPLAY, 46, left, hung - 15 * mm, room, "center")
    _flourish(canvas, left + room / 2, hung - 23 * mm)
    canvas.setFillColor(HexColor(INK))
    line(canvas, certificate.name, DISPLAY, 38, left, hung - 45 * mm, room, "center")
    canvas.setStrokeColor(_RULE)
    canvas.setLineWidth(0.8)
    canvas.line(left + room * 0.12, hung - 50 * mm, left + room * 0.88, hung - 50 * mm)
    lines(canvas, certificate.said, TEXT, 17, left, hung - 55 * mm, room, 18 * mm, "center")
    if certificate.place:
        _place(canvas, certificate, left + room / 2, hung - 92 * mm, room)
    base = 22 * mm
    line(canvas, words.where, TEXT, 14, 24 * mm, base, 110 * mm)
    canvas.setStrokeColor(HexColor(INK))
    canvas.setLineWidth(0.6)
    canvas.line(_WIDE - 100 * mm, base + 3 * mm, _WIDE - 24 * mm, base + 3 * mm)
    line(canvas, words.signature, TEXT, 10, _WIDE - 100 * mm, base - 2 * mm, 76 * mm, "center")


def _frame(canvas: Canvas, x: float, y: float, wide: float, high: float) -> None:
    """A thin and a thick line, with a diamond in each corner."""
    canvas.setStrokeColor(HexColor(INK))
    canvas.setLineWidth(2.2)
    canvas.rect(x, y, wide, high)
    canvas.setLineWidth(0.6)
    canvas.rect(x + 4, y + 4, wide - 8, high - 8)
    canvas.setFillColor(_RULE)
    for corner_x in (x + 2, x + wide - 2):
        for corner_y in (y + 2, y + high - 2):
            _diamond(canvas, corner_x, corner_y, 7)


def _diamond(canvas: Canvas, x: float, y: float, reach: float) -> None:
    path = canvas.beginPath()
    path.moveTo(x, y + reach)
    for corner_x, corner_y in ((x + reach, y), (x, y - reach), (x - reach, y)):
        path.lineTo(corner_x, corner_y)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def _flourish(canvas: Canvas, x: float, y: float) -> None:
    """Circle, diamond, square: the signs of the cards, on a line."""
    canvas.setStrokeColor(_RULE)
    canvas.setFillColor(_RULE)
    canvas.setLineWidth(0.8)
    canvas.line(x - 34 * mm, y, x - 9 * mm, y)
    canvas.line(x + 9 * mm, y, x + 34 * mm, y)
    canvas.circle(x - 5 * mm, y, 3, stroke=0, fill=1)
    _diamond(canvas, x, y, 5)
    canvas.rect(x + 5 * mm - 3, y - 3, 6, 6, stroke=0, fill=1)


def _place(canvas: Canvas, certificate: Certificate, x: float, y: float, room: float) -> None:
    """The place as a numeral, in a wreath for the first three and in a ring for the others."""
    reach = 15 * mm
    if certificate.has_wreath:
        _wreath(canvas, x, y, reach)
    else:
        canvas.setStrokeColor(HexColor(INK))
        canvas.setLineWidth(1.2)
        canvas.circle(x, y, reach - 3 * mm)
    canvas.setFillColor(HexColor(INK))
    line(canvas, certificate.place, DISPLAY, 34, x - 8 * mm, y - 11, 16 * mm, "center")
    line(canvas, certificate.placed, TEXT, 14, x - room / 2, y - reach - 10 * mm, room, "center")


def _wreath(canvas: Canvas, x: float, y: float, reach: float) -> None:
    """Two branches of leaves, open at the top."""
    canvas.setFillColor(HexColor(INK))
    canvas.setStrokeColor(HexColor(INK))
    canvas.setLineWidth(1)
    for side in (-1, 1):
        path = canvas.beginPath()
        steps = [(sin(radians(angle)), cos(radians(angle))) for angle in range(180, 24, -6)]
        path.moveTo(x, y - reach)
        for across, up in steps:
            path.lineTo(x + side * across * reach, y + up * reach)
        canvas.drawPath(path, stroke=1, fill=0)
        for angle in range(166, 20, -18):
            for out in (-1, 1):
                canvas.saveState()
                turn = radians(angle)
                canvas.translate(x + side * sin(turn) * (reach + out * 5), y + cos(turn) * (reach + out * 5))
                # Along the branch towards its tip, and a little away from it.
                canvas.rotate(side * (90 - angle) + (90 if side > 0 else -90) + side * out * -38 + 90)
                _leaf(canvas)
                canvas.restoreState()


def _leaf(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.moveTo(-6, 0)
    path.curveTo(-2, 3.6, 3, 3.2, 7, 0)
    path.curveTo(3, -3.2, -2, -3.6, -6, 0)
    canvas.drawPath(path, stroke=0, fill=1)
