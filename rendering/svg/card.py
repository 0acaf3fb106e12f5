"""Playing cards, drawn by ourselves: a field of colour, a shape, a letter, and the value in ink on paper.

Red is a circle, yellow a triangle, green a square, blue a diamond: a card can be read without seeing colours.
Codes are those of the game log (``R7``, ``GS``, ``BR``, ``Y+2``, ``W``, ``W+4``); letters and names are
given by whoever knows the reader's language.
"""

import re
from typing import Final

from rendering.svg.markup import INK, PAPER, element, frame, lettering

COLORS: Final = {"R": "#bf2419", "Y": "#f4b81c", "G": "#1b7a45", "B": "#1f4ea3"}
"""The field of each colour of the log."""

_CODE: Final = re.compile(r"(?P<color>[RYGB])(?P<value>[0-9SR]|\+2)|(?P<wild>W|W\+4)")

_WIDTH, _HEIGHT = 64, 96
_FACE_RADIUS: Final = {"R": 27, "Y": 26, "G": 27, "B": 26}


def _read(code: str) -> tuple[str | None, str]:
    """Colour (None for a wild) and value of a log code; ValueError for what is none."""
    match = _CODE.fullmatch(code)
    if not match:
        raise ValueError(f"not a card: {code!r} (expected a code like R7, GS, BR, Y+2, W or W+4)")
    return (None, match["wild"]) if match["wild"] else (match["color"], match["value"])


def color_of(code: str) -> str | None:
    """The colour of a card, None for a wild; ValueError for what is no card."""
    return _read(code)[0]


def card(code: str, color: str | None = None, *, label: str, letter: str) -> str:
    """SVG of a card, with class ``card``; ``label`` is its name and ``letter`` that of its colour.

    ``color`` is the colour that was named with a wild: it then has that field, shape and letter. ValueError
    if ``code`` is no card of the log. ValueError, too, if ``color`` comes with a card that isn't wild, or is
    none of R Y G B.
    """
    own, value = _read(code)
    if color is not None and (own is not None or color not in COLORS):
        raise ValueError(f"{color!r} can't be the colour of {code!r} (one of R, Y, G, B, with a wild)")
    shown = own or color
    return frame(
        _face(shown, value, letter) if shown else _wild(value),
        width=_WIDTH,
        height=_HEIGHT,
        class_="card",
        label=label,
        scale=0.75,
    )


def color_sign(color: str, *, label: str, letter: str) -> str:
    """SVG of a colour alone, with shape and letter, as it is tapped to name one. Class ``card-color``."""
    content = shape(color, 24, 24, 21, COLORS[color], outlined=True) + lettering(
        letter, 24, 32 if color != "Y" else 36, 22, _on(color)
    )
    return frame(content, width=48, height=48, class_="card-color", label=label)


def color_mark(color: str) -> str:
    """SVG of a colour's shape, small, before the words for a card in a sentence. Class ``card-mark``."""
    content = shape(color, 12, 12, 10, COLORS[color], outlined=True)
    return frame(content, width=24, height=24, class_="card-mark", label="", scale=0.5)


def shape(color: str, x: float, y: float, r: float, fill: str, *, outlined: bool = False) -> str:
    """The shape that goes with a colour, about as heavy for each, centred on x, y within radius ``r``."""
    stroke, width = ("currentColor", 2.0) if outlined else (None, None)
    match color:
        case "R":
            return element("circle", cx=x, cy=y, r=r * 0.95, fill=fill, stroke=stroke, stroke_width=width)
        case "Y":
            d = f"M{x} {y - r}L{x + r * 1.08:.1f} {y + r * 0.82:.1f}H{x - r * 1.08:.1f}Z"
        case "G":
            d = f"M{x - r * 0.85:.1f} {y - r * 0.85:.1f}h{r * 1.7:.1f}v{r * 1.7:.1f}h-{r * 1.7:.1f}Z"
        case "B":
            wide, high = r * 1.08, r * 1.15
            d = f"M{x} {y - high:.1f}L{x + wide:.1f} {y}L{x} {y + high:.1f}L{x - wide:.1f} {y}Z"
        case _:
            raise ValueError(f"not a colour of the cards: {color!r} (expected R, Y, G or B)")
    return element("path", d=d, fill=fill, stroke=stroke, stroke_width=width, stroke_linejoin="round")


def _on(color: str) -> str:
    """What can be read on the field of that colour."""
    return INK if color == "Y" else PAPER


def _ground(fill: str) -> str:
    """The card itself: paper with an edge in the colour of the text around it, and a field on it."""
    edge = element(
        "rect", x=1, y=1, width=62, height=94, rx=7, fill=PAPER, stroke="currentColor", stroke_width=1.5
    )
    return edge + element("rect", x=4.5, y=4.5, width=55, height=87, rx=4, fill=fill)


def _face(color: str, value: str, letter: str) -> str:
    """A card with a colour: a shape of paper with the value on it; value and letter in the corners."""
    on = _on(color)
    down = 7 if color == "Y" else 0  # a triangle has its weight below its middle
    corner = {"S": "", "R": "", "W": "", "W+4": "+4"}.get(value, value)
    return (
        _ground(COLORS[color])
        + shape(color, 32, 48, _FACE_RADIUS[color], PAPER)
        + _value(value, 32, 48 + down, INK)
        + (lettering(corner, 14 if len(corner) == 1 else 17, 21, 16, on) if corner else "")
        + lettering(letter, 50, 87, 16, on)
    )


def _value(value: str, x: float, y: float, ink: str) -> str:
    """The value, about 26 units high, centred on x, y."""
    line: dict[str, str] = {"fill": "none", "stroke": ink, "stroke_width": "4", "stroke_linecap": "round"}
    match value:
        case "S":  # a leap over the next seat
            return element("path", d=f"M{x - 12} {y + 5}A12 13 0 0 1 {x + 11} {y + 2}", **line) + (
                element("path", d=f"M{x + 16.5} {y - 3}L{x + 12} {y + 9}L{x + 3.5} {y - 0.5}Z", fill=ink)
                + element("circle", cx=x, cy=y + 7, r=3.5, fill=ink)
            )
        case "R":  # there and back
            return (
                element("path", d=f"M{x - 11} {y - 5}H{x + 6}M{x + 11} {y + 6}H{x - 6}", **line)
                + element("path", d=f"M{x + 14} {y - 5}l-9 -7v14Z", fill=ink)
                + element("path", d=f"M{x - 14} {y + 6}l9 -7v14Z", fill=ink)
            )
        case "W":  # what it stands for: any of the four
            return "".join(
                shape(color, x + dx, y + dy, 6, COLORS[color])
                for color, dx, dy in (("R", -8, -8), ("Y", 8, -7), ("G", -8, 8), ("B", 8, 8))
            )
        case "+2" | "W+4":
            return lettering(value.removeprefix("W"), x, y + 8.5, 26, ink)
        case _:
            return lettering(value, x, y + 13, 40, ink)


def _wild(value: str) -> str:
    """A wild that nobody has named a colour for: all four, on ink."""
    return (
        _ground(INK)
        + "".join(
            shape(color, x, y, 11.5, COLORS[color]) + shape(color, x, y, 4.5, PAPER)
            for color, x, y in (("R", 18, 20), ("Y", 46, 21), ("G", 18, 76), ("B", 46, 76))
        )
        + element("circle", cx=32, cy=48, r=17, fill=PAPER)
        + lettering("+4" if value == "W+4" else "?", 32, 56, 23, INK)
    )
