"""Timetables: how long one takes and how good it is, by the plain method and by the exact one.

And how long it takes to hear that nothing fits, and what would make it fit. Eight teams of six players; each
two teams meet in three games: as 28 matches that all twelve play, and as 84 single games, two of each team at
a table. There are six tables. The exact method needs the extra `solver`.

And a day of three teams of ten, four rounds of triangles from 14:00: by the draw, with common starts, and
with starts of their own.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from benchmarks import services
from benchmarks.tables import Cell, show
from benchmarks.timing import LINES, decode_lines, in_turns
from tests.tournaments.scheduling.problems import as_games, as_matches, hall
from tournaments.formats import DrawField, DrawInputs, Settings
from tournaments.formats.triangle import TRIANGLE
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.figures import figures
from tournaments.scheduling.model import (
    Hall,
    Impossible,
    Judge,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    SolvedTimetable,
    Window,
)
from tournaments.scheduling.remedies import applied
from tournaments.scheduling.solving import exact_method, solve

GOAL = 5.0
"""Seconds for any answer."""
day = partial(hall, breaks=(Window(12 * 60, 13 * 60),))
"""From nine o'clock on, with an hour at noon in which nobody plays."""
JUDGES = tuple(Judge(f"J{number}", str(number) if number < 5 else None) for number in range(1, 7))
POSSIBLE = {
    "28 matches, rest 5": SchedulingProblem(as_matches(), day(rest=5)),
    "84 games": SchedulingProblem(as_games(), day()),
    "84 games, rest 5": SchedulingProblem(as_games(), day(rest=5)),
    "84 games, 6 referees": SchedulingProblem(as_games(), day(), JUDGES, judged=True),
    "84 games, rounds apart": SchedulingProblem(as_games(), day(), rounds=RoundOrder.APART),
}
IMPOSSIBLE = {
    "28 matches in 5 hours": SchedulingProblem(as_matches(), day(hours=5, rest=5)),
    "84 games at 3 tables": SchedulingProblem(as_games(), day(3, 5, changeover=5)),
    "84 games in 4 hours": SchedulingProblem(as_games(), day(hours=4, rest=5)),
    "84 games, 3 referees": SchedulingProblem(as_games(), day(hours=6), JUDGES[:3], judged=True),
}


SEEDS = ("palio-2026", "palio-2022", "a", "b")
AFTERNOON = 14 * 60


def day_of_thirty(seed: str) -> tuple[SchedulingProblem, tuple[Placement, ...]]:
    """Three teams of ten at six tables by the settings that a tournament has at first; the draw's hours."""
    drawn = DrawInputs(TRIANGLE, DrawField(((*range(1, 11),),) * 3), Settings(tables=6), seed).draw()
    meetings, placements, begins = [], [], AFTERNOON
    for each in drawn.rounds:
        for wave in each.waves:
            for match in wave.matches:
                key, sides = str(match.number), match.sides
                people = frozenset(f"{one.team}.{one.entry}" for side in sides for one in side.players())
                teams = frozenset(str(side.team) for side in sides)
                meetings.append(ScheduledMatch(key, 30, people, teams, tournament="palio", round=each.number))
                placements.append(Placement(key, str(match.table), begins))
            begins += 35
    place = Hall(
        tuple(str(number) for number in range(1, 7)),
        (Window(AFTERNOON, AFTERNOON + 6 * 60),),
        changeover=5,
    )
    return SchedulingProblem(tuple(meetings), place), tuple(placements)


def measure_day(seed: str, exact: bool) -> tuple[list[list[Cell]], list[str]]:
    """A row for each way to begin, and what is wrong."""
    problem, drawn = day_of_thirty(seed)
    ways = [("as drawn", drawn)]
    for together in (True, False):
        found = solve(replace(problem, together=together), seed=seed, exact=exact)
        if not isinstance(found, SolvedTimetable):
            return [], [f"thirty children, {seed}: no timetable was found"]
        ways.append(("common starts" if together else "starts of their own", found.placements))
    rows: list[list[Cell]] = []
    for name, placements in ways:
        each = figures(problem, placements)
        method = "" if placements is drawn else "exact" if exact else "plain"
        rows.append([seed, name, method, clock(each.end), each.longest_wait, each.starts])
    wrong = [f"{seed}, {name}: {each}" for name, found in ways for each in conflicts(problem, found)]
    return rows, wrong


