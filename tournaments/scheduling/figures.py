"""Figures of a timetable, and in which of them one timetable is worse than another."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .check import clashes
from .model import Placement, SchedulingProblem
from .waiting import longest_waits


class Figure(StrEnum):
    """What is compared; of each, less is better."""

    CLASHES = "clashes"
    """How often two meetings want a table, a person or a referee at the same time."""
    END = "end"
    """When the last meeting is over."""
    LONGEST_WAIT = "longest_wait"
    """The longest wait of a person between two meetings of a day, breaks not counted."""
    STARTS = "starts"
    """How many different times meetings begin at."""


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The figures of a timetable: `end` is a minute, `longest_wait` so many minutes, the others count."""

    end: int
    longest_wait: int
    starts: int
    clashes: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figures of the same meetings before and after a timetable was worked out."""

    before: DayFigures
    after: DayFigures

    def worse(self) -> dict[Figure, int]:
        """The figures that are worse after than before, and by how much."""
        return {figure: by for figure in Figure if (by := self._change(figure)) > 0}

    def better(self) -> dict[Figure, int]:
        """The figures that are better after than before, and by how much."""
        return {figure: -by for figure in Figure if (by := self._change(figure)) < 0}

    def _change(self, figure: Figure) -> int:
        return int(getattr(self.after, figure.value)) - int(getattr(self.before, figure.value))


def figures(problem: SchedulingProblem, placements: Sequence[Placement]) -> DayFigures:
    """The figures of these placements, each of a meeting of the problem."""
    return DayFigures(
        max((problem.span(each).end for each in placements), default=0),
        max(longest_waits(problem, placements).values(), default=0),
        len({each.start for each in placements}),
        len(clashes(problem, placements)),
    )
