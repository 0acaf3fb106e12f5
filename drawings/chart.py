"""How the standings moved through the day: a line for each team, from place to place, to its banner."""

from collections.abc import Sequence
from dataclasses import dataclass

from drawings.banner import banner
from drawings.svg import FACE, element, frame, number, text

_WIDTH = 360
_LEFT, _RIGHT = 22, 232
"""Where the first and the last moment stand; names and banners are to the right of it."""
_ROW = 34
_TOP = 26
_MOST_TIMES = 5


@dataclass(frozen=True)
class Line:
    """A team's way: two colours, division and emblem of its banner, and its place at each moment (None where
    it had none yet)."""

    name: str
    banner: tuple[tuple[str, str], str, str]
    places: Sequence[int | None]


def day_chart(lines: Sequence[Line], moments: Sequence[str], *, label: str) -> str:
    """SVG of the places through the day, with class ``chart``.

    ``moments`` are the times written below, as many as each line has places. A line has its team's first
    colour between two edges in the colour of the text, so that it is seen on any ground, and ends at banner
    and name. Lines that share a place run together and part only to their names. ``label`` says what the
    drawing shows; the page gives the numbers as a table, too. ValueError if a line has more or fewer places
    than there are moments.
    """
    for line in lines:
        if len(line.places) != len(moments):
            raise ValueError(f"{line.name!r} has {len(line.places)} places for {len(moments)} moments")
    if not lines or not moments:
        return frame("", width=_WIDTH, height=_ROW, class_="chart", label=label)
    lowest = max((place for line in lines for place in line.places if place), default=1)
    rows = max(lowest, len(lines))
    bottom = _TOP + _ROW * (rows - 1) + _ROW / 2
    ends = sorted(range(len(lines)), key=lambda index: (lines[index].places[-1] or rows + 1, index))
    parts = [_grid(rows), _times(moments, bottom)]
    for slot, index in reversed(list(enumerate(ends))):
        parts.append(_line(lines[index], len(moments), _TOP + _ROW * slot))
    return frame("".join(parts), width=_WIDTH, height=bottom + 22, class_="chart", label=label)


def _x(moment: int, moments: int) -> float:
    return _RIGHT if moments == 1 else _LEFT + (_RIGHT - _LEFT) * moment / (moments - 1)


def _y(place: int) -> float:
    return _TOP + _ROW * (place - 1)


def _words(value: str, x: float, y: float, anchor: str, size: float = 13) -> str:
    return element(
        "text",
        text(value),
        x=x,
        y=y,
        font_size=size,
        font_family=FACE,
        font_weight="700",
        text_anchor=anchor,
        fill="currentColor",
    )


def _grid(rows: int) -> str:
    """A thin line and its number for each place."""
    return "".join(
        element(
            "path", d=f"M{_LEFT} {_y(place)}H{_RIGHT}", class_="grid", stroke="currentColor", stroke_width=0.5
        )
        + _words(str(place), _LEFT - 10, _y(place) + 4.5, "end")
        for place in range(1, rows + 1)
    )


def _times(moments: Sequence[str], y: float) -> str:
    """The first and the last moment, and as many between as have room."""
    every = max(1, -(-(len(moments) - 1) // (_MOST_TIMES - 1)))
    last = len(moments) - 1
    shown = [index for index in range(0, last, every) if last - index >= every] + [last]
    return "".join(_words(moments[index], _x(index, len(moments)), y + 14, "middle", 12) for index in shown)


def _line(line: Line, moments: int, end: float) -> str:
    """One team: its way with both edges, then banner and name at the height ``end``."""
    points = [(_x(index, moments), _y(place)) for index, place in enumerate(line.places) if place is not None]
    colors, division, emblem = line.banner
    parts = []
    if points:
        way = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in [*points, (_RIGHT + 14, end)])
        for color, width in (("currentColor", 7), (colors[0], 4)):
            parts.append(
                element(
                    "path",
                    d=way,
                    fill="none",
                    stroke=color,
                    stroke_width=width,
                    stroke_linejoin="round",
                    stroke_linecap="round",
                )
            )
        parts += [
            element("circle", cx=x, cy=y, r=4, fill=colors[1], stroke="currentColor", stroke_width=1.5)
            for x, y in points
        ]
    shield = element(
        "g", banner(colors, division, emblem), transform=f"translate({_RIGHT + 16} {number(end - 12)})"
    )
    return element("g", "".join(parts) + shield + _words(line.name, _RIGHT + 42, end + 5, "start"))
