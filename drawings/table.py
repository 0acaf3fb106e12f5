"""A table seen from above: seats where people sit, cards in hand, whose move it is and which way it goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from drawings.banner import banner
from drawings.card import card
from drawings.svg import element, frame, lettering, number

_WIDTH, _HEIGHT = 360, 316
_CENTER_X, _CENTER_Y = 180, 146
_SEAT_REACH_X, _SEAT_REACH_Y = 136, 112
_NAME_LENGTH = 14


@dataclass(frozen=True)
class Seat:
    """Who sits there. ``banner`` is two colours, division and emblem of the team, or None; ``hand`` the
    number of cards held, or None where nobody counts them; ``out`` is true for who has left the game."""

    name: str
    banner: tuple[tuple[str, str], str, str] | None = None
    hand: int | None = None
    out: bool = False


def table_view(
    seats: Sequence[Seat],
    *,
    label: str,
    turn: int | None = None,
    direction: int = 1,
    top: str | None = None,
    color: str | None = None,
    language: str = "it",
) -> str:
    """SVG of a table with class ``table-view``; seat 0 sits at the bottom, the others clockwise from it.

    ``turn`` is the seat whose move it is: a beam of the table points at it and its place is filled.
    ``direction`` is 1 (clockwise) or -1. ``top`` and ``color`` are the card that lies open and the colour
    named with it. Every seat is a ``<g class="seat" data-seat="0">``, with ``is-turn`` or ``is-out`` where
    that is so. ``label`` says all of this in words, since the drawing is one image to a screen reader.
    """
    if direction not in {1, -1}:
        raise ValueError(f"not a direction: {direction!r} (expected 1 for clockwise or -1)")
    if turn is not None and not 0 <= turn < len(seats):
        raise ValueError(f"not a seat: {turn!r} (expected 0 to {len(seats) - 1})")
    parts = [
        element("ellipse", cx=_CENTER_X, cy=_CENTER_Y, rx=110, ry=84, class_="table-top", fill="none"),
        _beam(_angle(turn, len(seats))) if turn is not None else "",
        _arrows(direction),
    ]
    if top is not None:
        drawn = card(top, language, color).replace(' role="img"', "", 1)
        parts.append(element("g", drawn, transform=f"translate({_CENTER_X - 24} {_CENTER_Y - 36})"))
    parts += [_seat(index, seat, len(seats), index == turn) for index, seat in enumerate(seats)]
    return frame("".join(parts), width=_WIDTH, height=_HEIGHT, class_="table-view", label=label)


def _angle(index: int, count: int) -> float:
    """Clockwise from the bottom, in radians."""
    return 2 * pi * index / count


def _at(angle: float, reach_x: float, reach_y: float) -> tuple[float, float]:
    return _CENTER_X - reach_x * sin(angle), _CENTER_Y + reach_y * cos(angle)


def _beam(angle: float) -> str:
    """A wedge from the middle of the table to the seat whose move it is."""
    left, right = _at(angle - 0.3, 104, 79), _at(angle + 0.3, 104, 79)
    points = f"{_CENTER_X},{_CENTER_Y} " + " ".join(f"{number(x)},{number(y)}" for x, y in (left, right))
    return element("polygon", points=points, class_="table-beam", fill="currentColor")


def _arrows(direction: int) -> str:
    """Two arrows along the edge of the table, the way the game goes."""
    parts = []
    for start in (pi / 4 + 0.2, pi + pi / 4 + 0.2):
        first, last = (start, start + 0.5) if direction == 1 else (start + 0.5, start)
        (ax, ay), (bx, by) = _at(first, 92, 68), _at(last, 92, 68)
        sweep = 1 if direction == 1 else 0
        ahead = _at(last + 0.17 * direction, 92, 68)
        one, two = _at(last, 99, 75), _at(last, 85, 61)
        parts.append(
            element(
                "path",
                d=f"M{number(ax)} {number(ay)}A92 68 0 0 {sweep} {number(bx)} {number(by)}",
                fill="none",
                stroke="currentColor",
                stroke_width=3,
            )
            + element(
                "polygon",
                points=" ".join(f"{number(x)},{number(y)}" for x, y in (ahead, one, two)),
                fill="currentColor",
            )
        )
    return element("g", "".join(parts), class_="table-way")


def _seat(index: int, seat: Seat, count: int, is_turn: bool) -> str:
    x, y = _at(_angle(index, count), _SEAT_REACH_X, _SEAT_REACH_Y)
    small = count > 6
    radius = 20 if small else 26
    name = seat.name if len(seat.name) <= _NAME_LENGTH else seat.name[: _NAME_LENGTH - 1].rstrip() + "…"
    parts = [element("circle", cx=x, cy=y, r=radius, class_="seat-place", fill="none", stroke="currentColor")]
    if seat.banner:
        colors, division, emblem = seat.banner
        shield = banner(colors, division, emblem)
        scale = radius * 1.2 / 24  # a banner's own size is 24 units high
        corner = f"translate({number(x - scale * 10.3)} {number(y - scale * 12)}) scale({scale:.3f})"
        parts.append(element("g", shield, transform=corner))
    else:
        parts.append(lettering(str(index + 1), x, y + radius * 0.35, radius, "currentColor"))
    if seat.hand is not None:
        parts.append(_hand(seat.hand, x + radius * 0.95, y - radius * 0.75))
    width = max(len(name) * 8.0 + 14, 40)
    name_x = min(max(x, width / 2 + 1), _WIDTH - width / 2 - 1)
    name_y = y + radius + 5
    plate = element("rect", x=name_x - width / 2, y=name_y, width=width, height=21, rx=4, class_="seat-plate")
    parts.append(plate + lettering(name, name_x, name_y + 15.5, 14, "currentColor", "seat-name"))
    states = "seat" + (" is-turn" if is_turn else "") + (" is-out" if seat.out else "")
    return element("g", "".join(parts), class_=states, data_seat=str(index))


def _hand(cards: int, x: float, y: float) -> str:
    """The number of cards held, on a small card."""
    return element(
        "g",
        element("rect", x=x - 10, y=y - 13, width=20, height=26, rx=3, class_="seat-card")
        + lettering(str(cards), x, y + 5, 15, "currentColor", "seat-count"),
        class_="seat-hand",
    )
