"""Sheets of paper: every drawing can be printed, text fits, the same input gives the same bytes."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise

import pytest
from reportlab.pdfgen.canvas import Canvas

from games.engine.cards import CARDS
from rendering.components.playing_cards import drawn_card
from rendering.pdf.document import DocumentHead
from rendering.pdf.svg_drawing import Drawn, draw_svg
from rendering.pdf.text_pages import Block, TextLine, print_blocks
from rendering.pdf.typeface import writable
from rendering.svg.card import COLORS
from rendering.svg.team_banner import DIVISIONS, SHAPES, banner

CURVE = re.compile(r"(?:[-\d.]+ ){6}c\b")
PAGE = re.compile(rb"/Type /Page\b")
BLOCK = Block(
    "Prima di cominciare",
    ("Ognuno pesca una carta.",),
    (TextLine("Salta", "Salta.", (drawn_card("GS", "it"),)),),
)


def drawings() -> Iterator[str]:
    """Every banner and every card."""
    for language in ("it", "en"):
        yield from (drawn_card(code, language) for code in CARDS)
        yield from (drawn_card(wild, language, color) for wild in ("W", "W+4") for color in COLORS)
    yield from (
        banner(("#123456", "#fedcba"), division, "B", shape, "Borgo")
        for division in DIVISIONS
        for shape in SHAPES
    )


def drawn(drawing: str) -> str:
    """A file with nothing but this drawing, as text."""
    file = BytesIO()
    canvas = Canvas(file, pageCompression=0, invariant=1)
    draw_svg(canvas, drawing, 10, 20, 96)
    canvas.save()
    return file.getvalue().decode("latin-1")


def test_every_banner_and_card_can_be_printed() -> None:
    empty = drawn("<svg viewBox='0 0 9 9'/>")
    assert all(drawn(each) != empty for each in drawings())


def test_each_printed_card_has_its_colour_its_shape_and_its_letter() -> None:
    red, green = drawn(drawn_card("R7", "it")), drawn(drawn_card("G7", "it"))
    assert len(CURVE.findall(red)) > len(CURVE.findall(green))  # a circle has curves, a square has none
    assert red != drawn(drawn_card("R7", "en").replace(">R<", ">X<")) != green


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ("<image href='x'/>", "image"),
        ("<path d='M0 0Q1 1 2 2' fill='#000000'/>", "Q"),
        ("<g transform='rotate(3)'/>", "<g>"),
    ],
)
def test_svg_that_can_t_be_printed_is_refused_and_not_left_out(inside: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        drawn(f"<svg viewBox='0 0 9 9'>{inside}</svg>")


def test_arc_ends_where_it_should_and_stays_on_its_circle() -> None:
    curves = [
        tuple(map(float, line.split()[:6]))
        for line in re.findall(
            CURVE, drawn("<svg viewBox='0 0 96 96'><path d='M48 8A40 40 0 1 1 8 48'/></svg>")
        )
    ]

    assert len(curves) == 3  # three quarters of a turn
    assert curves[-1][4:] == pytest.approx((8, 48))
    for one, other in pairwise(curve[4:] for curve in curves):
        assert one != other
    for curve in curves:
        assert ((curve[4] - 48) ** 2 + (curve[5] - 48) ** 2) ** 0.5 == pytest.approx(40)


def test_printed_drawings_stand_beside_each_other() -> None:
    first, *others = (drawn_card(code, "it") for code in ("R7", "W", "G7"))
    one, three = Drawn([first], 48), Drawn([first, *others], 48)
    assert (one.width, one.height) == (32, 48)
    assert three.wrap(1, 1) == (102, 48)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Città «UNO!» – 5 €", "Città «UNO!» – 5 €"),
        ("Kovačević", "Kovačević"),
        ("e\u0300", "è"),
        ("Ω ﬁ 5²", "? fi 5²"),
        ("日本", "??"),
        ("⅔ 7½ 4⅓", "2/3 7½ 4\N{NO-BREAK SPACE}1/3"),
    ],
)
def test_letter_without_a_glyph_becomes_the_nearest_there_is(text: str, written: str) -> None:
    assert writable(text) == written


def test_same_blocks_give_the_same_bytes() -> None:
    first = print_blocks(DocumentHead("Regole", "Palio", "example.org"), [BLOCK], "it")
    assert print_blocks(DocumentHead("Regole", "Palio", "example.org"), [BLOCK], "it") == first
    assert print_blocks(DocumentHead("Regole", "Palio", "example.org"), [BLOCK], "en") != first


def test_font_is_embedded_in_both_weights() -> None:
    made = print_blocks(DocumentHead("Regole"), [BLOCK], "it")
    assert sorted(set(re.findall(rb"/FontName /\w+\+(Piazzolla-\w+)", made))) == [
        b"Piazzolla-ExtraBold",
        b"Piazzolla-Medium",
    ]
    assert len(re.findall(rb"/FontFile2 ", made)) == 2


@pytest.mark.parametrize(("blocks", "pages"), [(1, 1), (24, 2), (50, 3)])
def test_printed_text_shrinks_until_it_fits_a_leaf_and_no_further(blocks: int, pages: int) -> None:
    made = print_blocks(DocumentHead("Regole"), [BLOCK] * blocks, "it")
    assert len(PAGE.findall(made)) == pages


def test_printed_blocks_never_read_words_as_markup() -> None:
    tricky = Block(
        "<b>A & B", ("x < y", "</para>"), (TextLine("<i>", "&amp;"),), (TextLine("<font", "1 > 0"),)
    )
    assert print_blocks(DocumentHead("<title> & more", "<over>"), [tricky], "it").startswith(b"%PDF-")
