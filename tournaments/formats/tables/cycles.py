"""Cycles: one round that is turned on, from round to round.

Contestants stand on rings of m places, some alone in the middle. In the next round everybody's seat is taken
by who stands one place further on the own ring. So what two meet in all rounds follows from the first round.
Of the pairs with the same distance on the same two rings each meets once where the first round has one of
them. So only this one round has to be found, by the same search as `search.py`.
"""

from collections.abc import Iterable, Iterator, Sequence

from .search import MEMORY, Rounds


class Cycle:
    """A round in the making, for rings of `turns` places. Contestant c is number c mod turns of ring c div
    turns, and the last ones, fewer than `turns`, stand in the middle.

    `apart` says what two at one table cost, `unit` what a second meeting costs. `row` has who sits down,
    table by table; the tables have these sizes.
    """

    def __init__(
        self, turns: int, row: Sequence[int], sizes: Sequence[int], apart: Sequence[Sequence[int]], unit: int
    ) -> None:
        self.turns = turns
        self.contestants = len(apart)
        self.row = list(row)
        self.spans = spans_of(sizes)
        self.cost = 0
        self._number_kinds(apart, unit)
        for start, end in sorted(set(self.spans)):
            for at in range(start, end):
                self._add([self.kinds[self.row[at]][other] for other in self.row[start:at]])

    def _number_kinds(self, apart: Sequence[Sequence[int]], unit: int) -> None:
        """Number the kinds of pairs that turn into each other.

        `times` is how many of a kind the round has; the next one costs `first` and as often `more`.
        """
        known: dict[tuple[int, int, int], int] = {}
        lengths: list[int] = []
        kept_apart: list[int] = []
        self.kinds = [[-1] * self.contestants for _ in range(self.contestants)]
        for one in range(self.contestants):
            for other in range(one):
                kind = known.setdefault(self._kind(other, one), len(known))
                if kind == len(lengths):
                    lengths.append(0)
                    kept_apart.append(0)
                lengths[kind] += 1
                kept_apart[kind] += apart[one][other]
                self.kinds[one][other] = self.kinds[other][one] = kind
        self.times = [0] * len(lengths)
        self.first: list[int] = []
        self.more: list[int] = []
        for length, cost in zip(lengths, kept_apart, strict=True):
            # Each pair of the kind is at one table so often for each of them in the round.
            meetings = self.turns // length
            self.first.append(meetings * cost + unit * length * meetings * (meetings - 1) // 2)
            self.more.append(unit * length * meetings * meetings)

    def _kind(self, low: int, high: int) -> tuple[int, int, int]:
        (ring, at), (other_ring, place) = divmod(low, self.turns), divmod(high, self.turns)
        on_rings = self.contestants // self.turns
        if ring == on_rings:
            return low, high, -1
        if other_ring == on_rings:
            return ring, high, -2
        distance = (place - at) % self.turns
        return ring, other_ring, min(distance, self.turns - distance) if ring == other_ring else distance

    def _add(self, kinds: Iterable[int]) -> None:
        for kind in kinds:
            self.cost += self.first[kind] + self.more[kind] * self.times[kind]
            self.times[kind] += 1

    def _remove(self, kinds: Iterable[int]) -> None:
        for kind in kinds:
            self.times[kind] -= 1
            self.cost -= self.first[kind] + self.more[kind] * self.times[kind]

    def run(self, numbers: Iterator[int], steps: int) -> None:
        """So many steps, until nobody meets twice; it ends with the cheapest round that was found."""
        row, spans, kinds = self.row, self.spans, self.kinds
        places = len(row)
        history = [self.cost] * MEMORY
        cheapest, best = self.cost, list(row)
        for step in range(steps):
            if cheapest == 0:
                break
            there, here = divmod(next(numbers), places)
            there %= places
            if spans[here] == spans[there]:
                continue
            (start, end), (first, last) = spans[here], spans[there]
            one, other = row[here], row[there]
            left = [*row[start:here], *row[here + 1 : end]]
            right = [*row[first:there], *row[there + 1 : last]]
            mine, theirs = kinds[one], kinds[other]
            before, slot = self.cost, step % MEMORY
            leaving = [*map(mine.__getitem__, left), *map(theirs.__getitem__, right)]
            coming = [*map(theirs.__getitem__, left), *map(mine.__getitem__, right)]
            self._remove(leaving)
            self._add(coming)
            if self.cost > before and self.cost > history[slot]:
                self._remove(coming)
                self._add(leaving)
            else:
                row[here], row[there] = other, one
                if self.cost < cheapest:
                    cheapest, best = self.cost, list(row)
            history[slot] = self.cost
        self.row = best

    def rounds(self, count: int) -> Rounds:
        """The first so many turns of the round."""
        spans = sorted(set(self.spans))
        return [
            [[self._turned(one, turn) for one in self.row[start:end]] for start, end in spans]
            for turn in range(count)
        ]

    def _turned(self, one: int, turn: int) -> int:
        ring, at = divmod(one, self.turns)
        if ring == self.contestants // self.turns:
            return one
        return ring * self.turns + (at + turn) % self.turns


def first_row(contestants: int, numbers: Iterator[int]) -> list[int]:
    """All contestants in a drawn order."""
    row = list(range(contestants))
    for at in range(contestants - 1, 0, -1):
        other = next(numbers) % (at + 1)
        row[at], row[other] = row[other], row[at]
    return row


def spans_of(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """For each place of a round where its table begins and ends."""
    spans = []
    start = 0
    for size in sizes:
        spans += [(start, start + size)] * size
        start += size
    return spans
