"""Brackets drawn and told: every text within its box, lines that lead on, words for who hears the page."""

import re
from collections.abc import Callable
from html import unescape
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page

from rendering.components.bracket_view import pieces
from rendering.svg.bracket import BOX, BracketBox, BracketColumn, DrawnBracketSide, bracket
from tests.rendering.components.bracket_pictures import page_of
from tests.rendering.components.brackets import FORMS, contestants, corrected, progress_of, shown_pieces
from tests.rendering.components.drawn import parts, texts
from tests.support.accessibility import violations
from tests.support.knockouts import SEED
from tests.support.run import long
from tournaments.formats.elimination.display_sections import sections
from tournaments.formats.elimination.format import SingleElimination

LOOK = (("#aa0000", "#ffee00"), "plain", "S")


def side(name: str, score: str = "", won: bool = False) -> DrawnBracketSide:
    return DrawnBracketSide(name, LOOK, score, won)


def one_match(*sides: DrawnBracketSide, note: str = "") -> str:
    first, second = sides
    return bracket([BracketColumn("Finale", (BracketBox("W1.1", (first, second), note=note, crown=True),))])


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("rounds", [0, 1, None])
def test_every_match_of_a_bracket_is_drawn_once(name: str, rounds: int | None) -> None:
    form, count = FORMS[name]
    tree = form.bracket(progress_of(form, count, rounds), SEED)
    shown = pieces(sections(tree), contestants(count))
    drawn = [
        element.attrib["data-slot"]
        for piece in shown
        for element in parts(bracket(piece.columns))
        if "data-slot" in element.attrib
    ]

    assert sorted(drawn) == sorted(match.slot for each in tree.rounds for match in each.matches)
    assert sum(len(each.matches) for piece in shown for each in piece.rounds) == len(drawn)


@pytest.mark.parametrize("name", FORMS)
def test_bracket_piece_is_no_larger_than_can_be_read_at_once(name: str) -> None:
    shown = shown_pieces(name)
    assert len({piece.title for piece in shown}) == len(shown)
    for piece in shown:
        _, _, width, height = (
            float(part) for part in parts(bracket(piece.columns))[0].attrib["viewBox"].split()
        )
        assert len(piece.columns) <= 4
        assert width <= 4 * (BOX + 24)
        assert height <= 700


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    found = [part for part in parts(svg) if part.get("class") == "bracket-box"]
    return [
        (float(b.attrib["x"]), float(b.attrib["y"]), float(b.attrib["width"]), float(b.attrib["height"]))
        for b in found
    ]


@pytest.mark.parametrize("name", FORMS)
def test_bracket_boxes_stand_within_the_drawing_and_apart(name: str) -> None:
    for piece in shown_pieces(name, rounds=None):
        svg = bracket(piece.columns)
        _, _, width, height = (float(part) for part in parts(svg)[0].attrib["viewBox"].split())
        placed = boxes(svg)
        for index, (x, y, w, h) in enumerate(placed):
            assert x >= 0
            assert y >= 30
            assert x + w <= width
            assert y + h <= height
            for ox, oy, _, oh in placed[:index]:
                assert x != ox or y >= oy + oh + 10 or oy >= y + h + 10


def test_bracket_label_stands_clear_of_the_title() -> None:
    for name in FORMS:
        for piece in shown_pieces(name):
            words = [part for part in parts(bracket(piece.columns)) if part.tag == "text"]
            labels = [float(part.attrib["y"]) for part in words if part.get("class") == "bracket-label"]
            assert min(labels, default=100) >= 17 + 14 + 8


def test_bracket_winner_is_filled_has_a_sign_and_is_written_bold() -> None:
    svg = one_match(side("Superiore", "1"), side("Centro", "2", won=True))
    sides = [part for part in parts(svg) if "bracket-side" in part.get("class", "")]
    assert ["is-won" in part.attrib["class"] for part in sides] == [False, True]
    signs = [
        [each.get("class") for each in part.iter() if each.get("class") == "bracket-sign"] for part in sides
    ]
    assert signs == [[], ["bracket-sign"]]
    names = [part for part in parts(svg) if part.get("class") == "bracket-name"]
    assert [part.attrib["font-weight"] for part in names] == ["500", "750"]


