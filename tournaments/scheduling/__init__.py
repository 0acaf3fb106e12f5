"""Which meeting at which table, when, with which referee: pure, plain data in and plain data out.

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
    Change,
    Conflict,
    Delayed,
    Flaw,
    Hall,
    Impossible,
    Judge,
    Meeting,
    Method,
    Moved,
    Placement,
    Problem,
    Progress,
    Remedy,
    Report,
    RoundOrder,
    Step,
    Stopped,
    Swap,
    Timetable,
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
    "Change",
    "Comparison",
    "Conflict",
    "DayFigures",
    "Delayed",
    "Figure",
    "Flaw",
    "Hall",
    "Impossible",
    "Judge",
    "Meeting",
    "Method",
    "Moved",
    "Placement",
    "Problem",
    "Progress",
    "Remedy",
    "Report",
    "RoundOrder",
    "Step",
    "Stopped",
    "Swap",
    "Timetable",
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
