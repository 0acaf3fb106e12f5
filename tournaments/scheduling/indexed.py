"""A problem as methods work with it: numbers in place of keys, starts that are allowed, who meets whom."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from .model import RoundOrder, ScheduledMatch, SchedulingProblem, Window


def starts_within(stretches: tuple[Window, ...], minutes: int, step: int) -> list[int]:
    """When something of that length may begin, in order: every `step` minutes from each stretch's start."""
    return [start for each in stretches for start in range(each.start, each.end - minutes + 1, step)]


def common_starts(problem: SchedulingProblem, tournament: str) -> list[int]:
    """When the waves of a tournament begin that starts together, in order; whatever still fits there.

    While some of its meetings are being played, the next wave waits until the first of them can be over.
    """
    hall = problem.hall
    free = [each for each in problem.meetings if each.tournament == tournament and each.pinned is None]
    pitch = -(-(max(each.minutes for each in free) + problem.gap) // hall.step) * hall.step
    shortest = min(each.minutes for each in free)
    ready = ready_at(problem, tournament)
    found: list[int] = []
    for each in hall.stretches:
        late = max(0, ready - each.start)
        first = each.start + -(-late // hall.step) * hall.step
        found += range(first, each.end - shortest + 1, pitch)
    return found


def ready_at(problem: SchedulingProblem, tournament: str) -> int:
    """From when on the next wave of a tournament that starts together can begin."""
    theirs = [each for each in problem.meetings if each.tournament == tournament]
    ready = min(
        (0 if each.not_before is None else each.not_before for each in theirs if each.pinned is None),
        default=0,
    )
    ends = [over + problem.gap for each in theirs if (over := _over(each)) is not None and over > ready]
    return max(ready, min(ends, default=0))


def _over(meeting: ScheduledMatch) -> int | None:
    """When a meeting that is being played is over."""
    return meeting.pinned.start + meeting.minutes if meeting.is_begun and meeting.pinned else None


class Indexed:
    """A problem with its meetings, tables, people and referees numbered from 0.

    `people[i]` are those of meeting i, `kin[i]` the meetings that share somebody with it. `before[i]` are the
    meetings that come before meeting i, each with the minutes that have to pass from its start. `behind[i]`
    is the other way round, with the minutes from the start of i.
    """

    def __init__(self, problem: SchedulingProblem) -> None:
        self.problem = problem
        hall = problem.hall
        self.keys = [each.key for each in problem.meetings]
        self.number = {key: at for at, key in enumerate(self.keys)}
        self.minutes = [each.minutes for each in problem.meetings]
        self.tables = {key: at for at, key in enumerate(hall.tables)}
        self.judges = {each.key: at for at, each in enumerate(problem.judges)}
        names = sorted({person for each in problem.meetings for person in each.people})
        numbers = {person: at for at, person in enumerate(names)}
        self.names = names
        self.people = [sorted(numbers[person] for person in each.people) for each in problem.meetings]
        self.of_person: list[list[int]] = [[] for _ in names]
        for at, people in enumerate(self.people):
            for person in people:
                self.of_person[person].append(at)
        self.kin = [
            sorted({other for person in people for other in self.of_person[person]} - {at})
            for at, people in enumerate(self.people)
        ]
        self.may = [
            [at for at, judge in enumerate(problem.judges) if judge.may(each)] for each in problem.meetings
        ]
        self.before: list[dict[int, int]] = [{} for _ in self.keys]
        self.behind: list[dict[int, int]] = [{} for _ in self.keys]
        self._order()
        self.common: dict[str, list[int]] = {}
        if problem.together:
            waiting = {each.tournament for each in problem.meetings if each.pinned is None}
            self.common = {each: common_starts(problem, each) for each in sorted(waiting)}
        self.starts = [self._starts(at) for at in range(len(self.keys))]

    @property
    def size(self) -> int:
        """How many meetings there are."""
        return len(self.keys)

    def keys_of(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The keys of these meetings."""
        return tuple(self.keys[at] for at in numbers)

    def _order(self) -> None:
        for at, meeting in enumerate(self.problem.meetings):
            for key in meeting.after:
                if key in self.number:
                    self._comes_before(self.number[key], at, self.minutes[self.number[key]])
        if self.problem.rounds is RoundOrder.FREE:
            return
        apart = self.problem.rounds is RoundOrder.APART
        for rounds in self.rounds.values():
            ordered = [rounds[number] for number in sorted(rounds)]
            # Each meeting of a round with each of the next: what holds for neighbours holds for all.
            for earlier, later in pairwise(ordered):
                for one in earlier:
                    for other in later:
                        self._comes_before(one, other, self.minutes[one] if apart else 0)

    def _comes_before(self, one: int, other: int, minutes: int) -> None:
        if minutes >= self.before[other].get(one, 0):
            self.before[other][one] = minutes
            self.behind[one][other] = minutes

    @cached_property
    def rounds(self) -> Mapping[str, Mapping[int, list[int]]]:
        """Of each tournament that has rounds, the meetings of each."""
        found: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for at, meeting in enumerate(self.problem.meetings):
            if meeting.round > 0:
                found[meeting.tournament][meeting.round].append(at)
        return found

    def _starts(self, at: int) -> list[int]:
        """When meeting `at` may begin, by the hours, the common starts, `not_before` and its pin."""
        meeting, hall = self.problem.meetings[at], self.problem.hall
        if meeting.pinned is not None:
            return [meeting.pinned.start]
        if meeting.tournament in self.common:
            found = [
                start
                for start in self.common[meeting.tournament]
                if any(each.holds(Window(start, start + meeting.minutes)) for each in hall.stretches)
            ]
        else:
            found = starts_within(hall.stretches, meeting.minutes, hall.step)
        if meeting.not_before is not None:
            found = [start for start in found if start >= meeting.not_before]
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """What an exact method says: starts, tables and referees by the number of the meeting, or that none fit.

    `tables` are None where any free table will do. No timetable ends before `bound`; `proved` says that the
    search is over: the answer is the best, or there is none.
    """

    starts: tuple[int, ...] | None = None
    tables: tuple[int, ...] | None = None
    judges: tuple[int | None, ...] = ()
    bound: int | None = None
    proved: bool = False
