"""Every timetable there is, one after the other: slow, and hard to get wrong."""

from collections.abc import Callable

from tournaments.scheduling.check import conflicts
from tournaments.scheduling.model import Flaw, Placement, SchedulingProblem


def best_end(
    problem: SchedulingProblem, also: Callable[[list[Placement]], bool] = lambda _placed: True
) -> int | None:
    """When the last meeting of the best timetable is over; None if there is no timetable.

    `also` is asked of every timetable, and of every part of one.
    """
    hall, best = problem.hall, None
    starts = sorted({start for each in hall.stretches for start in range(each.start, each.end, hall.step)})
    judges = [each.key for each in problem.judges] if problem.judged else [None]

    def place(placed: list[Placement]) -> None:
        nonlocal best
        if len(placed) == len(problem.meetings):
            best = max(problem.span(each).end for each in placed)
            return
        meeting = problem.meetings[len(placed)]
        pin = meeting.pinned
        for start in starts if pin is None else [pin.start]:
            if best is not None and start + meeting.minutes >= best:
                break
            for table in hall.tables if pin is None else [pin.table]:
                for judge in judges if pin is None or pin.judge is None else [pin.judge]:
                    more = [*placed, Placement(meeting.key, table, start, judge)]
                    if also(more) and all(each.flaw is Flaw.NOT_PLACED for each in conflicts(problem, more)):
                        place(more)

    place([])
    return best
