"""Parts that several papers share: the canvas, text, banners, QR codes."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeVar
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from rendering.pdf.typeface import TEXT, load_face, writable
from rendering.svg.markup import INK

Align = Literal["left", "center", "right"]
Squares = Sequence[Sequence[bool]]
"""A QR code row by row, True for a dark square."""

ALIGNED: Final[dict[Align, Literal[0, 1, 2]]] = {"left": 0, "center": 1, "right": 2}
"""As reportlab counts them."""
_BLACK: Final = HexColor("#000000")
_INK: Final = HexColor(INK)

Printed = TypeVar("Printed")


def new_canvas(title: str, language: str, size: tuple[float, float]) -> Canvas:
    """A canvas of this size in points, with title and language; the same drawing gives the same bytes."""
    load_face()
    canvas = Canvas("", pagesize=size, invariant=1, pageCompression=1, lang=language)
    canvas.setFont(TEXT, 12)
    canvas.setTitle(writable(title))
    canvas.setAuthor("Tendone")
    canvas.setCreator("Tendone")
    canvas.setProducer("Tendone")
    return canvas


def print_side_by_side(
    canvas: Canvas,
    items: Sequence[Printed],
    size: tuple[float, float],
    across: int,
    down: int,
    draw: Callable[[Canvas, Printed, float, float], None],
    draw_marks: Callable[[Canvas], None],
) -> bytes:
    """The PDF of items, so many beside and below each other on a page of this size, to be cut apart.

    `draw` gets each with its width and height, from its lower left corner; `draw_marks` shows where to cut.
    """
    width, height = size[0] / across, size[1] / down
    for place, item in enumerate(items):
        on_page = place % (across * down)
        if place and not on_page:
            canvas.showPage()
        if not on_page:
            draw_marks(canvas)
        canvas.saveState()
        canvas.translate(on_page % across * width, size[1] - (on_page // across + 1) * height)
        draw(canvas, item, width, height)
        canvas.restoreState()
    return pdf_of(canvas)


def pdf_of(canvas: Canvas) -> bytes:
    """What was drawn."""
    data: bytes = canvas.getpdfdata()  # type: ignore[no-untyped-call]  # reportlab gives no type
    return data


def cut_marks(
    canvas: Canvas,
    size: tuple[float, float],
    across: int,
    down: int,
    *,
    long: float,
    wide: float,
    color: Color = _INK,
) -> None:
    """Short lines at the edges of a page, where to cut."""
    canvas.setStrokeColor(color)
    canvas.setLineWidth(wide)
    for row in range(1, down):
        y = size[1] * row / down
        canvas.line(0, y, long, y)
        canvas.line(size[0] - long, y, size[0], y)
    for column in range(1, across):
        x = size[0] * column / across
        canvas.line(x, 0, x, long)
        canvas.line(x, size[1] - long, x, size[1])


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
        paragraph = Paragraph(as_markup(text), text_style(size, size * 1.2, align, face))
        _wide, tall = paragraph.wrap(room, deep)
        if tall <= deep or size < 5:
            paragraph.drawOn(canvas, left, top - tall)
            return tall
        size -= 0.5


def as_markup(text: str) -> str:
    """Text as a paragraph takes it, all of it writable."""
    return escape(writable(text))


def text_style(
    size: float, leading: float, align: Align = "left", face: str = TEXT, **more: Any
) -> ParagraphStyle:
    """The style of a paragraph in ink: size and distance of its lines in points."""
    return ParagraphStyle(
        "text",
        fontName=face,
        fontSize=size,
        leading=leading,
        textColor=_INK,
        alignment=ALIGNED[align],
        **more,
    )


def table_style(left: float, right: float, top: float, bottom: float) -> list[tuple[Any, ...]]:
    """The style of a table: cells in the middle, with these paddings."""
    whole = ((0, 0), (-1, -1))
    paddings = {"LEFT": left, "RIGHT": right, "TOP": top, "BOTTOM": bottom}
    return [
        ("VALIGN", *whole, "MIDDLE"),
        *((f"{side}PADDING", *whole, padding) for side, padding in paddings.items()),
    ]


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
