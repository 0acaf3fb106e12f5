"""Timetables: match, table, start and referee; plain data in and plain data out.

`solve` works a timetable out, or says why there is none and what would make it fit; `conflicts` says all that
is wrong with any timetable, `clashes` what nobody can play by. `moved`, `delayed` and
`with_judges` change one.
"""

from .check import clashes, conflicts
from .figures import Comparison, DayFigures, Figure, figures
from .judging import with_judges
from .model import (
    Cancelled,
    Cause,
    Conflict,
    Delayed,
    Flaw,
    Hall,
    Impossible,
    Judge,
    Method,
    Moved,
    Placement,
    Progress,
    Remedy,
    Report,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    SettingsChange,
    SolvedTimetable,
    Step,
    Stopped,
    Swap,
    Window,
)
from .moving import moved
from .remedies import applied
from .shifting import delayed
from .solving import SECONDS, exact_method, solve
from .waiting import longest_waits, waiting

__all__ = [
    "SECONDS",
    "Cancelled",
    "Cause",
    "Comparison",
    "Conflict",
    "DayFigures",
    "Delayed",
    "Figure",
    "Flaw",
    "Hall",
    "Impossible",
    "Judge",
    "Method",
    "Moved",
    "Placement",
    "Progress",
    "Remedy",
    "Report",
    "RoundOrder",
    "ScheduledMatch",
    "SchedulingProblem",
    "SettingsChange",
    "SolvedTimetable",
    "Step",
    "Stopped",
    "Swap",
    "Window",
    "applied",
    "clashes",
    "conflicts",
    "delayed",
    "exact_method",
    "figures",
    "longest_waits",
    "moved",
    "solve",
    "waiting",
    "with_judges",
]
