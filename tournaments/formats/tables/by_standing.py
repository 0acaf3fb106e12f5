"""A round by the standings: the leaders sit together, and of equals who hasn't met.

Weighed in this order: labels in common at one table, own team, points, meetings. The contestants sit down in
the order of their points, and of equals by lot: so each table has its span of points. Then two change places
as long as that costs less. Who sits at a table outside its span costs as many points as they are away from
it. So whoever leaves the own points for the sake of a team goes to the nearest table that will do. Meetings
never move anybody away from equals.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb, lcm

from .planning import SeatingTask, pair_costs
from .search import PairCosts, TableSearch, drawn_numbers

STEPS = 12_000


def tables_by_standing(task: SeatingTask, points: Sequence[Fraction], text: str) -> list[list[int]]:
    """The tables of one round, the leaders' first, for contestants 0, 1, … in the order of their lots.

    They have these points, and all of them sit down. The search's numbers are those of `text`.
    """
    denominators = lcm(*(each.denominator for each in points))
    units = [int(each * denominators) for each in points]
    row = sorted(range(len(units)), key=lambda one: -units[one])
    tables = []
    for size in task.sizes:
        tables.append(row[:size])
        row = row[size:]
    search = TableSearch(_with_points(task, units, tables), [tables])
    search.run(drawn_numbers(text), STEPS, 0)
    search.descend()
    return search.rounds()[0]


def _with_points(task: SeatingTask, units: Sequence[int], tables: Sequence[Sequence[int]]) -> PairCosts:
    """The costs of a round: a point away from a table's span outweighs all meetings, a team all points."""
    meetings = pair_costs(task)
    pairs = sum(comb(size, 2) for size in task.sizes)
    point = meetings.unit * (1 + pairs * max((times for *_, times in task.met), default=0))
    weight = point * (1 + len(units) * (max(units) - min(units)))
    spans = [(min(units[one] for one in table), max(units[one] for one in table)) for table in tables]
    return replace(
        meetings,
        apart=pair_costs(replace(task, met=frozenset()), weight=weight).apart,
        at_table=[[point * max(low - own, own - high, 0) for low, high in spans] for own in units],
    )
