"""Formats, which decide who meets whom: plain data in and plain data out."""

from .constraints import Constraints, ConstraintsKept, DrawField, Together, kept
from .course import Course, Sitting
from .duel import DUEL
from .errors import CannotDraw, gettext_noop
from .fairness import fairness
from .inputs import DrawInputs
from .layout import as_draw
from .listing import draw_lines, report_lines
from .match_kind import seating
from .mini_tournament import MiniTournament
from .model import DrawMatch, DrawnRounds, DrawSquad, Player, Settings, equalize
from .order import METHOD, lot
from .preview import DrawForecast, EntryLoad, preview
from .triangle import TRIANGLE


def get_format(key: str) -> MiniTournament:
    """The format of mini-tournaments of that key; raises CannotDraw if there is none."""
    known = {form.key: form for form in (TRIANGLE, DUEL)}
    if key not in known:
        raise CannotDraw(
            "format",
            gettext_noop("There is no format %(given)s; there are %(known)s."),
            given=repr(key),
            known=", ".join(known),
        )
    return known[key]


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
