"""A delay, and what it does to the rest of the day: what follows shifts as far as it must, nothing else."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from .check import conflicts
from .model import Delayed, Placement, RoundOrder, ScheduledMatch, SchedulingProblem, Window


def delayed(
    problem: SchedulingProblem,
    placements: Sequence[Placement],
    *,
    at: int,
    minutes: int,
    table: str | None = None,
    begun: Collection[str] = (),
) -> Delayed:
    """The timetable when a table (or all of them) is late by so many minutes from the minute `at` on.

    The first meeting at the table that begins at `at` or later begins so many minutes later than planned.
    Those after it shift only as far as they must, so that free time and breaks take up the delay. They wait
    for their table with its changeover, and for their people with their rest. They also wait for their
    referee, for what they come after, and for breaks to end. Tables, referees and every order stay. What has
    `begun`, or begins before `at`, stays. What was too close together before may stay so, but gets no closer.
    Nothing moves to another day: past the closing things go on, and are in conflict.
    """
    stays = set(begun)
    in_time = sorted(
        (each for each in placements if each.key in problem.by_key),
        key=lambda each: (each.start, problem.span(each).end, each.table, each.key),
    )
    first_at: dict[str, str] = {}
    for each in in_time:
        if each.start >= at and each.key not in stays and table in (None, each.table):
            first_at.setdefault(each.table, each.key)
    late = set(first_at.values())
    shift = _Shift(problem)
    for placement in in_time:
        fixed = placement.start < at or placement.key in stays
        shift.add(placement, minutes if placement.key in late and not fixed else 0, fixed=fixed)
    moved = shift.start
    after = tuple(
        replace(each, start=moved[each.key]) if each.key in problem.by_key else each for each in placements
    )
    shifted = tuple(each.key for each in in_time if moved[each.key] != each.start)
    known = {(each.flaw, each.keys, each.about) for each in conflicts(problem, placements)}
    new = tuple(each for each in conflicts(problem, after) if (each.flaw, each.keys, each.about) not in known)
    return Delayed(after, shifted, new)


class _Shift:
    """Placements taken in order of their old time, each with its new start."""

    def __init__(self, problem: SchedulingProblem) -> None:
        self.problem = problem
        self.start: dict[str, int] = {}
        self.sharing: dict[tuple[str, str], list[Placement]] = defaultdict(list)
        self.of_tournament: dict[str, list[Placement]] = defaultdict(list)
        self.placed: dict[str, Placement] = {}

    def add(self, placement: Placement, minutes: int, *, fixed: bool) -> None:
        """Take the next one: its own delay, then as much later as what came before it asks for."""
        meeting = self.problem.by_key[placement.key]
        start = placement.start + minutes
        if not fixed:
            start = max(start, self._earliest(placement, meeting))
            if start != placement.start:
                start = self._open(placement.start, start, meeting.minutes)
        self.start[placement.key] = start
        self.placed[placement.key] = placement
        for what, _ in self.problem.shared(placement):
            self.sharing[what].append(placement)
        self.of_tournament[meeting.tournament].append(placement)

    def _earliest(self, placement: Placement, meeting: ScheduledMatch) -> int:
        found = [placement.start]
        for what, gap in self.problem.shared(placement):
            found += [self._after(each, placement, gap) for each in self.sharing[what]]
        found += [self._after(self.placed[key], placement, 0) for key in meeting.after if key in self.placed]
        if self.problem.rounds is not RoundOrder.FREE and meeting.round > 0:
            for each in self.of_tournament[meeting.tournament]:
                other = self.problem.by_key[each.key]
                if 0 < other.round < meeting.round:
                    apart = self.problem.rounds is RoundOrder.APART
                    found.append(self._after(each, placement, 0 if apart else -other.minutes))
        return max(found)

    def _after(self, earlier: Placement, placement: Placement, gap: int) -> int:
        """When it can begin after another: with the gap, or with what there was of it."""
        minutes = self.problem.by_key[earlier.key].minutes
        was = placement.start - (earlier.start + minutes)
        return self.start[earlier.key] + minutes + min(gap, was)

    def _open(self, old: int, start: int, minutes: int) -> int:
        """The next time on the old one's day that so many minutes are open; or else past its closing.

        It isn't on the next day, since nobody wants to hear that it will be tomorrow.
        """
        hall = self.problem.hall
        for day in (each for each in hall.days if each.start <= old < each.end):
            for each in hall.stretches:
                begin = max(start, each.start)
                if day.start <= each.start < day.end and begin + minutes <= each.end:
                    return begin
        return max(start, self._end_of_pause(Window(start, start + minutes)))

    def _end_of_pause(self, span: Window) -> int:
        """The end of a break that the span runs into."""
        return max((each.end for each in self.problem.hall.breaks if each.overlap(span) > 0), default=0)
