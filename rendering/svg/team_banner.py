"""A team's banner: two colours, a division and an emblem, drawn as shield or drape."""

from collections.abc import Sequence
from dataclasses import dataclass

from rendering.svg.markup import INK, PAPER, contrast, element, frame, lettering, number, polygon

Point = tuple[float, float]
Polygon = tuple[Point, ...]


def curve(start: Point, one: Point, two: Point, end: Point, steps: int = 8) -> Polygon:
    """Points of a cubic Bézier curve after ``start``, ``end`` included."""
    points = []
    for step in range(1, steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            (
                a * start[0] + b * one[0] + c * two[0] + d * end[0],
                a * start[1] + b * one[1] + c * two[1] + d * end[1],
            )
        )
    return tuple(points)


def cut(outline: Polygon, region: Polygon) -> Polygon:
    """The part of ``outline`` inside the convex ``region`` (Sutherland and Hodgman, 1974).

    Cutting by arithmetic, not by ``clipPath``, keeps ids out of the drawings.

    ``region`` runs clockwise as seen on the screen, where y points down. Where an outline that isn't convex
    falls into several parts, they stay joined by lines of no width, which a fill doesn't show.
    """
    result = list(outline)
    for (ax, ay), (bx, by) in zip(region, (*region[1:], region[0]), strict=True):

        def inside(point: Point, ax: float = ax, ay: float = ay, bx: float = bx, by: float = by) -> float:
            return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

        before, result = result, []
        for index, point in enumerate(before):
            last = before[index - 1]
            here, there = inside(point), inside(last)
            if (here >= 0) != (there >= 0):
                share = there / (there - here)
                result.append(
                    (last[0] + share * (point[0] - last[0]), last[1] + share * (point[1] - last[1]))
                )
            if here >= 0:
                result.append(point)
    return tuple(result)


DIVISIONS = ("plain", "per_pale", "per_fess", "per_bend", "chevron", "quartered")
"""How the two colours share the field; ``plain`` shows the first one, and the emblem in the second."""

SHAPES = ("shield", "drape")
"""``shield`` for rows and headings, ``drape`` (hung from a pole) for the few big ones."""

Look = tuple[tuple[str, str], str, str]
"""What a banner is drawn from: its two colours, its division, its emblem (empty without one)."""

EMBLEM_LENGTH = 2
"""An emblem is one or two characters."""

_READABLE = 3.0
"""Contrast that a big letter needs (WCAG 2.2, 1.4.3)."""


@dataclass(frozen=True)
class _Shape:
    """An outline in a box, and x, y and radius of the emblem in it."""

    width: float
    height: float
    outline: Polygon
    emblem: tuple[float, float, float]


_SHAPES = {
    "shield": _Shape(
        100,
        116,
        (
            (5, 5),
            (95, 5),
            (95, 52),
            *curve((95, 52), (95, 84), (74, 101), (50, 111)),
            *curve((50, 111), (26, 101), (5, 84), (5, 52)),
        ),
        (50, 48, 27),
    ),
    "drape": _Shape(100, 170, ((9, 10), (91, 10), (91, 164), (50, 136), (9, 164)), (50, 62, 28)),
}


def banner(
    colors: tuple[str, str], division: str = "plain", emblem: str = "", shape: str = "shield", label: str = ""
) -> str:
    """SVG of a banner, with class ``banner banner-<shape>``.

    ``colors`` are two of ``#rgb`` or ``#rrggbb``; ``division`` one of DIVISIONS, ``shape`` one of SHAPES;
    ``emblem`` at most two characters. With a ``label`` (the team's name) the drawing is an image of that
    name, without it ornament. The outline has the colour of the text around it. So a white banner stands out
    from white paper, and a blue one from the night. ValueError if a value is none of these.
    """
    if division not in DIVISIONS:
        raise ValueError(f"not a division: {division!r} (expected one of {', '.join(DIVISIONS)})")
    if shape not in _SHAPES:
        raise ValueError(f"not a shape: {shape!r} (expected one of {', '.join(SHAPES)})")
    if len(emblem) > EMBLEM_LENGTH:
        raise ValueError(f"an emblem is at most {EMBLEM_LENGTH} characters: {emblem!r}")
    contrast(*colors)  # refuses what is no colour before anything is drawn
    form = _SHAPES[shape]
    parts = [polygon(form.outline, colors[0])]
    for region, color in _fields(division, form.width, form.height):
        piece = cut(form.outline, region)
        if len(piece) > 2:
            parts.append(polygon(piece, colors[color]))
    if shape == "drape":
        parts.append(
            element("path", d="M2 7H98", stroke="currentColor", stroke_width=7, stroke_linecap="round")
        )
    parts.append(
        element(
            "path",
            d="M" + "L".join(f"{number(x)} {number(y)}" for x, y in form.outline) + "Z",
            fill="none",
            stroke="currentColor",
            stroke_width=4,
            stroke_linejoin="round",
        )
    )
    if emblem:
        parts.append(_emblem(emblem, colors, division, form.emblem))
    return frame(
        "".join(parts),
        width=form.width,
        height=form.height,
        class_=f"banner banner-{shape}",
        label=label,
        scale=24 / form.height,
    )


def _fields(division: str, width: float, height: float) -> Sequence[tuple[Polygon, int]]:
    """Regions to paint over the first colour, in order: a convex polygon, and which of the two colours."""
    x, y = width / 2, height / 2
    match division:
        case "per_pale":
            return ((((x, 0), (width, 0), (width, height), (x, height)), 1),)
        case "per_fess":
            return ((((0, y), (width, y), (width, height), (0, height)), 1),)
        case "per_bend":
            return ((((0, 0), (width, height), (0, height)), 1),)
        case "chevron":
            top, bottom, rise = height * 0.46, height * 0.74, height * 0.4

            def roof(peak: float) -> Polygon:
                return (x, peak), (width, peak + rise), (width, height * 2), (0, height * 2), (0, peak + rise)

            return (roof(top), 1), (roof(bottom), 0)
        case "quartered":
            return (
                (((x, 0), (width, 0), (width, y), (x, y)), 1),
                (((0, y), (x, y), (x, height), (0, height)), 1),
            )
        case _:
            return ()


def emblem_colors(colors: tuple[str, str], division: str) -> tuple[str | None, str]:
    """The plate under the emblem (None where it needs none) and the colour of its letter.

    On a plain field the letter has the second colour, if that can be read there. Else it stands on a plate of
    paper or ink, whichever stands out better from both fields. There the letter has the team's own colour, if
    one can be read on the plate.
    """
    if division == "plain" and contrast(*colors) >= _READABLE:
        return None, colors[1]
    fields = colors[:1] if division == "plain" else colors
    plate, other = sorted((PAPER, INK), key=lambda tone: min(contrast(tone, field) for field in fields))[::-1]
    letter = max(colors, key=lambda color: contrast(color, plate))
    return plate, letter if contrast(letter, plate) >= 4.5 else other


def _emblem(emblem: str, colors: tuple[str, str], division: str, place: tuple[float, float, float]) -> str:
    x, y, radius = place
    plate, letter = emblem_colors(colors, division)
    size = radius * (1.75 if len(emblem) == 1 else 1.25) * (1 if plate else 1.25)
    drawn = lettering(emblem, x, y + size * 0.33, size, letter)
    if plate is None:
        return drawn
    return element("circle", cx=x, cy=y, r=radius, fill=plate, stroke=letter, stroke_width=3) + drawn
