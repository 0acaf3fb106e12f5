"""Score sheets for tables without a phone: one for each match, two to a sheet of A4."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from rendering.pdf.page_border import tent
from rendering.pdf.page_parts import cut_marks, line, lines, new_canvas, print_side_by_side
from rendering.pdf.svg_drawing import draw_svg
from rendering.pdf.typeface import DISPLAY, TEXT
from rendering.svg.markup import INK, PAPER

_WIDTH, _HIGH = A4[0], A4[1] / 2
_EDGE, _BAND = 12 * mm, 10 * mm
_RULE: Final = HexColor("#777777")
_AWAY: Final = HexColor("#e4e4e4")
_ROOMY: Final = 45 * mm
"""A column as wide has the team beside its banner; a narrower one has it below."""
_NARROWEST: Final = 21 * mm
"""A narrower column has no room for a banner beside the letter."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class ScoreSheetSide:
    """A side of a match: its team, who sits there, its banner (of `rendering.svg`); all empty on a spare."""

    team: str = ""
    players: str = ""
    banner: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A match: where and when it is played, its sides, and for each game the sides that play it, from 0.

    `ranks_sides`: a place of each side is written, in place of a tick for who won.
    """

    where: str
    when: str
    sides: tuple[ScoreSheetSide, ...]
    games: tuple[tuple[int, ...], ...]
    ranks_sides: bool = False


@dataclass(frozen=True, slots=True)
class ScoreSheetWords:
    """What stands on every sheet. `points` is empty where none are counted. `how` says what is to be filled
    in, `how_ranked` where sides are ranked.
    """

    event: str
    tournament: str
    game: str
    points: str
    won: str
    how: str
    place: str
    how_ranked: str
    remarks: str
    referee: str
    ended: str


def print_score_sheets(sheets: Sequence[ScoreSheet], words: ScoreSheetWords, language: str) -> bytes:
    """A PDF of the sheets in their order, two to a page of A4; the same input gives the same bytes.

    ValueError without a sheet, and for one with more sides than letters.
    """
    if not sheets:
        raise ValueError("no sheet")

    def draw(canvas: Canvas, sheet: ScoreSheet, _width: float, _height: float) -> None:
        _draw(canvas, sheet, words)

    def draw_marks(canvas: Canvas) -> None:
        cut_marks(canvas, A4, 1, 2, long=5 * mm, wide=0.6, color=_RULE)

    canvas = new_canvas(f"{words.event} · {words.tournament}", language, A4)
    return print_side_by_side(canvas, sheets, A4, 1, 2, draw, draw_marks)


def _draw(canvas: Canvas, sheet: ScoreSheet, words: ScoreSheetWords) -> None:
    room = _WIDTH - 2 * _EDGE
    tent(canvas, 2 * mm, _HIGH - 2 * mm, _WIDTH - 4 * mm, _BAND)
    canvas.setFillColor(HexColor(PAPER))
    line(canvas, words.event, DISPLAY, 13, _EDGE, _HIGH - _BAND + 1 * mm, room * 0.6)
    line(canvas, words.tournament, TEXT, 11, _EDGE + room * 0.6, _HIGH - _BAND + 1 * mm, room * 0.4, "right")
    canvas.setFillColor(HexColor(INK))
    top = _HIGH - _BAND - 15 * mm
    line(canvas, sheet.where, DISPLAY, 20, _EDGE, top, room * 0.55)
    line(canvas, sheet.when, TEXT, 13, _EDGE + room * 0.55, top, room * 0.45, "right")
    top -= 4 * mm
    bottom = 31 * mm
    first = 20 * mm
    wide = (room - first) / len(sheet.sides)
    head = (21 if wide >= _ROOMY else 28) * mm
    for number, side in enumerate(sheet.sides):
        _side(canvas, _LETTERS[number], side, _EDGE + first + number * wide, top, wide, head)
    total = 0.0 if sheet.ranks_sides else 11 * mm
    tallest = 20 * mm if sheet.ranks_sides else 15 * mm
    high = min(tallest, (top - head - total - bottom) / max(1, len(sheet.games)))
    base = top - head
    canvas.setLineWidth(1)
    canvas.setStrokeColor(HexColor(INK))
    canvas.line(_EDGE, base, _EDGE + room, base)
    for number, playing in enumerate(sheet.games, start=1):
        base -= high
        canvas.setFillColor(HexColor(INK))
        line(canvas, f"{words.game} {number}", DISPLAY, 11, _EDGE, base + high / 2 - 4, first - 2 * mm)
        for place in range(len(sheet.sides)):
            left = _EDGE + first + place * wide
            if place in playing:
                _box(canvas, words, left, base, wide, high, words.place if sheet.ranks_sides else "")
            else:
                canvas.setFillColor(_AWAY)
                canvas.rect(left, base, wide, high, stroke=0, fill=1)
        canvas.setLineWidth(0.5)
        canvas.setStrokeColor(_RULE)
        canvas.line(_EDGE, base, _EDGE + room, base)
    base -= total
    if total:
        canvas.setFillColor(HexColor(INK))
        line(canvas, words.won, TEXT, 10, _EDGE, base + total / 2 - 4, first - 2 * mm)
        canvas.setLineWidth(1)
        canvas.setStrokeColor(HexColor(INK))
        for place in range(len(sheet.sides)):
            canvas.rect(_EDGE + first + (place + 0.5) * wide - 6 * mm, base + 1 * mm, 12 * mm, total - 2 * mm)
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(_RULE)
    for place in range(len(sheet.sides) + 1):
        canvas.line(_EDGE + first + place * wide, top, _EDGE + first + place * wide, base)
    _foot(canvas, words, words.how_ranked if sheet.ranks_sides else words.how, room)


def _side(
    canvas: Canvas, letter: str, side: ScoreSheetSide, left: float, top: float, wide: float, head: float
) -> None:
    """Letter, banner, team and players at the head of a column."""
    canvas.setFillColor(HexColor(INK))
    canvas.circle(left + 6 * mm, top - 5.5 * mm, 4 * mm, stroke=0, fill=1)
    canvas.setFillColor(HexColor(PAPER))
    line(canvas, letter, DISPLAY, 13, left + 2 * mm, top - 7.2 * mm, 8 * mm, "center")
    canvas.setFillColor(HexColor(INK))
    beside = left + 12 * mm
    if side.banner and wide >= _NARROWEST:
        draw_svg(canvas, side.banner, beside, top - 10 * mm, 9 * mm)
        beside += 10 * mm
    if side.team:
        below = 11 * mm
        if wide >= _ROOMY:
            line(canvas, side.team, DISPLAY, 13, beside, top - 7 * mm, left + wide - beside - 1 * mm)
        else:
            below = 16 * mm
            line(canvas, side.team, DISPLAY, 11, left + 2 * mm, top - 15 * mm, wide - 3 * mm)
        size, deep = 10 if wide >= _NARROWEST else 8, head - below - 1 * mm
        lines(canvas, side.players, TEXT, size, left + 2 * mm, top - below, wide - 3 * mm, deep)
        return
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(_RULE)
    canvas.line(left + 12 * mm, top - 8 * mm, left + wide - 3 * mm, top - 8 * mm)
    canvas.line(left + 3 * mm, top - 17 * mm, left + wide - 3 * mm, top - 17 * mm)


def _box(
    canvas: Canvas, words: ScoreSheetWords, left: float, base: float, wide: float, high: float, label: str
) -> None:
    """A box to tick for who won, or for what its label says, and a line for the points if any are counted."""
    side = min(10 * mm if label else 7 * mm, high - (5 if label else 2) * mm, wide / 3)
    canvas.setStrokeColor(HexColor(INK))
    canvas.setLineWidth(1.2)
    canvas.roundRect(left + 3 * mm, base + (high - side) / 2, side, side, 1.2 * mm)
    canvas.setFillColor(_RULE)
    line(canvas, label, TEXT, 7, left + 3 * mm, base + (high - side) / 2 - 7, side)
    if not words.points:
        return
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(_RULE)
    start = left + 3 * mm + side + 3 * mm
    canvas.line(start, base + high / 2 - 8, left + wide - 3 * mm, base + high / 2 - 8)
    line(canvas, words.points, TEXT, 7, start, base + high / 2 - 15, left + wide - 3 * mm - start)


def _foot(canvas: Canvas, words: ScoreSheetWords, how: str, room: float) -> None:
    """What to fill in, remarks, who signs and when it ended."""
    canvas.setFillColor(HexColor(INK))
    lines(canvas, how, TEXT, 9, _EDGE, 30 * mm, room, 9 * mm)
    canvas.setStrokeColor(_RULE)
    canvas.setLineWidth(0.5)
    for text, start, end in (
        (words.remarks, 0.0, 0.42),
        (words.ended, 0.45, 0.62),
        (words.referee, 0.65, 1.0),
    ):
        canvas.line(_EDGE + room * start, 11 * mm, _EDGE + room * end, 11 * mm)
        line(canvas, text, TEXT, 9, _EDGE + room * start, 7 * mm, room * (end - start))
