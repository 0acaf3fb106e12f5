"""Waiting between matches, and how matches change places so that people wait less."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from .model import Hall, Placement, SchedulingProblem, Step, Window
from .search import Board, Spot
from .watch import Watch

EXCHANGES = 1_500
"""So many changes are tried so that people wait less in all, then half as many so that no wait is long."""


def waiting(problem: SchedulingProblem, placements: Sequence[Placement]) -> int:
    """The minutes that all people together spend between their first and last meeting of a day without
    playing, breaks not counted.
    """
    clock = SearchClock(problem.hall)
    return sum(clock.wait(spans) for spans in _spans(problem, placements).values())


def longest_waits(problem: SchedulingProblem, placements: Sequence[Placement]) -> dict[str, int]:
    """Of each person the longest wait between two meetings of a day one after the other, in minutes, breaks
    not counted.
    """
    clock = SearchClock(problem.hall)
    return {
        person: max(clock.gaps(spans), default=0) for person, spans in _spans(problem, placements).items()
    }


def _spans(problem: SchedulingProblem, placements: Sequence[Placement]) -> dict[str, list[tuple[int, int]]]:
    of_person: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for placement in placements:
        meeting = problem.by_key[placement.key]
        for person in meeting.people:
            of_person[person].append((placement.start, placement.start + meeting.minutes))
    return of_person


class SearchClock:
    """The hours of a hall, for counting how long people wait."""

    def __init__(self, hall: Hall) -> None:
        self.days, self.stretches = hall.days, hall.stretches
        self._begins = [each.start for each in hall.days]
        self._pauses = [
            Window(before.end, after.start)
            for before, after in pairwise(hall.stretches)
            if self._day(before.start) == self._day(after.start)
        ]
        self._opened: dict[int, int] = {}

    def opened(self, minute: int) -> int:
        """How many minutes were open before that one, breaks not counted."""
        if minute not in self._opened:
            self._opened[minute] = sum(
                min(each.end, minute) - each.start for each in self.stretches if each.start < minute
            )
        return self._opened[minute]

    def wait(self, spans: Sequence[tuple[int, int]]) -> int:
        """What one person waits whose meetings take these minutes."""
        waited = 0
        for day in self.days:
            theirs = [each for each in spans if day.start <= each[0] < day.end]
            if len(theirs) > 1:
                begun, over = min(start for start, _ in theirs), max(end for _, end in theirs)
                played = sum(end - start for start, end in theirs)
                waited += max(0, self.opened(over) - self.opened(begun) - played)
        return waited

    def gaps(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """What one person waits from each meeting of a day to the next one, even while the hall is closed."""
        return [
            max(0, start - end - sum(max(0, each.overlap(Window(end, start))) for each in self._pauses))
            for (begun, end), (start, _) in pairwise(sorted(spans))
            if self._day(begun) == self._day(start)
        ]

    def _day(self, minute: int) -> int:
        """The number of the last day that has begun by then; of the first one before that."""
        return max(0, bisect_right(self._begins, minute) - 1)


Wait = tuple[int, int]
"""Minutes that somebody waits in all; and the squares of the single waits, so that none is very long."""
_NONE = (0, 0)


class _Waits:
    """The waits of a board's people, quickly."""

    def __init__(self, board: Board) -> None:
        self.board, self.indexed = board, board.indexed
        self.clock = SearchClock(board.indexed.problem.hall)
        self._is_even = False
        self.of: list[Wait] = [self.wait(person) for person in range(len(self.indexed.names))]

    def make_even(self) -> None:
        """Count single waits from now on, too."""
        self._is_even = True
        self.of = [self.wait(person) for person in range(len(self.indexed.names))]

    def wait(self, person: int) -> Wait:
        begins, minutes = self.board.start, self.indexed.minutes
        spans = [
            (start, start + minutes[at])
            for at in self.indexed.of_person[person]
            if (start := begins[at]) is not None
        ]
        squares = sum(gap * gap for gap in self.clock.gaps(spans)) if self._is_even else 0
        return self.clock.wait(spans), squares

    def total(self, people: Sequence[int]) -> Wait:
        return sum(self.of[person][0] for person in people), sum(self.of[person][1] for person in people)

    def renew(self, people: Sequence[int]) -> Wait:
        for person in people:
            self.of[person] = self.wait(person)
        return self.total(people)


