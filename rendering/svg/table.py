"""A table seen from above: seats where people sit, cards in hand, whose move it is and which way it goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from rendering.svg.markup import element, frame, lettering, number
from rendering.svg.team_banner import Look, banner

_WIDTH = 360
_CENTER_X = _WIDTH / 2
_LETTER_WIDTH = 0.6
"""Of a letter, as a share of its height: enough for the plate under a name."""


@dataclass(frozen=True)
class _TablePlan:
    """Measures of a table: its own two radii, how far out people sit, how big a seat and its name are."""

    table: tuple[float, float]
    seats: tuple[float, float]
    seat_radius: float
    name_size: float
    name_length: int
    angles: tuple[float, ...] = ()
    """Where people sit, clockwise from the bottom; evenly all around if it is empty."""
    is_flat: bool = False

    @property
    def center_y(self) -> float:
        if self.is_flat:
            return max(self.table[1], self._reach + self.seat_radius) + 4
        return self.seats[1] + self.seat_radius + self.name_size * 1.5 + 6

    @property
    def height(self) -> float:
        if self.is_flat:
            below = self._reach + self.seat_radius + 6 + self.name_size * 1.5
            return self.center_y + max(self.table[1] + 4, below)
        return self.center_y * 2

    @property
    def _reach(self) -> float:
        """How far below the middle the lowest seat is."""
        return self.seats[1] * max(cos(angle) for angle in self.angles)


_FEW = _TablePlan(table=(98, 82), seats=(136, 114), seat_radius=27, name_size=15, name_length=16)
_MANY = _TablePlan(table=(104, 118), seats=(142, 160), seat_radius=21, name_size=12, name_length=10)
"""From seven seats on the table grows longer, as it does in a tent."""


def _at_ends(
    *degrees: int, table: float, seats: tuple[float, float], radius: float, size: float
) -> _TablePlan:
    angles = tuple(pi * each / 180 for each in degrees)
    return _TablePlan((98, table), seats, radius, size, 15, angles, is_flat=True)


_FLAT = {
    2: _at_ends(90, 270, table=38, seats=(134, 0), radius=37, size=17),
    3: _at_ends(62, 118, 270, table=60, seats=(146, 94), radius=27, size=15),
    4: _at_ends(62, 118, 242, 298, table=60, seats=(146, 94), radius=27, size=15),
}
"""People at the two ends only, for a phone on which little height is left."""


@dataclass(frozen=True)
class DrawnSeat:
    """Who sits there.

    ``banner`` is two colours, division and emblem of the team, or None. ``hand`` is the number of cards held,
    or None where nobody counts them. ``out`` is true for who has left the game.
    """

    name: str
    banner: Look | None = None
    hand: int | None = None
    out: bool = False


def table_view(
    seats: Sequence[DrawnSeat],
    *,
    label: str,
    turn: int | None = None,
    direction: int = 1,
    pile: str = "",
    is_flat: bool = False,
) -> str:
    """SVG of a table with class ``table-view``; seat 0 sits at the bottom, the others clockwise from it.

    ``turn`` is the seat whose move it is: a beam of the table points at it and its place is filled.
    ``direction`` is 1 (clockwise) or -1. ``pile`` is a drawing of the card that lies open. ``is_flat``
    has up to four people sit at its two ends, which takes half the height. Every seat is a
    ``<g class="seat" data-seat="0">``, with ``is-turn`` or ``is-out`` where that is so.
    ``label`` says all of this in words, since the drawing is one image to a screen reader.

    Both ways round and a beam to every seat are in the drawing, and those that don't hold are hidden. So a
    page that goes on by itself changes classes, ``data-direction`` and texts, and draws nothing anew.
    """
    if direction not in {1, -1}:
        raise ValueError(f"not a direction: {direction!r} (expected 1 for clockwise or -1)")
    if turn is not None and not 0 <= turn < len(seats):
        raise ValueError(f"not a seat: {turn!r} (expected 0 to {len(seats) - 1})")
    plan = _FEW if len(seats) <= 6 else _MANY
    if is_flat:
        plan = _FLAT.get(len(seats), plan)
    middle = plan.center_y
    parts = [
        element(
            "ellipse",
            cx=_CENTER_X,
            cy=middle,
            rx=plan.table[0],
            ry=plan.table[1],
            class_="table-top",
            fill="none",
            stroke="currentColor",
        ),
        _ways(plan, direction),
    ]
    angles = plan.angles or [2 * pi / len(seats) * index for index in range(len(seats))]
    parts += [_seat(plan, index, seat, angles[index], index == turn) for index, seat in enumerate(seats)]
    if pile:
        drawn = pile.replace(' role="img"', "", 1)
        corner = f"translate({number(_CENTER_X - 24)} {number(middle - 36)})"
        parts.append(element("g", drawn, transform=corner, class_="table-pile"))
    return frame("".join(parts), width=_WIDTH, height=plan.height, class_="table-view", label=label)


def _at(plan: _TablePlan, angle: float, reach: tuple[float, float]) -> tuple[float, float]:
    """A point seen from the middle of the table, ``angle`` clockwise from the bottom."""
    return _CENTER_X - reach[0] * sin(angle), plan.center_y + reach[1] * cos(angle)


def _inset(plan: _TablePlan, by: float) -> tuple[float, float]:
    """The radii of the table less a margin."""
    return plan.table[0] - by, plan.table[1] - by


def _points(*points: tuple[float, float]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _beam(plan: _TablePlan, angle: float, shown: bool) -> str:
    """A wedge from the middle of the table to the seat whose move it is."""
    rim = _inset(plan, 3)
    wedge = (_CENTER_X, plan.center_y), _at(plan, angle - 0.3, rim), _at(plan, angle + 0.3, rim)
    return element(
        "polygon",
        points=_points(*wedge),
        class_="table-beam",
        fill="currentColor",
        opacity="0.3",
        visibility=None if shown else "hidden",
    )


def _ways(plan: _TablePlan, direction: int) -> str:
    """Both ways round the table, of which the one that the game goes is seen."""
    ways = "".join(_arrows(plan, way, way == direction) for way in (1, -1))
    return element("g", ways, class_="table-ways", data_direction=str(direction))


def _arrows(plan: _TablePlan, direction: int, shown: bool) -> str:
    """Two arrows along the edge of the table."""
    way = _inset(plan, 16)
    parts = []
    first_of_two = 0.61 if plan.is_flat else pi / 4 + 0.45
    for middle in (first_of_two, pi + first_of_two):
        first, last = middle - 0.25 * direction, middle + 0.25 * direction
        (ax, ay), (bx, by) = _at(plan, first, way), _at(plan, last, way)
        radii = f"{number(way[0])} {number(way[1])}"
        arc = f"M{number(ax)} {number(ay)}A{radii} 0 0 {int(direction == 1)} {number(bx)} {number(by)}"
        head = (
            _at(plan, last + 0.17 * direction, way),
            _at(plan, last, _inset(plan, 9)),
            _at(plan, last, _inset(plan, 23)),
        )
        parts.append(element("path", d=arc, fill="none", stroke="currentColor", stroke_width=3))
        parts.append(element("polygon", points=_points(*head), fill="currentColor"))
    return element("g", "".join(parts), data_way=str(direction), visibility=None if shown else "hidden")


def _seat(plan: _TablePlan, index: int, seat: DrawnSeat, angle: float, is_turn: bool) -> str:
    x, y = _at(plan, angle, plan.seats)
    radius = plan.seat_radius
    # Names stand outside of the table, so above the seats of its far side.
    above = not plan.is_flat and cos(angle) < -0.1
    parts = [
        _beam(plan, angle, is_turn),
        element("circle", cx=x, cy=y, r=radius, class_="seat-place", fill="none", stroke="currentColor"),
    ]
    if seat.banner:
        scale = radius * 1.2 / 24  # a banner's own size is 24 units high
        corner = f"translate({number(x - scale * 10.3)} {number(y - scale * 12)}) scale({scale:.3f})"
        parts.append(element("g", banner(*seat.banner), transform=corner))
    else:
        parts.append(lettering(str(index + 1), x, y + radius * 0.35, radius, "currentColor"))
    if seat.hand is not None:
        parts.append(_hand(seat.hand, x + radius * 0.95, y + radius * (0.45 if above else -0.55)))
    parts.append(
        _name(plan, seat.name, x, y - radius - 4 - plan.name_size * 1.5 if above else y + radius + 4)
    )
    states = "seat" + (" is-turn" if is_turn else "") + (" is-out" if seat.out else "")
    return element("g", "".join(parts), class_=states, data_seat=str(index))


def _name(plan: _TablePlan, name: str, x: float, y: float) -> str:
    """A name on its plate, cut where it is too long, and moved in where it would leave the drawing."""
    size = plan.name_size
    shown = name if len(name) <= plan.name_length else name[: plan.name_length - 1].rstrip() + "…"
    width = max(len(shown) * size * _LETTER_WIDTH + size, size * 3)
    x = min(max(x, width / 2 + 1), _WIDTH - width / 2 - 1)
    plate = element(
        "rect", x=x - width / 2, y=y, width=width, height=size * 1.5, rx=4, class_="seat-plate", fill="none"
    )
    return plate + lettering(shown, x, y + size * 1.1, size, "currentColor", "seat-name")


def _hand(cards: int, x: float, y: float) -> str:
    """The number of cards held, on a small card."""
    small = element(
        "rect",
        x=x - 9,
        y=y - 12,
        width=18,
        height=24,
        rx=3,
        class_="seat-card",
        fill="none",
        stroke="currentColor",
    )
    return element(
        "g", small + lettering(str(cards), x, y + 5, 14, "currentColor", "seat-count"), class_="seat-hand"
    )
