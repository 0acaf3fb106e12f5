"""The small part of SVG that the drawings share: colours, numbers, elements, the frame with its name."""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

PAPER = "#fffaf0"
"""The light of the drawings: card faces, plates under a dark letter."""
INK = "#17132a"
"""The dark of the drawings."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def channels(color: str) -> tuple[int, int, int]:
    """``#rgb`` or ``#rrggbb`` as three numbers from 0 to 255. ValueError for anything else."""
    if not _HEX.fullmatch(color):
        raise ValueError(f"not a colour: {color!r} (expected #rgb or #rrggbb)")
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def luminance(color: str) -> float:
    """Relative luminance, 0 (black) to 1 (white): WCAG 2.2, "relative luminance"."""

    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(channel) for channel in channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21: WCAG 2.2, "contrast ratio"."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


FACE = "Piazzolla, Georgia, serif"
"""The face of letters and numbers inside drawings; the same as the pages' display face."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """A coordinate with at most one decimal, without a trailing zero: ``12``, ``3.5``."""
    text = f"{value:.1f}"
    return text.removesuffix(".0").replace("-0", "0") if text in {"-0.0", "0.0"} else text.removesuffix(".0")


def text(value: str) -> str:
    """``value`` as it may stand between two tags; characters that XML has no way to write are left out."""
    return escape(_NOT_XML.sub("", value))


def element(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """One element. ``stroke_width=2`` becomes ``stroke-width="2"``, ``class_="x"`` becomes ``class="x"``.

    ``content`` is markup already; attributes are escaped here, and those that are None are left out.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        written = value if isinstance(value, str) else number(value)
        parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(_NOT_XML.sub('', written))}")
    head = " ".join(parts)
    return f"<{head}>{content}</{name}>" if content else f"<{head}/>"


def polygon(points: Iterable[tuple[float, float]], fill: str) -> str:
    """A filled polygon."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill=fill)


def stroked(d: str, width: float, **attributes: str | float | None) -> str:
    """A line in the colour of the text around the drawing, with round ends and corners."""
    return element(
        "path",
        d=d,
        fill="none",
        stroke="currentColor",
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
        **attributes,
    )


def lettering(value: str, x: float, y: float, size: float, fill: str, class_: str | None = None) -> str:
    """Text in the display face, centred on ``x``, standing on the base line ``y``."""
    return element(
        "text",
        text(value),
        x=x,
        y=y,
        font_size=size,
        font_weight="800",
        font_family=FACE,
        text_anchor="middle",
        fill=fill,
        class_=class_,
    )


def words(
    value: str,
    x: float,
    y: float,
    size: float,
    weight: str,
    anchor: str | None = None,
    class_: str | None = None,
) -> str:
    """Text in the display face and in the colour of the text around the drawing, at ``x`` and ``y``."""
    return element(
        "text",
        text(value),
        x=x,
        y=y,
        font_size=size,
        font_family=FACE,
        font_weight=weight,
        text_anchor=anchor,
        fill="currentColor",
        class_=class_,
    )


def frame(content: str, *, width: float, height: float, class_: str, label: str, scale: float = 1) -> str:
    """The ``<svg>`` around a drawing of ``width`` by ``height`` units.

    With a ``label`` it is an image of that name; without, it is ornament and kept from screen readers.
    ``scale`` only sets the size that is used where no style sheet says another (a printed or saved file).
    """
    title = element("title", text(label)) if label else ""
    return element(
        "svg",
        title + content,
        class_=class_,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width * scale,
        height=height * scale,
        role="img" if label else None,
        aria_hidden=None if label else "true",
        focusable="false",
    )
