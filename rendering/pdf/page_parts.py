"""Parts that several papers share: the canvas, text, banners, QR codes."""

from collections.abc import Sequence
from io import BytesIO
from typing import Final, Literal
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from rendering.pdf.typeface import TEXT, load_face, writable
from rendering.svg.colors import INK

Align = Literal["left", "center", "right"]
Squares = Sequence[Sequence[bool]]
"""A QR code row by row, True for a dark square."""

ALIGNED: Final[dict[Align, Literal[0, 1, 2]]] = {"left": 0, "center": 1, "right": 2}
"""As reportlab counts them."""
_BLACK: Final = HexColor("#000000")


def new_canvas(buffer: BytesIO, title: str, language: str, size: tuple[float, float]) -> Canvas:
    """A canvas of this size in points, with title and language; the same drawing gives the same bytes."""
    load_face()
    canvas = Canvas(buffer, pagesize=size, invariant=1, pageCompression=1, lang=language)
    canvas.setFont(TEXT, 12)
    canvas.setTitle(writable(title))
    canvas.setAuthor("Tendone")
    canvas.setCreator("Tendone")
    canvas.setProducer("Tendone")
    return canvas


def line(
    canvas: Canvas,
    text: str,
    face: str,
    size: float,
    left: float,
    base: float,
    room: float,
    align: Align = "left",
) -> None:
    """One line from `left` on, smaller where it is longer than the room."""
    words = writable(text)
    wide = canvas.stringWidth(words, face, size)
    canvas.setFont(face, size * min(1, room / wide) if wide else size)
    match align:
        case "left":
            canvas.drawString(left, base, words)
        case "center":
            canvas.drawCentredString(left + room / 2, base, words)
        case "right":
            canvas.drawRightString(left + room, base, words)


def lines(
    canvas: Canvas,
    text: str,
    face: str,
    size: float,
    left: float,
    top: float,
    room: float,
    deep: float,
    align: Align = "left",
) -> float:
    """Text in lines down from `top`, smaller until it isn't deeper than `deep`; gives how deep it is."""
    while True:
        style = ParagraphStyle(
            "lines",
            fontName=face,
            fontSize=size,
            leading=size * 1.2,
            textColor=HexColor(INK),
            alignment=ALIGNED[align],
        )
        paragraph = Paragraph(escape(writable(text)), style)
        _wide, tall = paragraph.wrap(room, deep)
        if tall <= deep or size < 5:
            paragraph.drawOn(canvas, left, top - tall)
            return tall
        size -= 0.5


def qr(canvas: Canvas, squares: Squares, x: float, y: float, side: float) -> None:
    """A QR code, black on white; runs of dark squares in one piece, with no hair of light between."""
    module = side / len(squares)
    canvas.setFillColor(_BLACK)
    for row, dark in enumerate(squares):
        start = 0
        while start < len(dark):
            end = start
            while end < len(dark) and dark[end]:
                end += 1
            if end > start:
                canvas.rect(
                    x + start * module,
                    y + side - (row + 1) * module,
                    (end - start) * module,
                    module * 1.01,
                    stroke=0,
                    fill=1,
                )
            start = end + 1
    canvas.setFillColor(HexColor(INK))
