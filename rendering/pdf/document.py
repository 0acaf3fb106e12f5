"""Documents of several pages below the edge of a tent: a head, a foot, page numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

from rendering.pdf.page_border import tent
from rendering.pdf.page_parts import line
from rendering.pdf.typeface import DISPLAY, TEXT, writable
from rendering.svg.markup import INK, PAPER

MARGIN: Final = 14 * mm
FOOT: Final = 15 * mm
"""What the foot takes of a page's height."""
_BAND, _LATER_BAND, _SCALLOPS = 25 * mm, 6 * mm, 18


def frame(left: float, room: float, top: float) -> Frame:
    """A frame of this room from the foot of a page up to `top`, without padding."""
    return Frame(left, FOOT, room, top - FOOT, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What stands at the top of the first page, and at the foot of each."""

    title: str
    over: str = ""
    foot: str = ""


class Document(BaseDocTemplate):
    """A document of pages of this `size` in points; `pages` is their number where it is known already.

    `frames` gives the frames of a page from the height down to which its head comes. What is built lies in
    `buffer`; the same content gives the same bytes.
    """

    def __init__(
        self,
        head: DocumentHead,
        language: str,
        size: tuple[float, float],
        frames: Callable[[float], list[Frame]],
        pages: int = 0,
    ) -> None:
        self.buffer = BytesIO()
        super().__init__(
            self.buffer,
            pagesize=size,
            title=writable(f"{head.title} · {head.over}" if head.over else head.title),
            author="Tendone",
            creator="Tendone",
            producer="Tendone",
            lang=language,
            invariant=1,
            pageCompression=1,
            initialFontName=TEXT,
        )
        self._head, self._total = head, pages
        self._wide, self._high = size
        self._room = self._wide - 2 * MARGIN
        self.addPageTemplates(
            [
                PageTemplate(name, frames(self._high - band - _SCALLOPS), onPage=drawn)
                for name, band, drawn in (
                    ("first", _BAND, self._on_first),
                    ("later", _LATER_BAND, self._on_later),
                )
            ]
        )

    def _on_first(self, canvas: Canvas, _document: BaseDocTemplate) -> None:
        tent(canvas, 0, self._high, self._wide, _BAND)
        canvas.setFillColor(HexColor(PAPER))
        base = self._high - _BAND + 6 * mm
        if self._head.over:
            line(canvas, self._head.over, TEXT, 13, MARGIN, base + 10 * mm, self._room)
            line(canvas, self._head.title, DISPLAY, 27, MARGIN, base - 1 * mm, self._room)
        else:
            line(canvas, self._head.title, DISPLAY, 30, MARGIN, base + 2 * mm, self._room)
        self._foot(canvas)

    def _on_later(self, canvas: Canvas, _document: BaseDocTemplate) -> None:
        tent(canvas, 0, self._high, self._wide, _LATER_BAND)
        self._foot(canvas)

    def _foot(self, canvas: Canvas) -> None:
        canvas.setFillColor(HexColor(INK))
        line(canvas, self._head.foot, TEXT, 9, MARGIN, 8 * mm, self._room - 20 * mm)
        canvas.setFont(TEXT, 9)
        canvas.drawRightString(MARGIN + self._room, 8 * mm, f"{canvas.getPageNumber()} / {self._total}")
