"""Search for a timetable: put in what is missing where it disturbs least, take out what it disturbs, go on.

A table of a few hundred meetings is full long before everything is at its place. So what is put in must be
able to push something else out. Who was pushed out by the same meeting before is harder to push out again;
that keeps it from going in circles. Chance comes from a seed alone, and effort is counted in attempts and not
in seconds. So the same problem and seed give the same timetable on any computer.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from .indexed import Indexed
from .model import Placement, Window

FIXED = 1_000_000
"""What it would cost to push out something pinned: more than anything else together."""


@dataclass(slots=True)
class Spot:
    """A place for a meeting: from when on, at which table, with which referee; and what it would push out."""

    start: int
    table: int
    judge: int | None
    cost: int


class Board:
    """A timetable in the making. `start[i]` is None while meeting i has no place."""

    def __init__(self, indexed: Indexed, random: Random) -> None:
        self.indexed = indexed
        self.random = random
        size = indexed.size
        self.start: list[int | None] = [None] * size
        self.table = [0] * size
        self.judge: list[int | None] = [None] * size
        self.at_table: list[set[int]] = [set() for _ in indexed.tables]
        self.of_judge: list[set[int]] = [set() for _ in indexed.judges]
        self.pushed: dict[tuple[int, int], int] = defaultdict(int)
        self.pinned = [each.pinned is not None for each in indexed.problem.meetings]
        self.missing: list[int] = []
        self.end: int | None = None
        for at, meeting in enumerate(indexed.problem.meetings):
            if meeting.pinned is None:
                self.missing.append(at)
                continue
            pin = meeting.pinned
            judge = None if pin.judge is None else indexed.judges[pin.judge]
            self._put(at, pin.start, indexed.tables[pin.table], judge)
        if indexed.problem.judged:
            for at, pinned in enumerate(self.pinned):
                if pinned and self.judge[at] is None:
                    self.find_judge(at)

    def place(self, at: int, start: int, table: int, judge: int | None) -> None:
        """Put a meeting anywhere, whatever is there."""
        if self.start[at] is not None:
            self.take(at)
        self.missing.remove(at)
        self._put(at, start, table, judge)

    def limit(self, end: int | None) -> None:
        """Let everything be over at `end`; what isn't loses its place."""
        self.end = end
        for at, start in enumerate(self.start):
            if start is not None and end is not None and start + self.indexed.minutes[at] > end:
                self.take(at)

    def copy(self) -> "Board":
        """Another board with the same placements, chance and memory."""
        twin = copy(self)
        twin.start, twin.table, twin.judge = list(self.start), list(self.table), list(self.judge)
        twin.at_table = [set(each) for each in self.at_table]
        twin.of_judge = [set(each) for each in self.of_judge]
        twin.missing = list(self.missing)
        return twin

    def _put(self, at: int, start: int, table: int, judge: int | None) -> None:
        self.start[at], self.table[at], self.judge[at] = start, table, judge
        self.at_table[table].add(at)
        if judge is not None:
            self.of_judge[judge].add(at)

    def take(self, at: int) -> None:
        """Take a meeting from its place."""
        self.at_table[self.table[at]].discard(at)
        judge = self.judge[at]
        if judge is not None:
            self.of_judge[judge].discard(at)
        self.start[at] = self.judge[at] = None
        self.missing.append(at)

    def put(self, at: int, spot: Spot) -> None:
        """Put a missing meeting at a spot that is free."""
        self.place(at, spot.start, spot.table, spot.judge)

    def allowed(self, at: int) -> list[int]:
        """When a meeting may begin, as things stand."""
        starts = self.indexed.starts[at]
        if self.end is None:
            return starts
        return starts[: bisect_right(starts, self.end - self.indexed.minutes[at])]

    def disturbed(self, at: int, start: int, table: int, judge: int | None) -> list[int]:
        """Which meetings have to leave if one is put there."""
        indexed, hall = self.indexed, self.indexed.problem.hall
        over = start + indexed.minutes[at]
        found = set()
        sharing: list[tuple[Iterable[int], int]] = [
            (indexed.kin[at], hall.rest),
            (self.at_table[table], hall.changeover),
            (() if judge is None else self.of_judge[judge], 0),
        ]
        for others, gap in sharing:
            for other in others:
                begun = self.start[other]
                if begun is None:
                    continue
                if start < begun + indexed.minutes[other] + gap and begun < over + gap:
                    found.add(other)
        for other, minutes in indexed.before[at].items():
            begun = self.start[other]
            if begun is not None and start < begun + minutes:
                found.add(other)
        for other, minutes in indexed.behind[at].items():
            begun = self.start[other]
            if begun is not None and begun < start + minutes:
                found.add(other)
        found.discard(at)
        return sorted(found)

    def _start(self, at: int) -> int:
        start = self.start[at]
        assert start is not None  # noqa: S101 - only what has a place is at a table
        return start

    def _weight(self, at: int, other: int) -> int:
        return FIXED if self.pinned[other] else 1 + self.pushed.get((at, other), 0)

    def costs(self, at: int) -> tuple[list[int], list[int], list[list[int]]]:
        """Starts at which a meeting may begin, what people and order cost at each, and each table."""
        indexed, hall = self.indexed, self.indexed.problem.hall
        starts, long, rest = self.allowed(at), indexed.minutes[at], hall.rest
        change = [0] * (len(starts) + 1)
        for other in indexed.kin[at]:
            begun = self.start[other]
            if begun is not None:
                weight = self._weight(at, other)
                change[bisect_right(starts, begun - long - rest)] += weight
                change[bisect_left(starts, begun + indexed.minutes[other] + rest)] -= weight
        for other, minutes in indexed.before[at].items():
            begun = self.start[other]
            if begun is not None:
                weight = self._weight(at, other)
                change[0] += weight
                change[bisect_left(starts, begun + minutes)] -= weight
        for other, minutes in indexed.behind[at].items():
            begun = self.start[other]
            if begun is not None:
                change[bisect_right(starts, begun - minutes)] += self._weight(at, other)
        by_people = list(accumulate(change[:-1]))
        by_table = [self._cost_among(at, there, starts, hall.changeover) for there in self.at_table]
        return starts, by_people, by_table

    def _cost_among(self, at: int, there: Iterable[int], starts: list[int], gap: int) -> list[int]:
        """What it costs at each start to be where those are, with `gap` minutes between two."""
        long, minutes, begins = self.indexed.minutes[at] + gap, self.indexed.minutes, self.start
        pushed, pinned = self.pushed, self.pinned
        change = [0] * (len(starts) + 1)
        for other in there:
            begun = begins[other] or 0
            weight = FIXED if pinned[other] else 1 + pushed.get((at, other), 0)
            change[bisect_right(starts, begun - long)] += weight
            change[bisect_left(starts, begun + minutes[other] + gap)] -= weight
        return list(accumulate(change[:-1]))

    def spots(self, at: int, *, first: bool = False) -> list[Spot]:
        """The spots of a missing meeting that cost least, in order of time and table; with `first`, the first
        one that costs nothing is enough.

        Where people and a table are free and no referee is, the referees are changed around first.
        """
        starts, by_people, by_table = self.costs(at)
        if not starts:
            return []
        cheapest = [min(each) for each in zip(*by_table, strict=True)]
        total = [one + other for one, other in zip(by_people, cheapest, strict=True)]
        if self.indexed.problem.judged:
            return self._judged_spots(at, starts, total, by_table, cheapest, first=first)
        least = min(total)
        return [
            Spot(start, _first(by_table, n, cheapest[n]), None, least)
            for n, start in enumerate(starts)
            if total[n] == least
        ]

    def _judged_spots(
        self,
        at: int,
        starts: list[int],
        total: list[int],
        by_table: list[list[int]],
        cheapest: list[int],
        *,
        first: bool,
    ) -> list[Spot]:
        problem, long = self.indexed.problem, self.indexed.minutes[at]
        by_judge = {
            judge: self._cost_among(at, self.of_judge[judge], starts, 0) for judge in self.indexed.may[at]
        }
        order = sorted(by_judge, key=lambda judge: (len(self.of_judge[judge]), judge))
        judging = self._judging(starts)
        least: int | None = None
        found: list[Spot] = []
        for n, start in enumerate(starts):
            if least is not None and total[n] > least:
                continue
            span = Window(start, start + long)
            there = [judge for judge in order if problem.judges[judge].is_there(span)]
            if not there:
                continue
            judge = min(there, key=lambda each: by_judge[each][n])
            cost = by_judge[judge][n]
            # Where all referees judge already, changing them around frees none.
            if cost and not total[n] and judging[n] < len(problem.judges):
                cost = cost if self._freed(at, span, there, set(), trial=True) is None else 0
            cost += total[n]
            if least is None or cost < least:
                least, found = cost, []
            if cost == least:
                found.append(Spot(start, _first(by_table, n, cheapest[n]), judge, cost))
                if first and not cost:
                    break
        return found

    def _judging(self, starts: list[int]) -> list[int]:
        """How many referees judge at each of the starts."""
        change = [0] * (len(starts) + 1)
        for theirs in self.of_judge:
            for at in theirs:
                begun = self._start(at)
                change[bisect_left(starts, begun)] += 1
                change[bisect_left(starts, begun + self.indexed.minutes[at])] -= 1
        return list(accumulate(change[:-1]))

    def find_judge(self, at: int) -> bool:
        """Give a placed meeting a referee, changing others around if need be. Says whether there is one."""
        span = self.span(at)
        candidates = self.judges_there(at, span)
        judge = self._freed(at, span, candidates, set(), trial=False)
        if judge is None:
            return False
        self.give(at, judge)
        return True

    def give(self, at: int, judge: int) -> None:
        before = self.judge[at]
        if before is not None:
            self.of_judge[before].discard(at)
        self.judge[at] = judge
        self.of_judge[judge].add(at)

    def span(self, at: int) -> Window:
        return Window(self._start(at), self._start(at) + self.indexed.minutes[at])

    def judges_there(self, at: int, span: Window) -> list[int]:
        judges = self.indexed.problem.judges
        found = [judge for judge in self.indexed.may[at] if judges[judge].is_there(span)]
        return sorted(found, key=lambda judge: (len(self.of_judge[judge]), judge))

    def _freed(
        self, at: int, span: Window, candidates: list[int], tried: set[int], *, trial: bool
    ) -> int | None:
        """A referee who is free, or whose one meeting at that time another can take, who … in turn.

        `tried` are those who were asked already: nobody changes twice. With `trial` nobody changes.
        """
        busy: list[tuple[int, int]] = []
        for judge in candidates:
            if judge in tried:
                continue
            theirs = self.judged_within(judge, at, span)
            if not theirs:
                return judge
            if len(theirs) == 1 and not self.judge_is_pinned(theirs[0]):
                busy.append((judge, theirs[0]))
        for judge, other in busy:
            if judge in tried:
                continue
            tried.add(judge)
            theirs_span = self.span(other)
            others = self.judges_there(other, theirs_span)
            instead = self._freed(other, theirs_span, others, tried, trial=trial)
            if instead is not None:
                if not trial:
                    self.give(other, instead)
                return judge
        return None

    def judged_within(self, judge: int, but: int, span: Window) -> list[int]:
        """What a referee judges at that time, one meeting left out."""
        begins, minutes = self.start, self.indexed.minutes
        return [
            other
            for other in self.of_judge[judge]
            if other != but
            and (begun := begins[other] or 0) < span.end
            and span.start < begun + minutes[other]
        ]

    def judge_is_pinned(self, at: int) -> bool:
        pin = self.indexed.problem.meetings[at].pinned
        return pin is not None and pin.judge is not None

    def settle(self, at: int, spot: Spot) -> None:
        """Put a missing meeting at a spot; what it disturbs loses its place."""
        if self.indexed.problem.judged and spot.cost == 0:
            # Perhaps the referees have to change around for it.
            self.put(at, Spot(spot.start, spot.table, None, 0))
            if self.find_judge(at):
                return
            self.take(at)
        for other in self.disturbed(at, spot.start, spot.table, spot.judge):
            self.pushed[at, other] += 1
            self.take(other)
        self.put(at, spot)

    def fill(self, order: Iterable[int]) -> None:
        """Put in what is missing, in that order, each as early as it is free; leave out what isn't."""
        for at in order:
            if self.start[at] is not None:
                continue
            spots = self.spots(at, first=True)
            if spots and not spots[0].cost:
                self.settle(at, spots[0])

    def search(self, attempts: int, go_on: Callable[[int], bool]) -> int:
        """Put in what is missing, pushing out others, with so many attempts; how many it took.

        `go_on` is asked before each with the number of those that are missing. When it is over and something
        is still missing, the best that there was stands.
        """
        best, fewest, used = self.copy(), len(self.missing), 0
        while self.missing and used < attempts and go_on(len(self.missing)):
            used += 1
            at = self.random.choice(self.missing)
            spots = self.spots(at)
            if not spots or spots[0].cost >= FIXED:
                # Nothing but what is pinned stands there: others may go from where it can be.
                if len(self.missing) == 1 or not spots:
                    break
                continue
            self.settle(at, spots[0] if self.random.random() < 0.1 else self.random.choice(spots))
            if len(self.missing) < fewest:
                best, fewest = self.copy(), len(self.missing)
        if self.missing:
            vars(self).update(vars(best))
        return used

    @property
    def over(self) -> int | None:
        """When the last meeting is over."""
        return max(
            (start + self.indexed.minutes[at] for at, start in enumerate(self.start) if start is not None),
            default=None,
        )

    def placements(self) -> list[Placement]:
        """All that have a place, in order of time and table."""
        keys, problem = self.indexed.keys, self.indexed.problem
        found = [(start, self.table[at], at) for at, start in enumerate(self.start) if start is not None]
        judges = [None if judge is None else problem.judges[judge].key for judge in self.judge]
        return [
            Placement(keys[at], problem.hall.tables[table], start, judges[at])
            for start, table, at in sorted(found)
        ]


def _first(by_table: list[list[int]], n: int, cost: int) -> int:
    """The first table of that cost at the n-th start."""
    return next(table for table, costs in enumerate(by_table) if costs[n] == cost)
