"""How long people wait between their meetings, and how meetings change places so that they wait less."""

from collections import defaultdict
from collections.abc import Sequence

from .model import Hall, Placement, Problem, Step, Window
from .search import Board, Spot
from .watch import Watch

EXCHANGES = 1_500
"""How many changes are tried."""


def waiting(problem: Problem, placements: Sequence[Placement]) -> int:
    """The minutes that all people together spend between their first and last meeting of a day without
    playing, breaks not counted.
    """
    of_person: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for placement in placements:
        meeting = problem.by_key[placement.key]
        for person in meeting.people:
            of_person[person].append((placement.start, placement.start + meeting.minutes))
    clock = Clock(problem.hall)
    return sum(clock.wait(spans) for spans in of_person.values())


class Clock:
    """The hours of a hall, for counting how long people wait."""

    def __init__(self, hall: Hall) -> None:
        self.days, self.stretches = hall.days, hall.stretches
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


class _Waits:
    """The waits of a board's people, quickly."""

    def __init__(self, board: Board) -> None:
        self.board, self.indexed = board, board.indexed
        self.clock = Clock(board.indexed.problem.hall)
        self.of: list[int] = [self.wait(person) for person in range(len(self.indexed.names))]

    def wait(self, person: int) -> int:
        begins, minutes = self.board.start, self.indexed.minutes
        return self.clock.wait(
            [
                (start, start + minutes[at])
                for at in self.indexed.of_person[person]
                if (start := begins[at]) is not None
            ]
        )

    def total(self, people: Sequence[int]) -> int:
        return sum(self.of[person] for person in people)

    def renew(self, people: Sequence[int]) -> int:
        for person in people:
            self.of[person] = self.wait(person)
        return self.total(people)


def calmed(board: Board, watch: Watch, exchanges: int = EXCHANGES) -> None:
    """Change a full board so that people wait less, and nothing ends later: one meeting goes to a free spot,
    or two change places. A change that makes nothing worse stands.
    """
    indexed = board.indexed
    movable = [at for at in range(indexed.size) if not board.pinned[at]]
    if not movable or not any(len(theirs) > 1 for theirs in indexed.of_person):
        return
    waits = _Waits(board)
    for _ in range(exchanges):
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
    if not before:
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
    if not before:
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
