"""Lists on A4: a table below each title, as a timetable or the standings are, and a seal at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepTogether,
    NextPageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from rendering.pdf.document import MARGIN, Document, DocumentHead, frame
from rendering.pdf.page_parts import Align, Squares, as_markup, qr, table_style, text_style
from rendering.pdf.svg_drawing import Drawn
from rendering.pdf.typeface import DISPLAY, TEXT, load_face, writable
from rendering.svg.markup import INK

_RULE: Final = HexColor("#999999")
_FACE: Final = ("FONTNAME", (0, 0), (-1, -1), TEXT)
_LEADING: Final = 1.22
_SMALL: Final = 0.82
_SIDES: Final = (2, 4)
"""The room left and right of what stands in a cell."""
_TOGETHER: Final = 14
"""A section of so many rows at most isn't torn apart."""
_TITLE_WITH_ROWS: Final = 40 * mm
"""The room for a title, the names of columns and the first rows: with less a section begins on a new page."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its part of the width, how it is aligned."""

    name: str
    share: float
    align: Align = "left"


@dataclass(frozen=True, slots=True)
class ListCell:
    """What stands in a row and column; drawings (of `rendering.svg`) before the words, `under` below them."""

    text: str
    drawings: tuple[str, ...] = ()
    under: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class ListSection:
    """A title with a table below it, and a sentence between."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[ListCell, ...], ...]
    sentence: str = ""
    drawings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seal:
    """A root hash in groups, what it is good for, and a QR code that leads to the page that checks it."""

    title: str
    sentence: str
    root: str
    address: str
    squares: Squares


def print_lists(
    head: DocumentHead,
    sections: Sequence[ListSection],
    language: str,
    *,
    seal: Seal | None = None,
    lying: bool = False,
    size: float = 11,
) -> bytes:
    """A PDF of the sections one below the other, on as many pages as they need; `lying` on landscape.

    The same input gives the same bytes.
    """
    load_face()
    paper = landscape(A4) if lying else A4
    room = paper[0] - 2 * MARGIN

    pages = 0
    for _again in range(2):
        document = Document(head, language, paper, lambda top: [frame(MARGIN, room, top)], pages)
        story: list[Flowable] = [NextPageTemplate("later")]
        for section in sections:
            story += _section(section, size, room)
        if seal is not None:
            story.append(KeepTogether([Spacer(1, 8 * mm), _sealed(seal, size, room)]))
        document.build(story)
        pages = document.page
    return document.buffer.getvalue()


def _title(text: str, size: float) -> Paragraph:
    return Paragraph(as_markup(text), text_style(size * 1.45, size * 1.7, face=DISPLAY))


def _text(text: str, size: float) -> Paragraph:
    return Paragraph(as_markup(text), text_style(size, size * _LEADING))


def _small(text: str, size: float, align: Align = "left") -> Paragraph:
    return Paragraph(as_markup(text), text_style(size * _SMALL, size * _SMALL * 1.2, align))


def _section(section: ListSection, size: float, room: float) -> list[Flowable]:
    top: list[Flowable] = [Spacer(1, 4 * mm)]
    if section.title:
        title = _title(section.title, size)
        if section.drawings:
            banner = Drawn(section.drawings, size * 2)
            top.append(_beside(banner, title, room))
        else:
            top.append(title)
    if section.sentence:
        top.append(_text(section.sentence, size))
    top.append(Spacer(1, 1.5 * mm))
    if not section.rows:
        return [KeepTogether(top)]
    whole = sum(column.share for column in section.columns)
    widths = [room * column.share / whole for column in section.columns]
    named = any(column.name for column in section.columns)
    body: list[list[Flowable]] = []
    if named:
        body.append(
            [_heading(column, size, width) for column, width in zip(section.columns, widths, strict=True)]
        )
    for row in section.rows:
        body.append(
            [
                _cell(cell, column, size, width)
                for cell, column, width in zip(row, section.columns, widths, strict=True)
            ]
        )
    table = Table(
        body,
        colWidths=widths,
        repeatRows=1 if named else 0,
        style=[
            _FACE,
            *table_style(*_SIDES, 2.5, 3.5),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, _RULE),
            *([("LINEBELOW", (0, 0), (-1, 0), 1, HexColor(INK))] if named else []),
        ],
    )
    if len(section.rows) <= _TOGETHER:
        return [KeepTogether([*top, table])]
    return [CondPageBreak(_TITLE_WITH_ROWS), *(KeepTogether([each]) for each in top), table]


def _heading(column: Column, size: float, width: float) -> Paragraph:
    """The name of a column, smaller where its longest word is wider than the column: no word is broken."""
    words = writable(column.name).split()
    widest = max((stringWidth(word, TEXT, size * _SMALL) for word in words), default=0)
    room = width - sum(_SIDES)
    if widest > room:
        # Rounding may not make it wider than its column.
        size *= 0.999 * room / widest
    return _small(column.name, size, column.align)


def _cell(cell: ListCell, column: Column, size: float, width: float) -> Flowable:
    style = text_style(size, size * _LEADING, column.align, DISPLAY if cell.strong else TEXT)
    words = as_markup(cell.text)
    if cell.under:
        words += f'<br/><font name="{TEXT}" size="{size * _SMALL:.1f}">{as_markup(cell.under)}</font>'
    paragraph = Paragraph(words, style)
    if not cell.drawings:
        return paragraph
    return _beside(Drawn(cell.drawings, size * 1.6), paragraph, width - 6)


def _beside(drawn: Drawn, paragraph: Paragraph, room: float) -> Table:
    return Table(
        [[drawn, paragraph]],
        colWidths=[drawn.width + 6, max(20, room - drawn.width - 6)],
        style=[_FACE, *table_style(0, 0, 0, 0)],
    )


def _sealed(seal: Seal, size: float, room: float) -> Table:
    side = 30 * mm
    groups = " ".join(seal.root[start : start + 8] for start in range(0, len(seal.root), 8))
    said = [
        _title(seal.title, size),
        _text(seal.sentence, size),
        Spacer(1, 2 * mm),
        Paragraph(as_markup(groups), text_style(size, size * _LEADING, face=DISPLAY)),
        Spacer(1, 1 * mm),
        _small(seal.address, size),
    ]
    return Table(
        [[_Qr(seal.squares, side), said]],
        colWidths=[side + 8 * mm, room - side - 8 * mm],
        style=[_FACE, *table_style(8, 6, 8, 8), ("BOX", (0, 0), (-1, -1), 0.8, HexColor(INK))],
    )


class _Qr(Flowable):
    def __init__(self, squares: Squares, side: float) -> None:
        super().__init__()
        self._squares = squares
        self.width = self.height = side

    def draw(self) -> None:
        qr(self.canv, self._squares, 0, 0, self.width)
