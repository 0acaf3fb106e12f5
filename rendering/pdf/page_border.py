"""The edge of a tent, which runs along the top of everything printed."""

from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from rendering.svg.markup import INK

_STRIPES: Final = (INK, "#8f1457")
_STEP: Final = 24.0
_DROP: Final = 9.0


def tent(canvas: Canvas, left: float, top: float, width: float, band: float) -> None:
    """Draw a band from `top` down with scallops below it, in points; they hang nine points deeper."""
    low = top - band
    count = max(1, round(width / _STEP)) | 1
    step = width / count
    for scallop in range(count):
        canvas.setFillColor(HexColor(_STRIPES[scallop % 2]))
        start = left + scallop * step
        canvas.ellipse(start, low - _DROP, start + step, low + _DROP, stroke=0, fill=1)
    canvas.setFillColor(HexColor(_STRIPES[0]))
    canvas.rect(left, low, width, band, stroke=0, fill=1)
