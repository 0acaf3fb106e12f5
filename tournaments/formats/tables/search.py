"""Search for rounds at tables: contestants change places as long as that costs less.

The cost of rounds is a sum over pairs of contestants. At each table it is what keeps the two apart: a team, a
label. It is `unit` more for each pair of meetings of the same two, so 1, 3, 6 units for 2, 3, 4 meetings.
Where tables have two sizes, 1, 3, 6 are added for who sits at a smaller one 2, 3, 4 times. All of it stays
below a unit.

The search accepts late. In a step two contestants of one round change places. They don't where that costs
more than the rounds do now, and more than they did `MEMORY` steps before. It counts steps, never seconds, and
all costs are whole numbers: so it finds the same on any machine. Its numbers are those of `drawn_numbers`.
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, count

MEMORY = 60
"""With the cost of how many steps before a step's cost is compared."""

Rounds = list[list[list[int]]]
"""For each round its tables, for each table who sits there."""


def drawn_numbers(text: str) -> Iterator[int]:
    """Numbers below 2**32: eight from each SHA-256 of `<text>/0`, `<text>/1`, …, its first bytes first."""
    for number in count():
        yield from struct.unpack(">8L", hashlib.sha256(f"{text}/{number}".encode()).digest())


@dataclass(frozen=True, slots=True)
class PairCosts:
    """What rounds are judged by: contestants are 0, 1, ….

    `apart`: for each two what one table together costs, however often they have met; `met`: how often they
    have before these rounds. `at_smaller`: how often each has sat at a smaller table before. `at_table`: for
    each what a seat at each table costs, if anything.
    """

    unit: int
    apart: Sequence[Sequence[int]]
    met: Sequence[Sequence[int]]
    at_smaller: Sequence[int]
    at_table: Sequence[Sequence[int]] = ()

    def next_meetings(self) -> list[list[int]]:
        """For each two what one table more together costs, before any of these rounds."""
        unit = self.unit
        return [
            [cost + unit * times for cost, times in zip(costs, meetings, strict=True)]
            for costs, meetings in zip(self.apart, self.met, strict=True)
        ]

    def of(self, rounds: Rounds) -> int:
        """The cost of rounds."""
        return TableSearch(self, rounds).cost


