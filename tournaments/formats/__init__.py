"""Formats, which decide who meets whom: plain data in and plain data out."""

from .constraints import Constraints, ConstraintsKept, DrawField, Together, kept
from .day_forecast import DrawForecast, EntryLoad, preview
from .errors import CannotDraw
from .fairness import fairness
from .inputs import DrawInputs, get_format
from .listing import draw_lines, report_lines
from .match_lengths import seating
from .match_sequence import Course, Sitting
from .model import DrawMatch, DrawnRounds, DrawSquad, Player, Settings, equalize
from .order import METHOD, lot
from .table_layout import as_draw

__all__ = [
    "METHOD",
    "CannotDraw",
    "Constraints",
    "ConstraintsKept",
    "Course",
    "DrawField",
    "DrawForecast",
    "DrawInputs",
    "DrawMatch",
    "DrawSquad",
    "DrawnRounds",
    "EntryLoad",
    "Player",
    "Settings",
    "Sitting",
    "Together",
    "as_draw",
    "draw_lines",
    "equalize",
    "fairness",
    "get_format",
    "kept",
    "lot",
    "preview",
    "report_lines",
    "seating",
]
