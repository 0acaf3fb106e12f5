"""Colours as WCAG 2.2 measures them: relative luminance and contrast."""

import re

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