def methods() -> Sequence[bool]:
    """Without and, where it is there, with the exact method."""
    if exact_method() is None:
        print("\nThe extra `solver` isn't installed: only the plain method is measured.")
        return (False,)
    return (False, True)


def clock(minutes: int | None) -> str:
    """A time of the day."""
    return "–" if minutes is None else f"{minutes // 60}:{minutes % 60:02}"


def measure(name: str, problem: SchedulingProblem, exact: bool) -> tuple[list[Cell], list[str]]:
    """One row, and what is wrong."""
    begun = time.perf_counter()
    found = solve(problem, seed="palio-2026", exact=exact)
    seconds = time.perf_counter() - begun
    if not isinstance(found, SolvedTimetable):
        return [name, "–", "–", "–", "–", seconds], [f"{name}: no timetable was found"]
    wrong = [f"{name}: {each}" for each in conflicts(problem, found.placements)]
    row = [
        name,
        "exact" if exact else "plain",
        clock(found.end),
        clock(found.bound),
        round(found.waiting / len({person for each in problem.meetings for person in each.people})),
        seconds,
    ]
    return row, wrong


def measure_impossible(name: str, problem: SchedulingProblem, exact: bool) -> tuple[list[Cell], list[str]]:
    """One row, and what is wrong."""
    begun = time.perf_counter()
    found = solve(problem, seed="palio-2026", exact=exact)
    seconds = time.perf_counter() - begun
    if not isinstance(found, Impossible):
        return [name, "–", "–", seconds], [f"{name}: there is a timetable after all"]
    wrong = [
        f"{name}, {remedy.change}: {each}"
        for remedy in found.remedies
        for each in conflicts(applied(problem, remedy), remedy.timetable.placements)
    ]
    if not found.remedies:
        wrong.append(f"{name}: nothing was found that would make it fit")
    remedies = ", ".join(f"{each.change} {each.amount}{'' if each.least else '?'}" for each in found.remedies)
    return [name, "exact" if exact else "plain", found.cause, remedies, seconds], wrong


def main() -> int:
    """Measure all; a timetable or a remedy with a conflict is a failure."""
    services.arguments(__doc__).parse_args()
    wrong: list[str] = []
    chosen = methods()
    rows, refused, days = [], [], []
    for name, problem in POSSIBLE.items():
        for exact in chosen:
            row, bad = measure(name, problem, exact)
            rows.append(row)
            wrong += bad
    show(
        f"Timetables at six tables (goal: {GOAL:.0f} s; the exact method uses the time there is)",
        ["what", "method", "end", "none before", "minutes that each waits", "s"],
        rows,
    )
    plain = in_turns(
        {
            **{name: partial(solve, problem, exact=False) for name, problem in POSSIBLE.items()},
            "decode": decode_lines,
        },
        rounds=3,
    )
    show(
        f"The plain method (the yardstick is json.loads of {LINES:,} lines)",
        ["what", "s", "×"],
        [[name, plain[name].median, plain[name].ratio(plain["decode"])] for name in POSSIBLE],
    )
    for name, problem in IMPOSSIBLE.items():
        for exact in chosen:
            row, bad = measure_impossible(name, problem, exact)
            refused.append(row)
            wrong += bad
    show(
        "What can't fit, and what would make it fit (with ?: perhaps less would do)",
        ["what", "method", "because of", "would fit with", "s"],
        refused,
    )
    for seed in SEEDS:
        for exact in chosen:
            of_day, bad = measure_day(seed, exact)
            days += of_day
            wrong += bad
    show(
        "Thirty children, four rounds, six tables from 14:00",
        ["seed", "starts", "method", "end", "longest wait, min", "different starts"],
        days,
    )
    for each in wrong:
        print(each, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
