"""Seating of a round at tables: even tables, few moves, and apart who should be apart.

In this order: as few tables as have a seat for everybody; tables that differ by one at most; as few as
possible move. Then labels in common at one table, teams in common, and earlier rounds together, each as
seldom as possible. No exchange of two seats makes it better. What is level after that follows from lots.

Method `tendone-tables-sha256-1`, which anybody can repeat. The lot of a contestant is the SHA-256 (in
hexadecimal) of the following UTF-8 text.

    tendone-tables-sha256-1/<seed>/<number>

1. The tables that stay are the fullest, of those that are as full the ones with the lowest numbers. The sizes
   go to them in that order, larger ones first.
2. In the order of lots each contestant stays at the own table as long as its new size has room.
3. The others take a seat at the table that has one free and costs least. Those with more labels come first,
   and then the order of lots. Costs are compared by what is level there, as above, then by who sits there,
   then by its number.
4. Each two contestants are compared in the order of lots: first and second, first and third and so on. They
   exchange seats if that costs less and nobody moves who stayed, but for one who comes home. Again, until
   nothing changes.

Test vector: seed `palio-2022`, number 1 gives
255f499bbfc09bb049aca6d888441a5f0bcf133ceb3c5622efe9f7f79c13841d.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from ..format import Contestant
from ..order import drawn_lot

METHOD = "tendone-tables-sha256-1"

_NOWHERE = 0


def rebalance(
    contestants: Sequence[Contestant],
    tables: Mapping[int, Sequence[int]],
    met: Mapping[frozenset[int], int],
    seats: int,
    seed: str,
) -> dict[int, tuple[int, ...]]:
    """The tables of the next round: for each table's number the contestants around it, clockwise.

    `tables` are those of the last round; who isn't among `contestants` (at least two) has left. `met` is how
    many rounds two have sat together. A table keeps its number and its order around the table; who moves to
    it sits down at the end. Of tables that empty alike the one with the highest number is broken up.
    """
    drawn = sorted(contestants, key=lambda one: drawn_lot(f"{METHOD}/{seed}/{one.number}"))
    playing = {one.number for one in drawn}
    here = {table: [one for one in tables[table] if one in playing] for table in sorted(tables)}
    sizes = _sizes(len(drawn), {table: len(sitting) for table, sitting in here.items()}, seats)
    home = {one: table for table in sizes for one in here.get(table, ())}
    plan = _Plan(drawn, home, sizes, met)
    plan.fill()
    plan.improve()
    seated = {}
    for table in sorted(sizes):
        stayed = [one for one in here.get(table, ()) if plan.table[one] == table]
        came = [one.number for one in drawn if plan.table[one.number] == table and one.number not in stayed]
        seated[table] = (*stayed, *came)
    return seated


def _sizes(contestants: int, sitting: Mapping[int, int], seats: int) -> dict[int, int]:
    """How many sit at which table; the fullest tables stay and take the larger sizes."""
    count = -(-contestants // seats)
    free = (number for number in range(1, len(sitting) + count + 1) if number not in sitting)
    fullest = sorted(sitting, key=lambda table: (-sitting[table], table))[:count]
    kept = [*fullest, *(next(free) for _ in range(count - len(fullest)))]
    base, more = divmod(contestants, count)
    return {table: base + (index < more) for index, table in enumerate(kept)}


class _Plan:
    """A seating in the making. `cost[one][table]` is what one has against those who sit at a table."""

    def __init__(
        self,
        drawn: Sequence[Contestant],
        home: Mapping[int, int],
        sizes: Mapping[int, int],
        met: Mapping[frozenset[int], int],
    ) -> None:
        self.drawn = drawn
        self.sizes = sizes
        self.home = home
        self.table: dict[int, int] = {one.number: _NOWHERE for one in drawn}
        # One number for three, so that any of a kind weighs more than all of the next kind: the meetings of
        # all pairs stay below the second weight, and the pairs of one team below the first.
        pairs = len(drawn) ** 2
        self.team_weight = 1 + sum(met.values())
        self.label_weight = self.team_weight * (1 + pairs)
        self.against = self._pairs(met)
        self.cost: dict[int, Counter[int]] = {one.number: Counter() for one in drawn}

    def _pairs(self, met: Mapping[frozenset[int], int]) -> dict[int, dict[int, int]]:
        against: dict[int, dict[int, int]] = {one.number: {} for one in self.drawn}
        for one, other in combinations(self.drawn, 2):
            weight = (
                len(one.labels & other.labels) * self.label_weight
                + (one.team == other.team) * self.team_weight
                + met.get(frozenset((one.number, other.number)), 0)
            )
            if weight:
                against[one.number][other.number] = against[other.number][one.number] = weight
        return against

    def _put(self, one: int, table: int) -> None:
        before = self.table[one]
        self.table[one] = table
        for other, weight in self.against[one].items():
            self.cost[other][table] += weight
            self.cost[other][before] -= weight

    def fill(self) -> None:
        """Everybody stays who can; the others take the seat that is free and costs least, hardest first."""
        count: Counter[int] = Counter()
        for one in (each.number for each in self.drawn):
            table = self.home.get(one)
            if table is not None and count[table] < self.sizes[table]:
                count[table] += 1
                self._put(one, table)
        hardest = sorted(self.drawn, key=lambda one: -len(one.labels))
        for one in (each.number for each in hardest if self.table[each.number] == _NOWHERE):
            open_tables = [table for table in sorted(self.sizes) if count[table] < self.sizes[table]]
            costs = self.cost[one]
            table = min(open_tables, key=lambda table: (costs[table], count[table], table))
            count[table] += 1
            self._put(one, table)

    def improve(self) -> None:
        """Exchange two seats as long as that costs less and moves nobody more."""
        better = True
        while better:
            better = False
            for one, other in combinations(self.drawn, 2):
                better = self._exchange(one.number, other.number) or better

    def _exchange(self, one: int, other: int) -> bool:
        here, there = self.table[one], self.table[other]
        if here == there:
            return False
        homes = (self.home.get(one), self.home.get(other))
        if (homes[0] == there) + (homes[1] == here) < (homes[0] == here) + (homes[1] == there):
            return False
        both = self.against[one].get(other, 0)
        now = self.cost[one][here] + self.cost[other][there]
        then = self.cost[one][there] + self.cost[other][here] - 2 * both
        if then >= now:
            return False
        self._put(one, there)
        self._put(other, here)
        return True
