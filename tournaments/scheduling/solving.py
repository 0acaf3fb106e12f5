"""From a problem to its timetable, or to why there is none and what would make it fit."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import ModuleType

from .bounds import earliest_end, refuted
from .indexed import Found, Indexed
from .model import (
    Cancelled,
    Cause,
    Impossible,
    Method,
    Placement,
    Report,
    SchedulingProblem,
    SolvedTimetable,
    Stopped,
)
from .plain import as_timetable, by_plain_method
from .remedies import remedies
from .search import Board
from .table_choice import seated
from .waiting import calmed
from .watch import Watch

SECONDS = 4.5
"""An answer is there within five seconds: so long is looked for one, and what is at work then still ends."""

PROOF = 1.5
"""Seconds that the exact method may look for a first timetable, or the proof that there is none."""

SHARE = 0.35
"""Of all seconds, the part that the exact method has to end earlier, and again to let people wait less."""


def exact_method() -> ModuleType | None:
    """The module with the constraint solver; None where the extra `solver` isn't installed."""
    try:
        from . import cp
    except ImportError:
        return None
    return cp


def solve(
    problem: SchedulingProblem,
    *,
    seed: str = "",
    seconds: float = SECONDS,
    exact: bool = True,
    advice: bool = True,
    report: Report | None = None,
    cancelled: Cancelled | None = None,
) -> SolvedTimetable | Impossible:
    """A timetable without conflicts that ends as early as can be and in which people wait little.

    Or why there is none, with what would make it fit. It takes about so many seconds at most.

    Without `advice` nothing is looked for that would make it fit. Without `exact`, or without the extra
    `solver`, the plain method answers alone. The same problem, seed and method give the same placements,
    unless time is short. When `cancelled` says so, the best timetable so far is the answer; if there is none
    yet, Stopped is raised.
    """
    solver = exact_method() if exact else None
    answers: list[tuple[SchedulingProblem, SolvedTimetable | Impossible]] = []
    if problem.together and problem.hall.rest > problem.gap:
        # A longer gap lets everybody play in each wave: sometimes that is over earlier, sometimes it isn't.
        answers = [
            (each, _solved(each, seed, Watch(seconds / 2, report, cancelled), solver))
            for each in (problem, replace(problem, pause=problem.hall.rest))
        ]
    found = [answer for _, answer in answers if isinstance(answer, SolvedTimetable)]
    if not found:
        watch = Watch(seconds, report, cancelled)
        answer = _solved(problem, seed, watch, solver)
        if advice and isinstance(answer, Impossible):
            named = tuple(remedies(problem, seed, watch, solver))
            return replace(answer, remedies=named, seconds=watch.seconds)
        return answer
    bounds = [
        answer.bound if isinstance(answer, SolvedTimetable) else earliest_end(each)
        for each, answer in answers
    ]
    best = min(found, key=lambda each: (each.end or 0, each.waiting))
    return replace(
        best,
        bound=min((each for each in bounds if each is not None), default=None),
        seconds=sum(answer.seconds for _, answer in answers),
    )


def _solved(
    problem: SchedulingProblem, seed: str, watch: Watch, solver: ModuleType | None
) -> SolvedTimetable | Impossible:
    """As `solve`, with one gap between common starts, and without advice."""
    if why := refuted(problem):
        return replace(why, seconds=watch.seconds)
    found = by_plain_method(problem, seed, watch)
    if isinstance(found, Board):
        if watch.is_stopped():
            raise Stopped
        first: Found = solver.feasible(problem, seed, watch, PROOF) if solver else Found()
        if solver is None or first.starts is None:
            if watch.is_stopped():
                raise Stopped
            keys = found.indexed.keys_of(sorted(found.missing))
            return Impossible(Cause.TOGETHER, keys, proved=first.proved, seconds=watch.seconds)
        return _bettered(solver, seated(found, first), earliest_end(problem), seed, watch)
    if solver is None or not found.placements or watch.is_stopped():
        return found
    return _bettered(solver, _filled(problem, found.placements, seed), found.bound, seed, watch, found)


def _bettered(
    solver: ModuleType,
    board: Board,
    bound: int | None,
    seed: str,
    watch: Watch,
    plain: SolvedTimetable | None = None,
) -> SolvedTimetable:
    """The timetable made to end earlier, then to let people wait less, in the time that is left."""
    end, changed = board.over, False
    if end is not None and bound is not None and end > bound and watch.goes_on():
        found: Found = solver.earlier(board, bound, seed, watch, watch.limit * SHARE)
        bound = end if found.bound is None and found.proved else max(bound, found.bound or 0)
        if found.starts is not None:
            board, changed = seated(board, found), True
            bound = board.over if found.proved else bound
    if watch.goes_on():
        calm: Found | None = solver.calmer(board, seed, watch, watch.limit * SHARE)
        if calm is not None and calm.starts is not None:
            board, changed = seated(board, calm), True
        if changed or plain is None:
            board.limit(board.over)
            calmed(board, watch)
    table = as_timetable(board, Method.EXACT, seed, bound, watch) if plain is None or changed else plain
    if plain is not None and (plain.end, plain.waiting) == (table.end, table.waiting):
        # More is known of it now, but it is still the plain method's.
        return replace(plain, bound=bound, seconds=watch.seconds)
    return table


def _filled(problem: SchedulingProblem, placements: Sequence[Placement], seed: str) -> Board:
    """A board with these placements."""
    indexed = Indexed(problem)
    board = Board(indexed, Random(f"{Method.EXACT}/{seed}"))  # noqa: S311 - to be repeated
    for each in placements:
        judge = None if each.judge is None else indexed.judges[each.judge]
        board.place(indexed.number[each.key], each.start, indexed.tables[each.table], judge)
    return board