def test_bracket_shortens_a_long_name_and_keeps_its_number() -> None:
    long = "Contrada della Torre Vecchia di Sopra 12"
    svg = one_match(side(long, "2", won=True), side("Alta 1"))
    assert [text for text in texts(svg) if text.startswith("Contrada")] != [long]
    assert [text for text in texts(svg) if re.fullmatch(r"Contrada.*… 12", text)] != []
    (title,) = [part.text for part in parts(svg) if part.tag == "title"]
    assert title == f"{long} – Alta 1"
    assert "Alta 1" in texts(svg)


def test_bracket_writes_disqualified_whole_beside_a_shortened_name() -> None:
    long = "Contrada della Torre Vecchia di Sopra 12"
    gone = DrawnBracketSide(long, LOOK, "2", won=True, left="disqualified")

    svg = one_match(gone, side("Alta 1"))

    drawn = [part for part in parts(svg) if "bracket-side" in part.get("class", "")]
    left = [[each.text for each in part.iter() if each.get("class") == "bracket-left"] for part in drawn]
    assert left == [["disqualified"], []]
    assert [text for text in texts(svg) if re.fullmatch(r"Con.*… 12", text)] != []
    (title,) = [part.text for part in parts(svg) if part.tag == "title"]
    assert title == f"{long} (disqualified) – Alta 1"


def test_bracket_escapes_what_people_type() -> None:
    svg = one_match(side("<script>&\x00"), side('"'))
    assert "<script>" not in svg
    assert ElementTree.fromstring(svg) is not None


def test_bracket_texts_are_at_least_14_pixels() -> None:
    for name in FORMS:
        for piece in shown_pieces(name):
            svg = parts(bracket(piece.columns))
            own = [part for part in svg if part.tag == "text" and "bracket" in part.get("class", "")]
            assert min(float(part.attrib["font-size"]) for part in own) >= 14
            root = svg[0].attrib
            assert root["viewBox"] == f"0 0 {root['width']} {root['height']}"


def test_bracket_box_that_follows_from_none_before_it_is_refused() -> None:
    final = BracketBox("F", (side("A"), side("B")), after=("X", None))
    with pytest.raises(ValueError, match="'F' follows from 'X'"):
        bracket([BracketColumn("Finale", (final,))])
    third = BracketBox("P3", (side("A"), side("B")), aside=True)
    with pytest.raises(ValueError, match="'P3' stands aside of none"):
        bracket([BracketColumn("Finale", (third,))])
    assert texts(bracket([])) == []


def said(name: str, language: str, rounds: int | None = 1) -> str:
    """The list of a bracket, as plain text."""
    with translation.override(language):
        html = render_to_string("components/bracket.html", {"pieces": shown_pieces(name, rounds)})
    assert not re.findall(r"<style|\sstyle=|\son[a-z]+=|<script", html)
    bare = re.sub(r'<div class="scroll.*?</div>|<[^>]+>', " ", html, flags=re.DOTALL)
    return unescape(" ".join(bare.split()))


def test_bracket_list_says_in_italian_what_is_drawn() -> None:
    assert said("single-4", "it") == (
        "Tabellone Come elenco Semifinali "
        "Semifinale 1: Contrada della Torre Vecchia 1 batte Contrada del Mulino di Sotto 1 2–1. "
        "Semifinale 2: Borgo San Giovanni Battista 1 batte Rione Santa Maria Maddalena 1 2–1. "
        "Finale Contrada della Torre Vecchia 1 contro Borgo San Giovanni Battista 1. "
        "Terzo posto: Rione Santa Maria Maddalena 1 batte Contrada del Mulino di Sotto 1 2–1."
    )


