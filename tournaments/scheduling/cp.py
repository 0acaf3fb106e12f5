"""The exact method, `tendone-timetable-cp-2`: CP-SAT of OR-Tools goes on from the plain one.

The only module that knows OR-Tools; nothing else imports it but `solving.py`, and only when it is used. It
works in one thread, and counts its work beside the seconds. Unless these are over first, the same problem,
seed and version of the solver give the same answer.
"""

import threading
from collections import defaultdict
from itertools import pairwise

from ortools.sat.python import cp_model

from .indexed import Found, Indexed
from .model import RoundOrder, SchedulingProblem, Step
from .search import Board
from .watch import Watch

POLL = 0.05
"""Seconds between two looks whether to stop."""
WORK = 0.5
"""The solver's own count of its work in a second, on problems like these at most. Where that many are reached
before the time is over, the answer is the same on any computer.
"""


class Exact:
    """The model of one problem."""

    def __init__(self, indexed: Indexed, end: int | None = None) -> None:
        self.indexed, self.problem = indexed, indexed.problem
        self.model = cp_model.CpModel()
        self.start: list[cp_model.IntVar] = []
        self.at_table: dict[tuple[int, int], cp_model.IntVar] = {}
        self.judged_by: dict[tuple[int, int], cp_model.IntVar] = {}
        self.passed: list[tuple[cp_model.IntVar, dict[int, int]]] = []
        self.spans: list[tuple[cp_model.IntVar, cp_model.IntVar, tuple[int, ...]]] = []
        self.between: list[tuple[cp_model.IntVar, list[int]]] = []
        self.contradiction = False
        for at in range(indexed.size):
            starts = [
                start
                for start in indexed.starts[at]
                if end is None or start + indexed.minutes[at] <= end or self._pin(at)
            ]
            if not starts:
                self.contradiction = True
                starts = [0]
            self.start.append(
                self.model.new_int_var_from_domain(cp_model.Domain.from_values(starts), f"start{at}")
            )
        last = max((starts[-1] + indexed.minutes[at] for at, starts in enumerate(indexed.starts) if starts))
        self.end = self.model.new_int_var(0, last, "end")
        for at in range(indexed.size):
            self.model.add(self.end >= self.start[at] + indexed.minutes[at])
        self._people()
        self._tables()
        self._order()
        if self.problem.judged:
            self._judges()

    def _pin(self, at: int) -> bool:
        return self.problem.meetings[at].pinned is not None

    def _interval(self, at: int, more: int) -> cp_model.IntervalVar:
        return self.model.new_fixed_size_interval_var(
            self.start[at], self.indexed.minutes[at] + more, f"interval{at}+{more}"
        )

    def groups(self) -> dict[tuple[int, ...], int]:
        """The sets of meetings that one person has, and how many people have the same."""
        found: dict[tuple[int, ...], int] = defaultdict(int)
        for theirs in self.indexed.of_person:
            if len(theirs) > 1:
                found[tuple(theirs)] += 1
        return found

    def _people(self) -> None:
        rest = self.problem.hall.rest
        intervals = [self._interval(at, rest) for at in range(self.indexed.size)]
        for group in self.groups():
            self.model.add_no_overlap([intervals[at] for at in group])

    def _tables(self) -> None:
        """All tables are alike, so it is enough that there are never too many meetings at once.

        It isn't enough where something is pinned to one of them.
        """
        count, gap = len(self.problem.hall.tables), self.problem.hall.changeover
        intervals = [self._interval(at, gap) for at in range(self.indexed.size)]
        self.model.add_cumulative(intervals, [1] * len(intervals), count)
        if not any(self._pin(at) for at in range(self.indexed.size)):
            return
        for table in range(count):
            there = []
            for at in range(self.indexed.size):
                chosen = self.model.new_bool_var(f"table{at},{table}")
                self.at_table[at, table] = chosen
                there.append(
                    self.model.new_optional_fixed_size_interval_var(
                        self.start[at], self.indexed.minutes[at] + gap, chosen, f"at{at},{table}"
                    )
                )
            self.model.add_no_overlap(there)
        for at, meeting in enumerate(self.problem.meetings):
            self.model.add_exactly_one(self.at_table[at, table] for table in range(count))
            if meeting.pinned is not None:
                self.model.add(self.at_table[at, self.indexed.tables[meeting.pinned.table]] == 1)

    def _order(self) -> None:
        for at, meeting in enumerate(self.problem.meetings):
            for key in meeting.after:
                if key in self.indexed.number:
                    before = self.indexed.number[key]
                    self.model.add(self.start[at] >= self.start[before] + self.indexed.minutes[before])
        if self.problem.rounds is RoundOrder.FREE:
            return
        apart = self.problem.rounds is RoundOrder.APART
        for rounds in self.indexed.rounds.values():
            for earlier, later in pairwise(sorted(rounds)):
                between = self.model.new_int_var(0, 10**7, "between")
                self.between.append((between, rounds[later]))
                for at in rounds[earlier]:
                    long = self.indexed.minutes[at] if apart else 0
                    self.model.add(between >= self.start[at] + long)
                for at in rounds[later]:
                    self.model.add(self.start[at] >= between)

    def _judges(self) -> None:
        indexed = self.indexed
        plain = [self._interval(at, 0) for at in range(indexed.size)]
        self.model.add_cumulative(plain, [1] * len(plain), len(indexed.judges))
        theirs: dict[int, list[cp_model.IntervalVar]] = defaultdict(list)
        for at, meeting in enumerate(self.problem.meetings):
            long = indexed.minutes[at]
            pin = None if meeting.pinned is None else meeting.pinned.judge
            for judge in indexed.may[at]:
                given = self.model.new_bool_var(f"judge{at},{judge}")
                self.judged_by[at, judge] = given
                theirs[judge].append(
                    self.model.new_optional_fixed_size_interval_var(
                        self.start[at], long, given, f"judges{at},{judge}"
                    )
                )
                windows = self.problem.judges[judge].windows
                if windows:
                    spans = [[each.start, each.end - long] for each in windows if each.minutes >= long]
                    if spans:
                        self.model.add_linear_expression_in_domain(
                            self.start[at], cp_model.Domain.from_intervals(spans)
                        ).only_enforce_if(given)
                    else:
                        self.model.add(given == 0)
                if pin is not None:
                    self.model.add(given == int(indexed.judges[pin] == judge))
            self.model.add_exactly_one(self.judged_by[at, judge] for judge in indexed.may[at])
        for intervals in theirs.values():
            self.model.add_no_overlap(intervals)

    def waits(self) -> cp_model.LinearExprT | None:
        """What all people wait, to be made least; None where there are several days."""
        hall = self.problem.hall
        if len(hall.days) > 1:
            return None
        opened: list[cp_model.IntVar] = []
        for at, start in enumerate(self.start):
            tuples = [
                (begin, sum(max(0, min(each.end, begin) - each.start) for each in hall.stretches))
                for begin in self.indexed.starts[at]
            ]
            passed = self.model.new_int_var(0, max(minutes for _, minutes in tuples), f"passed{at}")
            self.model.add_allowed_assignments([start, passed], tuples)
            opened.append(passed)
            self.passed.append((passed, dict(tuples)))
        terms: list[cp_model.LinearExprT] = []
        whole = sum(each.minutes for each in hall.stretches)
        for group, people in self.groups().items():
            first = self.model.new_int_var(0, whole, "first")
            last = self.model.new_int_var(0, whole, "last")
            for at in group:
                self.model.add(first <= opened[at])
                self.model.add(last >= opened[at] + self.indexed.minutes[at])
            terms.append(people * (last - first))
            self.spans.append((first, last, group))
        return cp_model.LinearExpr.sum(terms) if terms else None

    def hint(self, board: Board) -> None:
        """Begin from a timetable that there is, with everything that follows from it."""
        if (over := board.over) is not None:
            self.model.add_hint(self.end, over)
        begins = [start or 0 for start in board.start]
        for between, later in self.between:
            self.model.add_hint(between, min(begins[at] for at in later))
        for at, (passed, opened) in enumerate(self.passed):
            self.model.add_hint(passed, opened[begins[at]])
        for first, last, group in self.spans:
            gone = {at: self.passed[at][1][begins[at]] for at in group}
            self.model.add_hint(first, min(gone.values()))
            self.model.add_hint(last, max(gone[at] + self.indexed.minutes[at] for at in group))
        for at, start in enumerate(board.start):
            if start is None:
                continue
            self.model.add_hint(self.start[at], start)
            for table in range(len(self.indexed.tables)):
                if (at, table) in self.at_table:
                    self.model.add_hint(self.at_table[at, table], int(board.table[at] == table))
            for judge in self.indexed.may[at] if self.problem.judged else ():
                self.model.add_hint(self.judged_by[at, judge], int(board.judge[at] == judge))

    def solved(self, seed: str, watch: Watch, seconds: float, step: Step, *, ends: bool) -> Found:
        """Search for so many seconds. With `ends`, what the solver makes least is the end of the day."""
        if self.contradiction:
            return Found(proved=True)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = sum(seed.encode()) % 1_000_003
        solver.parameters.max_deterministic_time = seconds * WORK
        solver.parameters.max_time_in_seconds = max(0.01, min(seconds * 2, watch.left))
        teller = _Teller(self, watch, step, ends)
        solver.best_bound_callback = teller.bounded
        over = threading.Event()

        def look() -> None:
            while not over.wait(POLL):
                if watch.is_stopped():
                    solver.stop_search()
                    return

        looking = threading.Thread(target=look, name="timetable-cancel", daemon=True)
        looking.start()
        try:
            status = solver.solve(self.model, teller)
        finally:
            over.set()
            looking.join()
        if status == cp_model.INFEASIBLE:
            return Found(proved=True)
        bound = round(solver.best_objective_bound) if ends and status != cp_model.UNKNOWN else None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Found(bound=bound)
        return self._found(solver, bound, proved=status == cp_model.OPTIMAL)

    def _found(self, solver: cp_model.CpSolver, bound: int | None, *, proved: bool) -> Found:
        size, tables = range(self.indexed.size), range(len(self.indexed.tables))
        return Found(
            tuple(solver.value(self.start[at]) for at in size),
            tuple(next(table for table in tables if solver.value(self.at_table[at, table])) for at in size)
            if self.at_table
            else None,
            tuple(
                next(judge for judge in self.indexed.may[at] if solver.value(self.judged_by[at, judge]))
                if self.problem.judged
                else None
                for at in size
            ),
            bound,
            proved,
        )


