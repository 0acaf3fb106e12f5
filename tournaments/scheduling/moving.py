"""One meeting moved by hand: what is in conflict then, and with whom it could change places."""

from collections.abc import Sequence
from dataclasses import replace

from .check import conflicts
from .model import Moved, Placement, SchedulingProblem, Swap, Window

MOST = 6
"""So many swaps are offered, no more."""


def moved(
    problem: SchedulingProblem, placements: Sequence[Placement], key: str, table: str, start: int
) -> Moved:
    """The timetable with one meeting at that table from then on, whether it was placed before or not.

    `conflicts` are all there are then. `swaps` are meetings that could take its old place without any
    conflict that there wasn't before. First come those that are in its way at that table, then those at the
    same time elsewhere. Tables keep their referees, or, where that is a conflict, the meetings keep theirs.
    Raises KeyError for an unknown meeting.
    """
    meeting = problem.by_key[key]
    old = next((each for each in placements if each.key == key), None)
    new = Placement(key, table, start, None if old is None else old.judge)
    after = _with(placements, new)
    swaps: list[Swap] = []
    if old is not None:
        known = {each.identity for each in conflicts(problem, placements)}
        span = Window(start, start + meeting.minutes)
        met = sorted(
            (each for each in placements if _may_swap(problem, each, key, span)),
            key=lambda each: (each.table != table, abs(each.start - start), each.table, each.key),
        )
        for other in met:
            if len(swaps) == MOST:
                break
            if found := _swapped(problem, placements, old, other, known):
                swaps.append(Swap(other.key, found))
    return Moved(after, conflicts(problem, after), tuple(swaps))


def _may_swap(problem: SchedulingProblem, other: Placement, key: str, span: Window) -> bool:
    theirs = problem.by_key.get(other.key)
    return (
        theirs is not None
        and other.key != key
        and theirs.pinned is None
        and problem.span(other).overlap(span) > 0
    )


def _swapped(
    problem: SchedulingProblem,
    placements: Sequence[Placement],
    one: Placement,
    other: Placement,
    known: set[tuple[object, ...]],
) -> tuple[Placement, ...] | None:
    """The timetable in which the two have changed places, if nothing new is in conflict."""
    for mine, theirs in ((other.judge, one.judge), (one.judge, other.judge)):
        found = _with(
            _with(placements, replace(other, key=one.key, judge=mine)),
            replace(one, key=other.key, judge=theirs),
        )
        if {each.identity for each in conflicts(problem, found)} <= known:
            return found
    return None


def _with(placements: Sequence[Placement], new: Placement) -> tuple[Placement, ...]:
    if all(each.key != new.key for each in placements):
        return (*placements, new)
    return tuple(new if each.key == new.key else each for each in placements)
