"""A bracket: rounds side by side, each match a box with its two sides, winners inverted and carried on by a
thick line."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from rendering.svg.markup import element, frame, number, stroked, text, words
from rendering.svg.team_banner import Look, banner

BOX = 246
"""Width of a box: four rounds fill the width of a page, one and a bit of the next that of a phone."""
_GAP = 24
_SIDE = 27
_PITCH = 2 * _SIDE + 12
_LABELLED_PITCH = 2 * _SIDE + 28
_HEAD = 30
_MARGIN = 3
_NAME_SIZE = 17
_SMALL_SIZE = 14
_WIDTHS = {
    letter: width
    for letters, width in (
        ("ijl.,'’()[]|!- ", 0.32),
        ("ft", 0.39),
        ("I1rº", 0.43),
        ("c", 0.48),
        ("sevyz7", 0.52),
        ("aoxJkgpqb4–", 0.57),
        ("dhnu2356890", 0.62),
        ("LFSP", 0.67),
        ("CZYT", 0.72),
        ("AEVBGOQR…", 0.76),
        ("DUKXwHN", 0.83),
        ("m", 0.92),
        ("MW", 1.07),
    )
    for letter in letters
}
"""Of the signs of the display face at its boldest, with the space that it has on our pages, in shares of its
size."""
_UNKNOWN_WIDTH = 1.07


@dataclass(frozen=True)
class DrawnBracketSide:
    """One side of a box.

    ``banner`` is two colours, division and emblem, or None. ``open`` is true for words that stand where
    nobody is yet, such as "Winner of match 3". ``left`` says why the side doesn't play on.
    """

    name: str
    banner: Look | None = None
    score: str = ""
    won: bool = False
    open: bool = False
    left: str = ""


@dataclass(frozen=True)
class BracketBox:
    """A match. ``after`` has for each side the key of the box in the same drawing whose winner comes here.

    ``label`` is written above where something else refers to it, ``note`` after it. ``aside`` stands below
    the box before it, as a match for the third place does; ``crown`` marks the winner as that of the whole.
    ``href`` is where a tap on the box leads; keys don't stop there, since the list beside has the same links.
    """

    key: str
    sides: tuple[DrawnBracketSide, DrawnBracketSide]
    after: tuple[str | None, str | None] = (None, None)
    label: str = ""
    note: str = ""
    aside: bool = False
    crown: bool = False
    href: str = ""


@dataclass(frozen=True)
class BracketColumn:
    """A round: its title and its boxes from top to bottom."""

    title: str
    boxes: tuple[BracketBox, ...]


def bracket(columns: Sequence[BracketColumn]) -> str:
    """SVG of a bracket with class ``bracket``, a unit to a pixel: its texts have 14 and 17 pixels.

    Every box is a ``<g class="bracket-match" data-slot="…">``. A winner's side is filled and has a sign, a
    line leads on to the next match. Names that don't fit are shortened, keeping a number at their end; the
    whole one is the box's tooltip. It is ornament: a list beside it says the same. ValueError if a side comes
    from a box that isn't in an earlier column.
    """
    middles = _middles(columns)
    boxes = {box.key: (column, box) for column, each in enumerate(columns) for box in each.boxes}
    parts = []
    for column, each in enumerate(columns):
        parts.append(words(each.title, _x(column), 17, _NAME_SIZE, "800", class_="bracket-title"))
    for key, (column, box) in boxes.items():
        parts += [
            _line(boxes[before], middles[before], (column, middles[key]), side)
            for side, before in enumerate(box.after)
            if before is not None
        ]
    parts += [_box(box, _x(column), middles[key]) for key, (column, box) in boxes.items()]
    height = max(middles.values(), default=_HEAD) + _SIDE + _MARGIN
    width = len(columns) * (BOX + _GAP) - _GAP + 2 * _MARGIN if columns else 2 * _MARGIN
    return frame("".join(parts), width=width, height=height, class_="bracket", label="")


def _x(column: int) -> float:
    return _MARGIN + column * (BOX + _GAP)


def _middles(columns: Sequence[BracketColumn]) -> dict[str, float]:
    """The middle of each box: halfway between those that it follows from, else on a row of its own."""
    boxes = {box.key: box for each in columns for box in each.boxes}
    followed = {before for box in boxes.values() for before in box.after if before is not None}
    column_of = {box.key: column for column, each in enumerate(columns) for box in each.boxes}
    for key, box in boxes.items():
        for before in box.after:
            if before is not None and column_of.get(before, len(columns)) >= column_of[key]:
                raise ValueError(f"box {key!r} follows from {before!r}, which isn't in an earlier column")
    # A box that follows from one alone stands beside it, as close to its neighbours.
    close = [box for box in boxes.values() if len(set(box.after) - {None}) < 2 and not box.aside]
    pitch = _LABELLED_PITCH if any(box.label or box.note for box in close) else _PITCH
    first = _HEAD + pitch - _SIDE - 4
    middles: dict[str, float] = {}
    rows = 0

    def place(box: BracketBox) -> float:
        nonlocal rows
        if box.key not in middles:
            before = dict.fromkeys(key for key in box.after if key is not None)
            if before:
                heights = [place(boxes[key]) for key in before]
                middles[box.key] = sum(heights) / len(heights)
            else:
                middles[box.key] = first + pitch * rows
                rows += 1
        return middles[box.key]

    for each in reversed(columns):
        for box in each.boxes:
            if box.key not in followed and not box.aside:
                place(box)
    for each in columns:
        for above, box in zip(each.boxes, each.boxes[1:], strict=False):
            if box.aside:
                middles[box.key] = middles[above.key] + _LABELLED_PITCH
        if each.boxes and each.boxes[0].aside:
            raise ValueError(f"box {each.boxes[0].key!r} stands aside of none")
    return middles


def _line(start: tuple[int, BracketBox], start_middle: float, end: tuple[int, float], side: int) -> str:
    """From a box to the side that its winner takes; thick once there is one."""
    column, box = start
    x, y = _x(column) + BOX, start_middle
    to_x, to_y = _x(end[0]), end[1] + (_SIDE / 2 if side else -_SIDE / 2)
    decided = any(each.won for each in box.sides)
    if decided:
        y += _SIDE / 2 if box.sides[1].won else -_SIDE / 2
    bend = to_x - _GAP / 2
    return element(
        "path",
        d=f"M{number(x)} {number(y)}H{number(bend)}V{number(to_y)}H{number(to_x)}",
        class_="bracket-line" + (" is-decided" if decided else ""),
        fill="none",
        stroke="currentColor",
        stroke_width=3 if decided else 1.5,
        stroke_linejoin="round",
    )


def _box(box: BracketBox, x: float, middle: float) -> str:
    top = middle - _SIDE
    names = " – ".join(f"{side.name} ({side.left})" if side.left else side.name for side in box.sides)
    parts = [element("title", text(names))]
    above = " · ".join(part for part in (box.label, box.note) if part)
    if above:
        parts.append(
            words(_fit(above, BOX, _SMALL_SIZE), x, top - 6, _SMALL_SIZE, "600", class_="bracket-label")
        )
    parts.append(
        element(
            "rect",
            x=x,
            y=top,
            width=BOX,
            height=2 * _SIDE,
            rx=4,
            class_="bracket-box",
            fill="none",
            stroke="currentColor",
            stroke_width=1.5,
            stroke_dasharray="6 4" if box.note else None,
        )
    )
    parts += [_side(side, x, top + index * _SIDE, box.crown) for index, side in enumerate(box.sides)]
    if not any(side.won for side in box.sides):
        parts.append(
            element(
                "path",
                d=f"M{number(x)} {number(middle)}h{BOX}",
                class_="bracket-rule",
                stroke="currentColor",
                stroke_width=1,
            )
        )
    drawn = element("g", "".join(parts), class_="bracket-match", data_slot=box.key)
    return element("a", drawn, href=box.href, tabindex=-1) if box.href else drawn


def _side(side: DrawnBracketSide, x: float, y: float, crown: bool) -> str:
    state = "is-won" if side.won else "is-open" if side.open else ""
    parts = []
    if side.won:
        parts.append(
            element(
                "rect", x=x, y=y, width=BOX, height=_SIDE, rx=4, class_="bracket-won", fill="currentColor"
            )
        )
    left, right = x + 7, x + BOX - 7
    if side.banner:
        # A banner's own size is 24 units high.
        corner = f"translate({number(left)} {number(y + 2.5)}) scale(0.92)"
        parts.append(element("g", banner(*side.banner), transform=corner, class_="bracket-banner"))
        left += 26
    base = y + 19.5
    if side.score:
        parts.append(words(side.score, right, base, _NAME_SIZE, "800", "end", "bracket-score"))
        right -= _width(side.score, _NAME_SIZE) + 7
    if side.won:
        parts.append(_sign(right - 14, y + 6.5, crown))
        right -= 20
    if side.left:
        parts.append(words(side.left, right, base, _SMALL_SIZE, "600", "end", "bracket-left"))
        right -= _width(side.left, _SMALL_SIZE) + 7
    size = _SMALL_SIZE if side.open or side.left else _NAME_SIZE
    shown = _fit(side.name, right - left, size)
    if shown:
        parts.append(words(shown, left, base, size, "750" if side.won else "500", class_="bracket-name"))
    return element("g", "".join(parts), class_=f"bracket-side {state}".strip())


def _sign(x: float, y: float, crown: bool) -> str:
    """What a winner has beside the name: a tick, in the last match a star."""
    if crown:
        star = "M7 0l2 5h5l-4 3.3L11.5 13.5L7 10.3L2.5 13.5L4 8.3L0 5h5Z"
        drawn = element("path", d=star, fill="currentColor", class_="bracket-sign")
    else:
        drawn = stroked("M1 7.5L5 11.5L13 2.5", 2.5, class_="bracket-sign")
    return element("g", drawn, transform=f"translate({number(x)} {number(y)})")


def _width(value: str, size: float) -> float:
    """How wide a text is in the display face, rather too much than too little."""
    return size * sum(_share(sign) for sign in value)


@cache
def _share(sign: str) -> float:
    """The width of one sign; an accent adds none."""
    return _WIDTHS.get(normalize("NFD", sign)[0], _UNKNOWN_WIDTH)


def _fit(value: str, width: float, size: float) -> str:
    """The text, shortened to the width; a number at its end stays, since it tells a squad from another."""
    if _width(value, size) <= width:
        return value
    head, _, last = value.rpartition(" ")
    tail = f" {last}" if head and last.isdigit() else ""
    kept = head if tail else value
    while kept and _width(f"{kept}…{tail}", size) > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…{tail}"