class _Teller(cp_model.CpSolverSolutionCallback):
    """Reports each better timetable and each better bound."""

    def __init__(self, exact: Exact, watch: Watch, step: Step, ends: bool) -> None:
        super().__init__()
        self.exact, self.watch, self.step, self.ends = exact, watch, step, ends
        self.best: int | None = None
        self.bound: int | None = None

    def on_solution_callback(self) -> None:
        self.best = self.value(self.exact.end)
        if self.ends:
            self.bound = max(self.bound or 0, round(self.best_objective_bound))
        self._tell()
        if self.watch.is_stopped():
            self.stop_search()

    def bounded(self, bound: float) -> None:
        if self.ends:
            self.bound = max(self.bound or 0, round(bound))
            self._tell()

    def _tell(self) -> None:
        size = self.exact.indexed.size
        placed = 0 if self.best is None else size
        self.watch.tell(self.step, placed=placed, of=size, end=self.best, bound=self.bound)


def feasible(problem: SchedulingProblem, seed: str, watch: Watch, seconds: float) -> Found:
    """Any timetable, or the proof that there is none."""
    exact = Exact(Indexed(problem))
    return exact.solved(seed, watch, seconds, Step.PROVING, ends=False)


def earlier(board: Board, bound: int, seed: str, watch: Watch, seconds: float) -> Found:
    """A timetable that ends as early as possible, from one that there is."""
    exact = Exact(board.indexed, board.over)
    exact.hint(board)
    exact.model.add(exact.end >= bound)
    exact.model.minimize(exact.end)
    return exact.solved(seed, watch, seconds, Step.IMPROVING, ends=True)


def calmer(board: Board, seed: str, watch: Watch, seconds: float) -> Found | None:
    """A timetable that ends no later and in which people wait less. None if it has several days."""
    exact = Exact(board.indexed, board.over)
    waits = exact.waits()
    if waits is None:
        return None
    exact.hint(board)
    exact.model.minimize(waits)
    return exact.solved(seed, watch, seconds, Step.IMPROVING, ends=False)
