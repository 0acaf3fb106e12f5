"""Chart of the places through the day: a path for each team, from place to place, to its banner."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rendering.svg.markup import element, frame, number, words
from rendering.svg.team_banner import Look, banner

_TOP = 26
_DASHES = (None, "11 7", "2 8", "16 7 2 7")
"""How the ways are broken, in turn, so that those that cross are told apart without their colours."""


@dataclass(frozen=True)
class _Form:
    """How a chart is laid out.

    ``left`` and ``right`` are where the first and the last moment stand; names and banners are to the right
    of the last. The other fields are the chart's width, the height of a row, the size of letters and the
    width of a way. ``most_times`` is how many moments are written at most.
    """

    width: float
    left: float
    right: float
    row: float
    letters: float
    stroke: float
    most_times: int

    def x(self, moment: int, moments: int) -> float:
        """Where a moment stands."""
        return self.right if moments == 1 else self.left + (self.right - self.left) * moment / (moments - 1)

    def y(self, place: float) -> float:
        """Where a place stands."""
        return _TOP + self.row * (place - 1)


_NARROW = _Form(360, 22, 232, 34, 13, 4, 5)


def _wide(rows: int) -> _Form:
    """As wide as a screen is for so many rows."""
    width = max(560.0, (_TOP + 34 * rows + 22) * 1.95)
    letters = 19 if rows > 6 else 17
    return _Form(width, 34, width - 60 - 10.5 * letters, 34, letters, 5, 12)


@dataclass(frozen=True)
class ChartPath:
    """A team's way: two colours, division and emblem of its banner, and its place at each moment (None where
    it had none yet)."""

    name: str
    banner: Look
    places: Sequence[int | None]


def day_chart(
    lines: Sequence[ChartPath], moments: Sequence[str], *, label: str, is_wide: bool = False
) -> str:
    """SVG of the places through the day, with class ``chart``.

    ``moments`` are written below, as many as each line has places. A line has its team's first colour between
    two edges in the colour of the text, so that it is seen on any ground. The second colour breaks the line
    in a way of its own. The line ends at banner and name. Lines that share a place run side by side.
    ``label`` says what the drawing shows; the page gives the numbers as a table, too. ``is_wide`` has the
    form of a screen. ValueError if a line has more or fewer places than there are moments.
    """
    for line in lines:
        if len(line.places) != len(moments):
            raise ValueError(f"{line.name!r} has {len(line.places)} places for {len(moments)} moments")
    if not lines or not moments:
        return frame("", width=_NARROW.width, height=_NARROW.row, class_="chart", label=label)
    lowest = max((place for line in lines for place in line.places if place), default=1)
    rows = max(lowest, len(lines))
    form = _wide(rows) if is_wide else _NARROW
    bottom = form.y(rows) + form.row / 2
    ends = sorted(range(len(lines)), key=lambda index: (lines[index].places[-1] or rows + 1, index))
    beside = _side_by_side(lines, form)
    parts = [_grid(rows, form), _times(moments, bottom, form)]
    for slot, index in reversed(list(enumerate(ends))):
        end = _TOP + form.row * slot
        parts.append(_line(lines[index], beside[index], _DASHES[index % len(_DASHES)], end, form))
    return frame("".join(parts), width=form.width, height=bottom + 24, class_="chart", label=label)


def _side_by_side(lines: Sequence[ChartPath], form: _Form) -> list[list[tuple[float, float] | None]]:
    """Where each line stands at each moment; those that share a place beside each other."""
    moments = len(lines[0].places)
    points: list[list[tuple[float, float] | None]] = [[None] * moments for _ in lines]
    for moment in range(moments):
        sharing: dict[int, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            place = line.places[moment]
            if place is not None:
                sharing[place].append(index)
        for place, found in sharing.items():
            apart = min(form.stroke + 4, (form.row - 8) / len(found))
            for number_, index in enumerate(found):
                shift = (number_ - (len(found) - 1) / 2) * apart
                points[index][moment] = (form.x(moment, moments), form.y(place) + shift)
    return points


def _grid(rows: int, form: _Form) -> str:
    """A thin line and its number for each place."""
    return "".join(
        element(
            "path",
            d=f"M{number(form.left)} {number(form.y(place))}H{number(form.right)}",
            class_="grid",
            stroke="currentColor",
            stroke_width=0.5,
        )
        + words(str(place), form.left - 10, form.y(place) + form.letters / 3, form.letters, "700", "end")
        for place in range(1, rows + 1)
    )


def _times(moments: Sequence[str], y: float, form: _Form) -> str:
    """The first and the last moment, and as many between as have room."""
    every = max(1, -(-(len(moments) - 1) // (form.most_times - 1)))
    last = len(moments) - 1
    shown = [index for index in range(0, last, every) if last - index >= every] + [last]
    return "".join(
        words(moments[index], form.x(index, len(moments)), y + 16, form.letters - 1, "700", "middle")
        for index in shown
    )


def _line(
    line: ChartPath, points: Sequence[tuple[float, float] | None], dash: str | None, end: float, form: _Form
) -> str:
    """One team: its way with both edges, then banner and name at the height ``end``."""
    colors, *_shape = line.banner
    ways: list[list[tuple[float, float]]] = [[]]
    for point in points:
        if point is None:
            ways.append([])
        else:
            ways[-1].append(point)
    if points[-1] is not None:
        ways[-1].append((form.right + 14, end))
    parts = []
    for way in (each for each in ways if each):
        drawn = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in way)
        for color, width, broken in (
            ("currentColor", form.stroke + 3, None),
            *(((colors[1], form.stroke, None),) if dash else ()),
            (colors[0], form.stroke, dash),
        ):
            parts.append(
                element(
                    "path",
                    d=drawn,
                    fill="none",
                    stroke=color,
                    stroke_width=width,
                    stroke_dasharray=broken,
                    stroke_linejoin="round",
                    stroke_linecap="butt" if broken else "round",
                )
            )
    parts += [
        element("circle", cx=x, cy=y, r=form.stroke, fill=colors[1], stroke="currentColor", stroke_width=1.5)
        for x, y in filter(None, points)
    ]
    corner = f"translate({number(form.right + 16)} {number(end - 12)})"
    shield = element("g", banner(*line.banner), transform=corner)
    name = words(line.name, form.right + 42, end + form.letters * 0.37, form.letters, "700", "start")
    return element("g", "".join(parts) + shield + name)
