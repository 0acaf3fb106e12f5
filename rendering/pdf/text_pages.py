"""A4 sheets of text and drawings in columns, with a head, a foot and page numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Frame, KeepTogether, NextPageTemplate, Paragraph, Spacer, Table

from rendering.pdf.document import MARGIN, Document, DocumentHead, frame
from rendering.pdf.page_parts import as_markup, table_style, text_style
from rendering.pdf.svg_drawing import Drawn
from rendering.pdf.typeface import DISPLAY, load_face

SIZES: Final = (14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5)
"""The sizes of text that are tried, in points: the largest that fits is taken."""

MOST_PAGES: Final = 2
_GUTTER: Final = 9 * mm
_COLUMN: Final = (A4[0] - 2 * MARGIN - _GUTTER) / 2
_LINE: Final = HexColor("#999999")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a list: drawings (SVG of `rendering.svg`, or none), what it is called, what is said of it."""

    name: str
    text: str
    drawings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A title, with sentences, lines and values below it: lines of which the text stands at the end.

    It isn't torn apart where it fits into a column.
    """

    title: str
    sentences: tuple[str, ...] = ()
    lines: tuple[TextLine, ...] = ()
    values: tuple[TextLine, ...] = ()


def print_blocks(head: DocumentHead, blocks: Sequence[Block], language: str) -> bytes:
    """A PDF in two columns, as large as goes on two pages; the same input gives the same bytes.

    More than fits on them even in the smallest size takes as many pages as it needs.
    """
    load_face()
    for size in SIZES:
        pages = _pages(Document(head, language, A4, _columns), blocks, size)
        if pages <= MOST_PAGES:
            break
    document = Document(head, language, A4, _columns, pages)
    _pages(document, blocks, size)
    return document.buffer.getvalue()


def _pages(document: Document, blocks: Sequence[Block], size: float) -> int:
    """Write it; gives how many pages it takes."""
    styles = _Styles(size)
    story: list[Flowable] = [NextPageTemplate("later")]
    for block in blocks:
        story.append(KeepTogether(_block(block, styles)))
    document.build(story)
    return document.page


def _columns(top: float) -> list[Frame]:
    return [frame(MARGIN + place * (_COLUMN + _GUTTER), _COLUMN, top) for place in (0, 1)]


class _Styles:
    """Everything that depends on the size of the text."""

    def __init__(self, size: float) -> None:
        self.size = size
        leading = round(size * 1.22, 2)
        self.text = text_style(size, leading, spaceAfter=size * 0.3)
        self.last = text_style(size, leading)
        self.end = text_style(size, leading, "right", DISPLAY)
        self.title = text_style(size * 1.35, size * 1.5, face=DISPLAY, spaceAfter=size * 0.25)


def _block(block: Block, styles: _Styles) -> list[Flowable]:
    parts: list[Flowable] = [_words(block.title, styles.title)]
    parts += [_words(sentence, styles.text) for sentence in block.sentences]
    for lines, is_value in ((block.lines, False), (block.values, True)):
        if lines:
            parts.append(_table(lines, styles, is_value=is_value))
    parts.append(Spacer(1, styles.size * 0.9))
    return parts


def _words(text: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph(as_markup(text), style)


def _table(lines: Sequence[TextLine], styles: _Styles, *, is_value: bool) -> Table:
    """The lines below each other, ruled; drawings in a column of their own, as wide as the widest."""
    drawn = [Drawn(line.drawings, styles.size * 2.5) for line in lines]
    first = max(each.width for each in drawn)
    first += styles.size * 0.6 if first else 0
    last = styles.size * 5.5 if is_value else 0.0
    cells: list[list[Flowable]] = [[cards] for cards in drawn]
    for row, line in zip(cells, lines, strict=True):
        if is_value:
            row += [_words(line.name, styles.last), _words(line.text, styles.end)]
        else:
            row.append(Paragraph(f"<b>{as_markup(line.name)}.</b> {as_markup(line.text)}", styles.last))
    widths = [first, _COLUMN - first - last, last] if is_value else [first, _COLUMN - first]
    gap = styles.size * 0.22
    return Table(
        cells,
        widths,
        style=[*table_style(0, 0, gap, gap), ("LINEBELOW", (0, 0), (-1, -2), 0.5, _LINE)],
    )
