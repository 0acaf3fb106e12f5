"""Formats, which decide who meets whom: plain data in and plain data out."""

from .apart import METHOD_APART, METHOD_EVEN_APART
from .as_draw import as_draw
from .constraints import Constraints, ConstraintsKept, Together, kept
from .course import Course, Sitting
from .duel import DUEL
from .equal import EqualNumbers, equalize
from .errors import CannotDraw, gettext_noop
from .fairness import EntryFairness, Fairness, Remark, TeamFairness, fairness
from .field import DrawField
from .inputs import DrawInputs
from .layout import with_tables
from .listing import draw_lines, report_lines
from .meetings import EntryMeetings, Rematch, TeamMeetings
from .mini_tournament import MiniTournament
from .model import DrawMatch, DrawnRounds, DrawSquad, GameKey, Player, Round, Settings, Wave
from .order import METHOD, METHOD_EVEN, lot
from .preview import DrawForecast, EntryLoad, RoundTime, WaveTime, preview
from .round_robin import RoundRobin
from .seating import seating
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
    "METHOD_APART",
    "METHOD_EVEN",
    "METHOD_EVEN_APART",
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
    "EntryFairness",
    "EntryLoad",
    "EntryMeetings",
    "EqualNumbers",
    "Fairness",
    "GameKey",
    "MiniTournament",
    "Player",
    "Remark",
    "Rematch",
    "Round",
    "RoundRobin",
    "RoundTime",
    "Settings",
    "Sitting",
    "TeamFairness",
    "TeamMeetings",
    "Together",
    "Wave",
    "WaveTime",
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
    "with_tables",
]
