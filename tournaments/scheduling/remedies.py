"""Remedies for a timetable that doesn't fit: the smallest change in each direction, each tried."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from types import ModuleType

from .bounds import earliest_end, refuted
from .indexed import Found, Indexed
from .model import (
    Judge,
    Method,
    Remedy,
    RoundOrder,
    SchedulingProblem,
    SettingsChange,
    SolvedTimetable,
    Step,
    Window,
)
from .plain import Plain, as_timetable
from .search import Board
from .table_choice import seated
from .watch import Watch

MOST = 20
"""So many more tables or referees are thought of, no more."""
HOURS = 6
"""So many hours earlier is thought of, no more; and never before minute 0."""
DAY = 24 * 60
TRIED = 250
"""How many meetings are put in to try a change."""
PROOF = 0.5
"""Seconds that the exact method has for one change."""

Changed = Callable[[int], SchedulingProblem]


def remedies(problem: SchedulingProblem, seed: str, watch: Watch, solver: ModuleType | None) -> list[Remedy]:
    """Every change that makes it fit by itself, with the smallest amount that was found.

    All directions are tried by the plain method first; the exact one then looks for smaller amounts, or
    proves that there are none.
    """
    trial = _Trial(seed, watch)
    searches = [_later(problem, trial)]
    guess = 0
    if (later := searches[0]) is not None and later.found is not None:
        guess = later.amount
    for change, amounts, changed in _directions(problem):
        if not watch.goes_on():
            break
        watch.tell(Step.REMEDIES, of=len(problem.meetings))
        searches.append(trial.smallest(change, amounts, changed, guess))
    there = [each for each in searches if each is not None]
    if solver is not None:
        for each in there:
            trial.sharpen(each, solver)
    return [remedy for each in there if (remedy := each.remedy) is not None]


@dataclass(slots=True)
class _Search:
    """What was found in one direction: `low` is the index of the first amount that isn't refuted, `at` of
    the smallest that fits.
    """

    change: SettingsChange
    amounts: Sequence[int]
    changed: Changed
    low: int
    at: int
    found: SolvedTimetable | None
    least: bool = False

    @property
    def amount(self) -> int:
        return self.amounts[self.at]

    @property
    def remedy(self) -> Remedy | None:
        if self.found is None:
            return None
        if self.change is SettingsChange.WITHOUT_JUDGES:
            without = sum(each.judge is None for each in self.found.placements)
            return Remedy(self.change, without, self.found)
        return Remedy(self.change, self.amount, self.found, self.least or self.at == self.low)


class _Trial:
    """Tries changed problems."""

    def __init__(self, seed: str, watch: Watch) -> None:
        self.seed, self.watch = seed, watch

    def fits(self, problem: SchedulingProblem) -> SolvedTimetable | None:
        """A timetable of it, if the plain method finds one quickly."""
        if refuted(problem) is not None:
            return None
        board = Plain(problem, self.seed, self.watch).placed(TRIED, tries=1)
        return None if board.missing else self.finished(problem, board, Method.PLAIN)

    def finished(self, problem: SchedulingProblem, board: Board, method: Method) -> SolvedTimetable:
        """The timetable of a full board."""
        return as_timetable(board, method, self.seed, earliest_end(problem), self.watch)

    def smallest(
        self, change: SettingsChange, amounts: Sequence[int], changed: Changed, guess: int = 0
    ) -> _Search | None:
        """The smallest of the amounts (in order; a larger one always helps as much) with which it fits.

        Where the first that isn't refuted doesn't do, the steps grow until one does (to begin earlier, from
        `guess` on). Then it is looked for between the last two.
        """
        if not amounts or refuted(changed(amounts[-1])) is not None:
            return None
        last = len(amounts) - 1
        low = bisect_left(amounts, True, hi=last, key=lambda amount: refuted(changed(amount)) is None)
        search = _Search(change, amounts, changed, low, low, self.fits(changed(amounts[low])))
        if search.found is not None:
            return search
        left, step = low + 1, 1
        if change is SettingsChange.BEGIN_EARLIER and low < (near := min(bisect_left(amounts, guess), last)):
            step = near - low
        while search.found is None and search.at < last and self.watch.goes_on():
            left, search.at = search.at + 1, min(low + step, last)
            search.found = self.fits(changed(search.amount))
            step *= 2
        while search.found is not None and left < search.at and self.watch.goes_on():
            middle = (left + search.at) // 2
            better = self.fits(changed(amounts[middle]))
            if better is not None:
                search.found, search.at = better, middle
            else:
                left = middle + 1
        return search

    def sharpen(self, search: _Search, solver: ModuleType) -> None:
        """Look for a smaller amount by the exact method, and stop where it proves that there is none."""
        if search.found is None:
            search.at = len(search.amounts)
        while search.at > search.low and not search.least and self.watch.left > PROOF / 2:
            self.watch.tell(Step.REMEDIES)
            problem = search.changed(search.amounts[search.at - 1])
            answer: Found = solver.feasible(problem, self.seed, self.watch, PROOF)
            if answer.starts is None:
                search.least = answer.proved and search.found is not None
                return
            board = seated(Board(Indexed(problem), Random(self.seed)), answer)  # noqa: S311 - no secret
            search.at -= 1
            search.found = self.finished(problem, board, Method.EXACT)


def _later(problem: SchedulingProblem, trial: _Trial) -> _Search | None:
    """Ending later: one timetable with an open end, made to end early, shows how much it takes."""
    days, step = problem.hall.days, problem.hall.step
    if not days:
        return None
    closing = days[-1].end
    bound = earliest_end(_until(problem, closing + DAY))
    if bound is None:
        return None
    plain = Plain(_until(problem, max(bound, closing) + DAY // 4), trial.seed, trial.watch)
    board = plain.placed(TRIED)
    if board.missing or not trial.watch.goes_on():
        return None
    board = plain.improved(board, bound, TRIED)
    over = board.over
    if over is None or over <= closing:
        return None
    # Ends differ by steps, counted back from the one that was found.
    amounts = sorted({bound - closing, *range(over - closing, max(0, bound - closing - 1), -step)})
    amounts = [each for each in amounts if each > 0]
    relaxed = _until(problem, over)
    return _Search(
        SettingsChange.END_LATER,
        amounts,
        lambda minutes: _until(problem, closing + minutes),
        0,
        amounts.index(over - closing),
        trial.finished(relaxed, board, Method.PLAIN),
        least=over == bound,
    )


def _until(problem: SchedulingProblem, end: int) -> SchedulingProblem:
    """With the last day open until then."""
    days = problem.hall.days
    return _hall(problem, windows=(*days[:-1], Window(days[-1].start, end)))


def _directions(problem: SchedulingProblem) -> Iterator[tuple[SettingsChange, Sequence[int], Changed]]:
    """What can be changed: by which amounts, in order, and what the problem is then."""
    hall, free = problem.hall, [each for each in problem.meetings if each.pinned is None]
    amounts = range(1, min(MOST, len(problem.meetings)) + 1)
    yield SettingsChange.TABLES, amounts, partial(more_tables, problem)
    if hall.days:
        earliest = hall.days[0].start
        amounts = range(hall.step, min(earliest, HOURS * 60) + 1, hall.step)
        yield SettingsChange.BEGIN_EARLIER, amounts, partial(begin_earlier, problem)
    if free:
        amounts = range(1, min(each.minutes for each in free) // 2 + 1)
        yield SettingsChange.SHORTER, amounts, partial(shorter, problem)
    if hall.breaks:
        yield SettingsChange.NO_BREAKS, (len(hall.breaks),), lambda _: _hall(problem, breaks=())
    if hall.rest:
        amounts = range(1, hall.rest + 1)
        yield SettingsChange.LESS_REST, amounts, lambda n: _hall(problem, rest=hall.rest - n)
    if gap := hall.changeover:
        amounts = range(1, gap + 1)
        yield SettingsChange.LESS_CHANGEOVER, amounts, lambda n: _hall(problem, changeover=gap - n)
    if problem.judged:
        yield SettingsChange.JUDGES, range(1, MOST + 1), partial(more_judges, problem)
        yield SettingsChange.WITHOUT_JUDGES, (1,), lambda _: replace(problem, judged=False)
    if _rounds(problem) and problem.rounds is not RoundOrder.FREE:
        yield SettingsChange.MIXED_ROUNDS, (0,), lambda _: replace(problem, rounds=RoundOrder.FREE)
    if problem.together:
        yield SettingsChange.OWN_STARTS, (0,), lambda _: replace(problem, together=False)
    most = max((len(each) for each in _droppable(problem).values()), default=1)
    if most > 1:
        yield SettingsChange.FEWER_ROUNDS, range(1, most), partial(fewer_rounds, problem)
    fixed = sum(each.pinned is not None and not each.is_begun for each in problem.meetings)
    if fixed:
        yield SettingsChange.UNPINNED, (fixed,), lambda _: unpinned(problem)


def applied(problem: SchedulingProblem, remedy: Remedy) -> SchedulingProblem:
    """The problem as a remedy changes it: the remedy's timetable has no conflicts in it."""
    if remedy.change is SettingsChange.END_LATER:
        return _until(problem, problem.hall.days[-1].end + remedy.amount)
    changed = {change: changed for change, _, changed in _directions(problem)}
    return changed[remedy.change](remedy.amount)


