"""The plain method, `tendone-timetable-2`: needs nothing but Python, and is mostly as good as any.

1. Meetings are put in, the most urgent first, each as early as it is free. This is done several times with
   other lots among equals, and the best try is kept.
2. What found no place is put in where it disturbs least (`search.py`).
3. The end of the day is moved forward. First it goes to the earliest that counting allows (`bounds.py`), then
   step by step, as long as everything finds a place.
4. Meetings change places where that makes people wait less, or none of them very long (`waiting.py`).
5. Referees are shared out evenly (`referee_assignment.py`), tables are numbered tidily (`table_choice.py`).
"""

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random

from .bounds import Counting, earliest_end
from .indexed import Indexed
from .model import Method, SchedulingProblem, SolvedTimetable, Step
from .referee_assignment import share_out
from .search import Board
from .table_choice import tidied
from .waiting import calmed, waiting
from .watch import Watch

TRIES = 4
"""How often everything is put in from the start."""
ATTEMPTS = 3_000
"""How many meetings are put in to find a place for all."""
PUSHES = 600
"""How many are put in to end by one step earlier."""


class Plain:
    """One problem on the way to its timetable."""

    def __init__(self, problem: SchedulingProblem, seed: str, watch: Watch) -> None:
        self.problem, self.seed, self.watch = problem, seed, watch
        self.indexed = Indexed(problem)
        self.random = Random(f"{Method.PLAIN}/{seed}")  # noqa: S311 - to be repeated, not to be secret

    def placed(self, attempts: int = ATTEMPTS, tries: int = TRIES) -> Board:
        """A board with a place for all, or for as many as it found in so many attempts."""
        best: Board | None = None
        for _ in range(tries):
            board = Board(self.indexed, self.random)
            board.fill(self.order())
            if best is None or _worth(board) < _worth(best):
                best = board
            if not self.watch.goes_on():
                break
        assert best is not None  # noqa: S101 - there is one try
        best.search(attempts, self._goes_on(Step.PLACING))
        return best

    def order(self) -> list[int]:
        """All meetings, the most urgent first, none before one that it comes after; equals by lot.

        Urgent is what has most to follow. The minutes of later rounds of its tournament count first, then the
        most minutes that one of its people has to play.
        """
        indexed = self.indexed
        following = [0] * indexed.size
        for rounds in indexed.rounds.values():
            minutes = 0
            for number in sorted(rounds, reverse=True):
                minutes += sum(indexed.minutes[at] for at in rounds[number])
                for at in rounds[number]:
                    following[at] = minutes
        busiest = [sum(indexed.minutes[at] for at in theirs) for theirs in indexed.of_person]
        rank = [
            (
                -following[at],
                -max((busiest[person] for person in indexed.people[at]), default=0),
                self.random.random(),
            )
            for at in range(indexed.size)
        ]
        waits = [len(before) for before in indexed.before]
        ready: list[tuple[tuple[int, int, float], int]] = []
        for at, count in enumerate(waits):
            if not count:
                heappush(ready, (rank[at], at))
        found = []
        while ready:
            _, at = heappop(ready)
            found.append(at)
            for behind in indexed.behind[at]:
                waits[behind] -= 1
                if not waits[behind]:
                    heappush(ready, (rank[behind], behind))
        return found

    def improved(self, board: Board, bound: int | None, pushes: int = PUSHES) -> Board:
        """The same ending as early as it can be made to."""
        end = board.over
        if end is None or bound is None or end <= bound:
            return board
        ends = [each for each in Counting(self.problem).ends() if bound <= each < end]
        if ends and (found := self._by(board, ends[0], bound, pushes)):
            return found
        while ends and self.watch.goes_on():
            found = self._by(board, ends[-1], bound, pushes)
            if found is None:
                break
            board = found
            over = board.over
            ends = [each for each in ends if over is not None and each < over]
        return board

    def _by(self, board: Board, end: int, bound: int, pushes: int) -> Board | None:
        """A board that is over by then, made of this one; or None."""
        trial = board.copy()
        trial.limit(end)
        trial.pushed.clear()
        trial.search(pushes, self._goes_on(Step.IMPROVING, board.over, bound))
        return None if trial.missing else trial

    def _goes_on(self, step: Step, end: int | None = None, bound: int | None = None) -> Callable[[int], bool]:
        size = self.indexed.size

        def goes_on(missing: int) -> bool:
            self.watch.tell(step, placed=size - missing, of=size, end=end, bound=bound)
            return self.watch.goes_on()

        return goes_on


def as_timetable(board: Board, method: Method, seed: str, bound: int | None, watch: Watch) -> SolvedTimetable:
    """The timetable of a board on which everything has its place: tables are tidied, referees shared out."""
    tidied(board)
    share_out(board)
    placements = tuple(board.placements())
    waits = waiting(board.indexed.problem, placements)
    return SolvedTimetable(placements, method, seed, board.over, bound, waits, watch.seconds)


def by_plain_method(problem: SchedulingProblem, seed: str, watch: Watch) -> SolvedTimetable | Board:
    """The timetable; or the best attempt, with what is missing. The problem isn't refuted by counting."""
    plain = Plain(problem, seed, watch)
    board = plain.placed()
    if board.missing:
        return board
    bound, size = earliest_end(problem), len(problem.meetings)
    watch.tell(Step.IMPROVING, placed=size, of=size, end=board.over, bound=bound, now=True)
    board = plain.improved(board, bound)
    board.limit(board.over)
    calmed(board, watch)
    found = as_timetable(board, Method.PLAIN, seed, bound, watch)
    watch.tell(Step.IMPROVING, placed=size, of=size, end=found.end, bound=bound, now=True)
    return found


def _worth(board: Board) -> tuple[int, int]:
    return len(board.missing), board.over or 0