def test_bracket_list_says_in_english_what_is_still_open() -> None:
    words = said("double-8", "en", rounds=0)

    assert "Match 2.1: Quartiere" not in words
    assert "Winner of match 1.3 against Winner of match 1.4." in words
    assert "Losers’ match 2.1: Loser of match 2.2 against Winner of losers’ match 1.1." in words
    assert "Deciding final Loser of final against Winner of final." in words


def test_bracket_list_tells_walkovers_and_corrections() -> None:
    form = SingleElimination()
    progress = corrected(progress_of(form, 8, 1))
    gone = frozenset(progress.rounds[1].plan.pairings[1].sides[:1])
    with translation.override("en"):
        shown = pieces(
            sections(form.bracket(type(progress)(progress.contestants, progress.rounds, gone), SEED)),
            contestants(8),
        )
    semis = [line.sentence for line in shown[0].rounds[1].matches]

    assert semis[0].endswith("It was drawn before a correction, and is to be decided anew.")
    assert " wins by walkover against " in semis[1]
    assert [box.note for box in shown[0].columns[1].boxes] == ["to be decided anew", ""]


WIDTHS = {"phone": (360, 740), "desk": (1280, 800)}
# How far a text reaches beyond its box, in pixels of the drawing; the box's edge is 7 away from its texts.
BEYOND = """
() => [...document.querySelectorAll(".bracket-match")].flatMap((match) => {
    const box = match.querySelector(".bracket-box").getBBox();
    const texts = "text.bracket-name, text.bracket-score, text.bracket-label, text.bracket-left";
    return [...match.querySelectorAll(texts)]
        .map((text) => [text.textContent, text.getBBox()])
        .filter(([, at]) => at.x < box.x - 0.5 || at.x + at.width > box.x + box.width + 0.5)
        .map(([words]) => words);
})
"""
# Names that run into the sign or the score beside them.
MEETING = """
() => [...document.querySelectorAll(".bracket-side")].flatMap((side) => {
    const name = side.querySelector(".bracket-name")?.getBoundingClientRect();
    return [...side.querySelectorAll(".bracket-score, .bracket-sign, .bracket-left")]
        .filter((other) => name && name.right > other.getBoundingClientRect().left)
        .map(() => side.textContent);
})
"""


def test_bracket_texts_fit_their_boxes_on_every_screen_width(page: Page) -> None:
    for name in FORMS:
        page.set_content(page_of(name, theme="light"))
        page.evaluate("document.fonts.ready")
        for width, height in WIDTHS.values():
            page.set_viewport_size({"width": width, "height": height})
            assert (name, page.evaluate(BEYOND)) == (name, [])
            assert (name, page.evaluate(MEETING)) == (name, [])
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            # The drawing keeps its size where it has to scroll, so its texts keep theirs.
            scale = page.evaluate("document.querySelector('.bracket').getScreenCTM().a")
            assert (name, scale) == (name, 1)


@pytest.mark.parametrize("name", ["single-7", "double-8"])
def test_bracket_is_accessible(open_page: Callable[..., Page], name: str) -> None:
    page = open_page(viewport={"width": 360, "height": 740})
    page.set_content(page_of(name, theme="light"))
    page.locator("details").first.evaluate("details => { details.open = true; }")
    assert violations(page) == []
    page.locator("html").evaluate("html => { html.dataset.theme = 'dark'; }")
    assert violations(page, of_colours=not long.asked) == []


def test_projector_shows_a_bracket_piece_whole_and_large(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    names = ("single-16", "single-64", "double-16")
    for name, piece in [(each, at) for each in names for at in range(len(shown_pieces(each)))]:
        page.set_content(page_of(name, theme="dark", projector=True, piece=piece))
        box = page.locator(".bracket").bounding_box()
        assert box is not None, (name, piece)
        assert box["y"] + box["height"] <= 1080, (name, piece)
        assert box["x"] + box["width"] <= 1920, (name, piece)
        # On a picture three metres wide their small letters are 20 mm high: 7 minutes of arc at ten metres.
        assert page.evaluate("document.querySelector('.bracket').getScreenCTM().a") * 17 >= 26
