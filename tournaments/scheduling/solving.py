"""From a problem to its timetable, or to why there is none and what would make it fit."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import ModuleType

from .bounds import InfeasibleReason, earliest_end, refuted
from .indexed import Found, Indexed
from .judging import share_out
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
from .plain import by_plain_method
from .remedies import impossible
from .search import Board
from .tidy import seated, tidied
from .waiting import calmed, waiting
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
    """A timetable without conflicts that ends as early as can be and in which people wait little; or why
    there is none, with what would make it fit. It takes about so many seconds at most.

    Without `advice` nothing is looked for that would make it fit. Without `exact`, or without the extra
    `solver`, the plain method answers alone. The same problem, seed and method give the same placements,
    unless time is short. When `cancelled` says so, the best timetable so far is the answer; if there is none
    yet, Stopped is raised.
    """
    solver = exact_method() if exact else None
    if not problem.together or problem.hall.rest <= problem.gap:
        return _solved(problem, seed, Watch(seconds, report, cancelled), solver, advice=advice)
    # A longer gap lets everybody play in each wave: sometimes that is over earlier, sometimes it isn't.
    answers = [
        (each, _solved(each, seed, Watch(seconds / 2, report, cancelled), solver, advice=False))
        for each in (problem, replace(problem, pause=problem.hall.rest))
    ]
    found = [answer for _, answer in answers if isinstance(answer, SolvedTimetable)]
    if not found:
        return _solved(problem, seed, Watch(seconds, report, cancelled), solver, advice=advice)
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
    problem: SchedulingProblem, seed: str, watch: Watch, solver: ModuleType | None, *, advice: bool
) -> SolvedTimetable | Impossible:
    """As `solve`, with one gap between common starts."""
    if why := refuted(problem):
        return impossible(problem, why, seed, watch, solver, proved=True, advice=advice)
    found = by_plain_method(problem, seed, watch)
    if isinstance(found, Board):
        if watch.is_stopped():
            raise Stopped
        if solver is None:
            return impossible(
                problem, _together(found), seed, watch, solver, proved=False, attempt=found, advice=advice
            )
        first: Found = solver.feasible(problem, seed, watch, PROOF)
        if watch.is_stopped() and first.starts is None:
            raise Stopped
        if first.starts is None:
            return impossible(
                problem,
                _together(found),
                seed,
                watch,
                solver,
                proved=first.proved,
                attempt=found,
                advice=advice,
            )
        board = seated(found, first)
        return _bettered(solver, problem, board, earliest_end(problem), seed, watch)
    if solver is None or not found.placements or watch.is_stopped():
        return found
    board = filled(problem, found.placements, seed)
    return _bettered(solver, problem, board, found.bound, seed, watch, found)


def _bettered(
    solver: ModuleType,
    problem: SchedulingProblem,
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
    if plain is not None and not changed:
        return _renamed(plain, bound, watch)
    tidied(board)
    share_out(board)
    placements = tuple(board.placements())
    table = SolvedTimetable(
        placements,
        Method.EXACT,
        seed,
        board.over,
        bound,
        waiting(problem, placements),
        watch.seconds,
    )
    if plain is not None and (plain.end, plain.waiting) == (table.end, table.waiting):
        return _renamed(plain, bound, watch)
    return table


def _renamed(plain: SolvedTimetable, bound: int | None, watch: Watch) -> SolvedTimetable:
    """The plain method's timetable, of which more is known now. It keeps its name: it is that method's."""
    return SolvedTimetable(
        plain.placements, plain.method, plain.seed, plain.end, bound, plain.waiting, watch.seconds
    )


def filled(problem: SchedulingProblem, placements: Sequence[Placement], seed: str) -> Board:
    """A board with these placements."""
    indexed = Indexed(problem)
    board = Board(indexed, Random(f"{Method.EXACT}/{seed}"))  # noqa: S311 - to be repeated
    for each in placements:
        judge = None if each.judge is None else indexed.judges[each.judge]
        board.place(indexed.number[each.key], each.start, indexed.tables[each.table], judge)
    return board


def _together(board: Board) -> InfeasibleReason:
    return InfeasibleReason(Cause.TOGETHER, tuple(board.indexed.keys[at] for at in sorted(board.missing)))