def more_tables(problem: SchedulingProblem, count: int) -> SchedulingProblem:
    """With so many more tables, named +1, +2, …"""
    more = tuple(f"+{number}" for number in range(1, count + 1))
    return _hall(problem, tables=(*problem.hall.tables, *more))


def more_judges(problem: SchedulingProblem, count: int) -> SchedulingProblem:
    """With so many more referees of no team, named +1, +2, …"""
    more = tuple(Judge(f"+{number}") for number in range(1, count + 1))
    return replace(problem, judges=(*problem.judges, *more))


def begin_earlier(problem: SchedulingProblem, minutes: int) -> SchedulingProblem:
    """With the first day open earlier."""
    first, *others = problem.hall.days
    return _hall(problem, windows=(Window(first.start - minutes, first.end), *others))


def shorter(problem: SchedulingProblem, minutes: int) -> SchedulingProblem:
    """With shorter meetings, but for the pinned ones."""
    return replace(
        problem,
        meetings=tuple(
            each if each.pinned is not None else replace(each, minutes=each.minutes - minutes)
            for each in problem.meetings
        ),
    )


def fewer_rounds(problem: SchedulingProblem, count: int) -> SchedulingProblem:
    """Without the last rounds of each tournament that has more and may have fewer; what is pinned stays."""
    dropped = {
        (tournament, number)
        for tournament, numbers in _droppable(problem).items()
        if len(numbers) > count
        for number in numbers[-count:]
    }
    return replace(
        problem,
        meetings=tuple(
            each
            for each in problem.meetings
            if each.pinned is not None or (each.tournament, each.round) not in dropped
        ),
    )


def unpinned(problem: SchedulingProblem) -> SchedulingProblem:
    """With everything free to move but what is being played."""
    meetings = (each if each.is_begun else replace(each, pinned=None) for each in problem.meetings)
    return replace(problem, meetings=tuple(meetings))


def _rounds(problem: SchedulingProblem) -> dict[str, list[int]]:
    found: dict[str, set[int]] = {}
    for each in problem.meetings:
        if each.round > 0:
            found.setdefault(each.tournament, set()).add(each.round)
    return {tournament: sorted(numbers) for tournament, numbers in found.items()}


def _droppable(problem: SchedulingProblem) -> dict[str, list[int]]:
    """The rounds of the tournaments that can have fewer."""
    rounds = _rounds(problem)
    return {tournament: rounds[tournament] for tournament in rounds if tournament not in problem.fixed_rounds}


def _hall(problem: SchedulingProblem, **changes: object) -> SchedulingProblem:
    return replace(problem, hall=replace(problem.hall, **changes))  # type: ignore[arg-type]