def calmed(board: Board, watch: Watch) -> None:
    """Change a full board so that people wait less, and nothing ends later: one meeting goes to a free spot,
    or two change places. A change that makes nothing worse stands. At first that is one after which they wait
    no longer in all. Later it is one with as many minutes, in which no single wait grows at the cost of more
    even ones.
    """
    indexed = board.indexed
    movable = [at for at in range(indexed.size) if not board.pinned[at]]
    if not movable or not any(len(theirs) > 1 for theirs in indexed.of_person):
        return
    waits = _Waits(board)
    for number in range(EXCHANGES + EXCHANGES // 2):
        if number == EXCHANGES:
            waits.make_even()
        watch.tell(Step.IMPROVING, placed=indexed.size, of=indexed.size, end=board.over)
        if not watch.goes_on():
            return
        at = board.random.choice(movable)
        if board.random.random() < 0.5:
            _move(board, waits, at)
        else:
            _exchange(board, waits, at, board.random.choice(movable))


def _move(board: Board, waits: _Waits, at: int) -> None:
    """Move one meeting to a free spot, if nobody waits longer for it."""
    was = _spot(board, at)
    people = board.indexed.people[at]
    before = waits.total(people)
    if before == _NONE:
        return
    judges = list(board.judge)
    board.take(at)
    spots = [each for each in board.spots(at) if not each.cost]
    if not spots:
        board.put(at, was)
        return
    spot = board.random.choice(spots)
    board.settle(at, spot)
    if waits.renew(people) > before:
        board.take(at)
        board.put(at, was)
        waits.renew(people)
        if board.indexed.problem.judged:
            _judges_back(board, judges)


def _exchange(board: Board, waits: _Waits, one: int, other: int) -> None:
    """Let two meetings of one length change places, if that is free and nobody waits longer for it."""
    if one == other or board.indexed.minutes[one] != board.indexed.minutes[other]:
        return
    mine, theirs = _spot(board, one), _spot(board, other)
    if mine.start == theirs.start:
        return
    allowed = board.indexed.starts
    if theirs.start not in allowed[one] or mine.start not in allowed[other]:
        return
    people = sorted({*board.indexed.people[one], *board.indexed.people[other]})
    before = waits.total(people)
    if before == _NONE:
        return
    board.take(one)
    board.take(other)
    if _free(board, one, theirs):
        board.put(one, theirs)
        if _free(board, other, mine):
            board.put(other, mine)
            if waits.renew(people) <= before:
                return
            board.take(other)
        board.take(one)
    board.put(one, mine)
    board.put(other, theirs)
    waits.renew(people)


def _free(board: Board, at: int, spot: Spot) -> bool:
    if spot.judge is not None:
        judge = board.indexed.problem.judges[spot.judge]
        span = Window(spot.start, spot.start + board.indexed.minutes[at])
        if spot.judge not in board.indexed.may[at] or not judge.is_there(span):
            return False
    return not board.disturbed(at, spot.start, spot.table, spot.judge)


def _spot(board: Board, at: int) -> Spot:
    start = board.start[at]
    assert start is not None  # noqa: S101 - the board is full
    return Spot(start, board.table[at], board.judge[at], 0)


def _judges_back(board: Board, judges: list[int | None]) -> None:
    for each in board.of_judge:
        each.clear()
    for at, judge in enumerate(judges):
        board.judge[at] = judge
        if judge is not None:
            board.of_judge[judge].add(at)
