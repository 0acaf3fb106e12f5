"""Banners and cards of `rendering.svg` on paper: the elements, attributes and path commands that they use."""

import re
from collections.abc import Iterator, Sequence
from math import atan2, ceil, cos, pi, sin, sqrt, tan
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from rendering.pdf.typeface import DISPLAY, load_face, writable
from rendering.svg.markup import INK

Point = tuple[float, float]

_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}
_TOKEN: Final = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")
_GAP: Final = 3
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Z": 0}


class Drawn(Flowable):
    """Drawings beside each other, all as high as each other (in points)."""

    def __init__(self, drawings: Sequence[str], height: float) -> None:
        super().__init__()
        self._parsed = [_parse(drawing) for drawing in drawings]
        self._widths = [height * _box(root)[0] / _box(root)[1] for root in self._parsed]
        self.width = sum(self._widths) + _GAP * max(0, len(drawings) - 1)
        self.height = height

    def draw(self) -> None:
        """On the flowable's canvas, from its lower left corner."""
        x = 0.0
        for root, width in zip(self._parsed, self._widths, strict=True):
            _draw(self.canv, root, x, 0, self.height)
            x += width + _GAP


def draw_svg(canvas: Canvas, drawing: str, x: float, y: float, height: float) -> None:
    """Draw with the lower left corner at `x`, `y`, so many points high.

    ValueError for anything that banners and cards don't have: it would be left out silently.
    """
    _draw(canvas, _parse(drawing), x, y, height)


def _parse(drawing: str) -> Element:
    return fromstring(drawing)  # noqa: S314 - our own drawings, whose texts are escaped; nothing from outside


def _box(root: Element) -> Point:
    """Width and height in the drawing's own units."""
    _x, _y, width, height = map(float, root.attrib["viewBox"].split())
    return width, height


def _draw(canvas: Canvas, root: Element, x: float, y: float, height: float) -> None:
    load_face()
    scale = height / _box(root)[1]
    canvas.saveState()
    canvas.translate(x, y + height)
    canvas.scale(scale, -scale)
    for child in root:
        _element(canvas, child)
    canvas.restoreState()


def _element(canvas: Canvas, element: Element) -> None:
    if element.tag == "title":
        return
    canvas.saveState()
    fill, stroke = element.get("fill", INK), element.get("stroke", "none")
    if fill != "none":
        canvas.setFillColor(_color(fill))
    if stroke != "none":
        canvas.setStrokeColor(_color(stroke))
        canvas.setLineWidth(float(element.get("stroke-width", 1)))
        canvas.setLineCap(_CAPS[element.get("stroke-linecap", "butt")])
        canvas.setLineJoin(_JOINS[element.get("stroke-linejoin", "miter")])
    painted = {"fill": int(fill != "none"), "stroke": int(stroke != "none")}

    def at(name: str) -> float:
        return float(element.attrib[name])

    match element.tag:
        case "text":
            _lettering(canvas, element, at("x"), at("y"))
        case "rect":
            canvas.roundRect(
                at("x"), at("y"), at("width"), at("height"), float(element.get("rx", 0)), **painted
            )
        case "circle":
            canvas.circle(at("cx"), at("cy"), at("r"), **painted)
        case "polygon":
            corners = [pair.split(",") for pair in element.attrib["points"].split()]
            _path(canvas, "M" + "L".join(f"{x} {y}" for x, y in corners) + "Z", painted)
        case "path":
            _path(canvas, element.attrib["d"], painted)
        case name:
            raise ValueError(f"no such element in banners and cards: <{name}>")
    canvas.restoreState()


def _color(value: str) -> Any:
    """A colour; the colour of the text around is ink on paper."""
    return HexColor(INK if value == "currentColor" else value)


def _lettering(canvas: Canvas, element: Element, x: float, y: float) -> None:
    text, size = writable(element.text or ""), float(element.attrib["font-size"])
    canvas.translate(x, y)
    canvas.scale(1, -1)
    canvas.setFont(DISPLAY, size)
    canvas.drawCentredString(0, 0, text)


def _path(canvas: Canvas, d: str, painted: dict[str, int]) -> None:
    path = canvas.beginPath()
    x = y = 0.0
    start = (x, y)
    for command, numbers in _commands(d):
        kind, relative = command.upper(), command.islower()
        dx, dy = (x, y) if relative else (0.0, 0.0)
        match kind:
            case "M":
                x, y = start = numbers[0] + dx, numbers[1] + dy
                path.moveTo(x, y)
            case "L" | "H" | "V":
                x = numbers[0] + dx if kind != "V" else x
                y = numbers[-1] + dy if kind != "H" else y
                path.lineTo(x, y)
            case "A":
                end = numbers[5] + dx, numbers[6] + dy
                for curve in _arc((x, y), end, (numbers[0], numbers[1]), numbers[3] != 0, numbers[4] != 0):
                    path.curveTo(*curve)
                x, y = end
            case _:
                path.close()
                x, y = start
    canvas.drawPath(path, **painted)


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; a command goes on for as many as follow."""
    tokens: list[str] = _TOKEN.findall(d)
    place = 0
    while place < len(tokens):
        command = tokens[place]
        count = _NUMBERS.get(command.upper())
        if count is None:
            raise ValueError(f"no such path command in banners and cards: {command}")
        place += 1
        while True:
            yield command, [float(token) for token in tokens[place : place + count]]
            place += count
            if not count or place >= len(tokens) or tokens[place].isalpha():
                break
            # Further pairs after a move are lines.
            command = {"M": "L", "m": "l"}.get(command, command)


def _arc(start: Point, end: Point, radii: Point, large: bool, sweep: bool) -> Iterator[tuple[float, ...]]:
    """An arc without rotation as Bézier curves (SVG 2, "Elliptical arc implementation notes")."""
    (rx, ry), (ax, ay) = radii, ((start[0] - end[0]) / 2, (start[1] - end[1]) / 2)
    reach = (ax / rx) ** 2 + (ay / ry) ** 2
    if reach > 1:  # radii too small to meet both ends grow until they do
        rx, ry, reach = rx * sqrt(reach), ry * sqrt(reach), 1
    factor = sqrt(max(0.0, 1 / reach - 1)) * (1 if large != sweep else -1)
    bx, by = factor * rx * ay / ry, -factor * ry * ax / rx
    center = bx + (start[0] + end[0]) / 2, by + (start[1] + end[1]) / 2
    first = atan2((ay - by) / ry, (ax - bx) / rx)
    turn = atan2((-ay - by) / ry, (-ax - bx) / rx) - first
    if sweep and turn < 0:
        turn += 2 * pi
    elif not sweep and turn > 0:
        turn -= 2 * pi
    pieces = ceil(abs(turn) / (pi / 2) - 1e-9)
    step = turn / pieces
    pull = 4 / 3 * tan(step / 4)
    for piece in range(pieces):
        a, b = first + piece * step, first + (piece + 1) * step
        yield (
            center[0] + rx * (cos(a) - pull * sin(a)),
            center[1] + ry * (sin(a) + pull * cos(a)),
            center[0] + rx * (cos(b) + pull * sin(b)),
            center[1] + ry * (sin(b) - pull * cos(b)),
            center[0] + rx * cos(b),
            center[1] + ry * sin(b),
        )