class TableSearch:
    """Rounds that know their cost, and what each two would cost at one table more."""

    def __init__(self, costs: PairCosts, rounds: Rounds) -> None:
        self.unit = costs.unit
        self.next = costs.next_meetings()
        self.at_smaller = list(costs.at_smaller)
        self.at_table = costs.at_table
        self.sizes = [len(table) for table in rounds[0]] if rounds else []
        self.rows = [[one for table in tables for one in table] for tables in rounds]
        ends = list(accumulate(self.sizes))
        self.spans = [
            (end - size, end) for end, size in zip(ends, self.sizes, strict=True) for _ in range(size)
        ]
        self.tables = [table for table, size in enumerate(self.sizes) for _ in range(size)]
        self.largest = max(self.sizes, default=0)
        self.cost = 0
        for row in self.rows:
            for start, end in sorted(set(self.spans)):
                self._sit_down(row[start:end])
            if self.at_table:
                self.cost += sum(
                    self.at_table[one][table] for one, table in zip(row, self.tables, strict=True)
                )

    def _sit_down(self, table: Sequence[int]) -> None:
        for at, one in enumerate(table):
            for other in table[:at]:
                self.cost += self.next[one][other]
                self.next[one][other] += self.unit
                self.next[other][one] += self.unit
            if len(table) < self.largest:
                self.cost += self.at_smaller[one]
                self.at_smaller[one] += 1

    def rounds(self) -> Rounds:
        """The rounds as they are."""
        spans = sorted(set(self.spans))
        return [[row[start:end] for start, end in spans] for row in self.rows]

    def difference(self, row: Sequence[int], here: int, there: int) -> int:
        """How much more it costs if two places of a round, at different tables, are exchanged."""
        (start, end), (first, last) = self.spans[here], self.spans[there]
        one, other = row[here], row[there]
        mine, theirs = self.next[one], self.next[other]
        left, right = row[start:end], row[first:last]
        found = (
            sum(map(theirs.__getitem__, left))
            - sum(map(mine.__getitem__, left))
            + sum(map(mine.__getitem__, right))
            - sum(map(theirs.__getitem__, right))
            - 2 * theirs[one]
            + self.unit * (len(left) + len(right) - 2)
        )
        if len(left) > len(right):
            found += self.at_smaller[one] - self.at_smaller[other] + 1
        elif len(left) < len(right):
            found += self.at_smaller[other] - self.at_smaller[one] + 1
        if self.at_table:
            near, far = self.tables[here], self.tables[there]
            found += self.at_table[one][far] - self.at_table[one][near]
            found += self.at_table[other][near] - self.at_table[other][far]
        return found

    def _cost_at(self, row: Sequence[int], place: int) -> int:
        """What it costs that somebody sits there, but for smaller tables."""
        start, end = self.spans[place]
        one = row[place]
        found = sum(map(self.next[one].__getitem__, row[start:end])) - self.unit * (end - start - 1)
        return found + self.at_table[one][self.tables[place]] if self.at_table else found

    def exchange(self, row: list[int], here: int, there: int, difference: int) -> None:
        """Exchange two places of a round that cost so much more then."""
        (start, end), (first, last) = self.spans[here], self.spans[there]
        one, other = row[here], row[there]
        unit, following = self.unit, self.next
        for at, stays in enumerate(row[start:end], start):
            if at != here:
                self._change(one, stays, -unit, following)
                self._change(other, stays, unit, following)
        for at, stays in enumerate(row[first:last], first):
            if at != there:
                self._change(other, stays, -unit, following)
                self._change(one, stays, unit, following)
        if end - start > last - first:
            self.at_smaller[one] += 1
            self.at_smaller[other] -= 1
        elif end - start < last - first:
            self.at_smaller[one] -= 1
            self.at_smaller[other] += 1
        row[here], row[there] = other, one
        self.cost += difference

    @staticmethod
    def _change(one: int, other: int, by: int, following: list[list[int]]) -> None:
        following[one][other] += by
        following[other][one] += by

    def run(self, numbers: Iterator[int], steps: int, least: int) -> None:
        """So many steps, until it costs no more than `least`; then it is the cheapest that was found."""
        places, rows = len(self.spans), len(self.rows)
        if not rows or self.spans[0][1] == places:
            return
        history = [self.cost] * MEMORY
        cheapest, best = self.cost, [list(row) for row in self.rows]
        for step in range(steps):
            if cheapest <= least:
                break
            drawn = next(numbers)
            drawn, number = divmod(drawn, rows)
            there, here = divmod(drawn, places)
            there %= places
            if self.spans[here] == self.spans[there]:
                continue
            row = self.rows[number]
            difference = self.difference(row, here, there)
            slot = step % MEMORY
            if difference <= 0 or self.cost + difference <= history[slot]:
                self.exchange(row, here, there, difference)
                if self.cost < cheapest:
                    cheapest, best = self.cost, [list(each) for each in self.rows]
            history[slot] = self.cost
        self._put_back(best)
        self.cost = cheapest

    def _put_back(self, rows: list[list[int]]) -> None:
        for row, before in zip(self.rows, rows, strict=True):
            row[:] = before

    def descend(self) -> None:
        """Exchange places as long as that costs less, in their order; what costs nothing moves nobody."""
        better = True
        while better:
            better = False
            for row in self.rows:
                for here in range(len(row)):
                    if not self._cost_at(row, here):
                        continue
                    for there in range(len(row)):
                        if self.spans[here] == self.spans[there]:
                            continue
                        difference = self.difference(row, here, there)
                        if difference < 0:
                            self.exchange(row, here, there, difference)
                            better = True
