"""What would make it fit: the smallest change in each direction, each tried before it is named."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType

from .bounds import Why, earliest_end, refuted
from .indexed import Found
from .judging import share_out
from .model import (
    Cause,
    Change,
    Impossible,
    Judge,
    Meeting,
    Method,
    Placement,
    Problem,
    Remedy,
    RoundOrder,
    Step,
    Timetable,
    Window,
)
from .plain import Plain
from .search import Board
from .tidy import seated, tidied
from .waiting import waiting
from .watch import Watch

MOST = 20
"""So many more tables or referees are thought of, no more."""
HOURS = 6
"""So many hours earlier is thought of, no more; and never before minute 0."""
DAY = 24 * 60
TRIED = 250
"""How many meetings are put in to try a change."""
PROOF = 0.25
"""Seconds that the exact method has for one change."""
_NO_ATTEMPT = {Cause.PINNED, Cause.CIRCLE, Cause.NO_TABLE}

Changed = Callable[[int], Problem]


def impossible(
    problem: Problem,
    why: Why,
    seed: str,
    watch: Watch,
    solver: ModuleType | None,
    *,
    proved: bool,
    attempt: Board | None = None,
) -> Impossible:
    """The whole answer: why nothing fits, how far one gets, and every remedy for which there was time."""
    if attempt is None and why.cause not in _NO_ATTEMPT:
        attempt = Plain(problem, seed, watch).placed(attempts=0)
    placements: tuple[Placement, ...] = ()
    unplaced = tuple(each.key for each in problem.meetings)
    if attempt is not None:
        share_out(attempt)
        placements = tuple(attempt.placements())
        unplaced = tuple(attempt.indexed.keys[at] for at in sorted(attempt.missing))
    found = tuple(remedies(problem, seed, watch, solver))
    return Impossible(
        why.cause,
        proved,
        found,
        why.keys,
        why.about,
        why.needed,
        why.there,
        why.conflicts,
        placements,
        unplaced,
        watch.seconds,
    )


def remedies(problem: Problem, seed: str, watch: Watch, solver: ModuleType | None) -> Iterator[Remedy]:
    """Every change that makes it fit by itself, with the smallest amount that was found."""
    trial = _Trial(seed, watch, solver)
    if (later := _later(problem, trial)) is not None:
        yield later
    for change, amounts, changed in _directions(problem):
        if not watch.goes_on():
            return
        watch.tell(Step.REMEDIES, of=len(problem.meetings))
        if (remedy := trial.smallest(change, amounts, changed)) is not None:
            yield remedy


class _Trial:
    """Tries changed problems."""

    def __init__(self, seed: str, watch: Watch, solver: ModuleType | None) -> None:
        self.seed, self.watch, self.solver = seed, watch, solver

    def fits(self, problem: Problem) -> Timetable | None:
        """A timetable of it, if one is found quickly."""
        if refuted(problem) is not None:
            return None
        plain = Plain(problem, self.seed, self.watch)
        board = plain.placed(TRIED)
        method = Method.PLAIN
        if board.missing and self.solver is not None and self.watch.goes_on():
            found: Found = self.solver.feasible(problem, self.seed, self.watch, PROOF)
            if found.starts is not None:
                board, method = seated(board, found), Method.EXACT
        return None if board.missing else self.finished(problem, board, method)

    def finished(self, problem: Problem, board: Board, method: Method) -> Timetable:
        """The timetable of a full board; that it is the best isn't claimed."""
        tidied(board)
        share_out(board)
        placements = tuple(board.placements())
        waits = waiting(problem, placements)
        return Timetable(
            placements, method, self.seed, board.over, earliest_end(problem), waits, self.watch.seconds
        )

    def smallest(self, change: Change, amounts: Sequence[int], changed: Changed) -> Remedy | None:
        """The smallest of the amounts (in order; a larger one always helps as much) with which it fits."""
        if not amounts or refuted(changed(amounts[-1])) is not None:
            return None
        low, high = 0, len(amounts) - 1
        while low < high:
            middle = (low + high) // 2
            if refuted(changed(amounts[middle])) is None:
                high = middle
            else:
                low = middle + 1
        at, found = low, self.fits(changed(amounts[low]))
        if found is None and low + 1 < len(amounts):
            left, at = low + 1, len(amounts) - 1
            found = self.fits(changed(amounts[at]))
            while found is not None and left < at and self.watch.goes_on():
                middle = (left + at) // 2
                better = self.fits(changed(amounts[middle]))
                if better is not None:
                    found, at = better, middle
                else:
                    left = middle + 1
        if found is None:
            return None
        if change is Change.WITHOUT_JUDGES:
            return Remedy(change, sum(each.judge is None for each in found.placements), found)
        return Remedy(change, amounts[at], found, at == low or self.none_fits(changed(amounts[at - 1])))

    def none_fits(self, problem: Problem) -> bool:
        """Whether it is proved that there is no timetable."""
        if refuted(problem) is not None:
            return True
        if self.solver is None or self.watch.left < PROOF:
            return False
        found: Found = self.solver.feasible(problem, self.seed, self.watch, PROOF)
        return found.starts is None and found.proved


