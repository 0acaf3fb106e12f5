"""Which meeting at which table, when, with which referee: pure, plain data in and plain data out.

solve(problem, *, seed="", seconds=5.0, exact=True, report=None, cancelled=None) -> Timetable | Impossible
conflicts(problem, placements) -> tuple[Conflict, ...]
moved(problem, placements, key, table, start) -> Moved
delayed(problem, placements, *, at, minutes, table=None, begun=frozenset()) -> Delayed
with_judges(problem, placements, seed="") -> tuple[Placement, ...]
"""