def _later(problem: Problem, trial: _Trial) -> Remedy | None:
    """Ending later: one timetable with an open end, made to end early, shows how much it takes."""
    days = problem.hall.days
    if not days:
        return None
    bound = earliest_end(_until(problem, days[-1].end + DAY))
    if bound is None:
        return None
    plain = Plain(_until(problem, max(bound, days[-1].end) + DAY // 4), trial.seed, trial.watch)
    board = plain.placed(TRIED)
    if board.missing or not trial.watch.goes_on():
        return None
    board = plain.improved(board, bound)
    over = board.over
    if over is None or over <= days[-1].end:
        return None
    amount = over - days[-1].end
    relaxed = _until(problem, over)
    least = over == bound or trial.none_fits(_until(problem, over - problem.hall.step))
    return Remedy(Change.END_LATER, amount, trial.finished(relaxed, board, Method.PLAIN), least)


def _until(problem: Problem, end: int) -> Problem:
    """With the last day open until then."""
    days = problem.hall.days
    return _hall(problem, windows=(*days[:-1], Window(days[-1].start, end)))


def _directions(problem: Problem) -> Iterator[tuple[Change, Sequence[int], Changed]]:
    """What can be changed: by which amounts, in order, and what the problem is then."""
    hall, free = problem.hall, [each for each in problem.meetings if each.pinned is None]
    yield Change.TABLES, range(1, min(MOST, len(problem.meetings)) + 1), lambda n: more_tables(problem, n)
    if hall.days:
        earliest = hall.days[0].start
        amounts = range(hall.step, min(earliest, HOURS * 60) + 1, hall.step)
        yield Change.BEGIN_EARLIER, amounts, lambda n: begin_earlier(problem, n)
    if free:
        amounts = range(1, min(each.minutes for each in free) // 2 + 1)
        yield Change.SHORTER, amounts, lambda n: shorter(problem, n)
    if hall.breaks:
        yield Change.NO_BREAKS, (len(hall.breaks),), lambda _: _hall(problem, breaks=())
    if hall.rest:
        amounts = range(1, hall.rest + 1)
        yield Change.LESS_REST, amounts, lambda n: _hall(problem, rest=hall.rest - n)
    if hall.changeover:
        amounts = range(1, hall.changeover + 1)
        yield Change.LESS_CHANGEOVER, amounts, lambda n: _hall(problem, changeover=hall.changeover - n)
    if problem.judged:
        yield Change.JUDGES, range(1, MOST + 1), lambda n: more_judges(problem, n)
        yield Change.WITHOUT_JUDGES, (1,), lambda _: replace(problem, judged=False)
    rounds = _rounds(problem)
    if rounds and problem.rounds is not RoundOrder.FREE:
        yield Change.MIXED_ROUNDS, (0,), lambda _: replace(problem, rounds=RoundOrder.FREE)
    most = max((len(each) for each in rounds.values()), default=1)
    if most > 1:
        yield Change.FEWER_ROUNDS, range(1, most), lambda n: fewer_rounds(problem, n)
    if len(free) < len(problem.meetings):
        yield Change.UNPINNED, (len(problem.meetings) - len(free),), lambda _: unpinned(problem)


def applied(problem: Problem, remedy: Remedy) -> Problem:
    """The problem as a remedy changes it: the remedy's timetable has no conflicts in it."""
    if remedy.change is Change.END_LATER:
        return _until(problem, problem.hall.days[-1].end + remedy.amount)
    changed = {change: changed for change, _, changed in _directions(problem)}
    return changed[remedy.change](remedy.amount)


def more_tables(problem: Problem, count: int) -> Problem:
    """With so many more tables, named +1, +2, …"""
    more = tuple(f"+{number}" for number in range(1, count + 1))
    return _hall(problem, tables=(*problem.hall.tables, *more))


def more_judges(problem: Problem, count: int) -> Problem:
    """With so many more referees of no team, named +1, +2, …"""
    more = tuple(Judge(f"+{number}") for number in range(1, count + 1))
    return replace(problem, judges=(*problem.judges, *more))


def begin_earlier(problem: Problem, minutes: int) -> Problem:
    """With the first day open earlier."""
    first, *others = problem.hall.days
    return _hall(problem, windows=(Window(first.start - minutes, first.end), *others))


def shorter(problem: Problem, minutes: int) -> Problem:
    """With shorter meetings, but for the pinned ones."""
    return _meetings(
        problem,
        (
            each if each.pinned is not None else replace(each, minutes=each.minutes - minutes)
            for each in problem.meetings
        ),
    )


def fewer_rounds(problem: Problem, count: int) -> Problem:
    """Without the last rounds of each tournament that has more; what is pinned stays."""
    dropped = {
        (tournament, number)
        for tournament, numbers in _rounds(problem).items()
        if len(numbers) > count
        for number in numbers[-count:]
    }
    return _meetings(
        problem,
        (
            each
            for each in problem.meetings
            if each.pinned is not None or each.round < 1 or (each.tournament, each.round) not in dropped
        ),
    )


def unpinned(problem: Problem) -> Problem:
    """With everything free to move."""
    return _meetings(problem, (replace(each, pinned=None) for each in problem.meetings))


def _rounds(problem: Problem) -> dict[str, list[int]]:
    found: dict[str, set[int]] = {}
    for each in problem.meetings:
        if each.round > 0:
            found.setdefault(each.tournament, set()).add(each.round)
    return {tournament: sorted(numbers) for tournament, numbers in found.items()}


def _hall(problem: Problem, **changes: object) -> Problem:
    return replace(problem, hall=replace(problem.hall, **changes))  # type: ignore[arg-type]


def _meetings(problem: Problem, meetings: Iterator[Meeting]) -> Problem:
    return replace(problem, meetings=tuple(meetings))
