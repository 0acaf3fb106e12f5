"""Contestants divided into groups of the same size, give or take one.

The contestants in the order of their seeding are cut into pots of as many as there are groups; the last pot
may be smaller. Each pot gives every group one.

- `pots`: who of a pot has the lowest lot goes to group 1, the next to group 2, and so on.
- `snake`: the first pot goes to the groups 1, 2, 3, … in the order of the seeding. The second goes from the
  last group back, and so on by turns. Nothing is drawn.

Contestants of one team, or with a label in common, are kept apart. Each label (and the team) counts once for
each pair in one group that shares it. Whoever is in such a pair changes places with another of their pot, or
goes to a group that their pot gives nobody. It is the change that lowers the count most, of several the one
with the first group. Passes go from pot to pot and in it from group to group, and repeat until one changes
nothing. Where pots are drawn, this is done for up to ATTEMPTS draws, each with lots of its own. The first
whose count is proved to be the least possible is taken. If there is none, it is the one that counts least, of
several the earliest.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from math import comb

from ..constraints import even_pairs
from ..format import Contestant
from .lots import group_lot

ATTEMPTS = 20

Row = list[Contestant | None]
"""What one pot gives to each group, group 1 first; None for nobody."""

Mark = tuple[str, int]
"""What contestants may have in common: a team or a label, with its number."""


class Grouping(StrEnum):
    """How groups are made."""

    POTS = "pots"
    SNAKE = "snake"


def divide(
    field: Sequence[Contestant], groups: int, grouping: Grouping, seed: str
) -> tuple[tuple[Contestant, ...], ...]:
    """Who of a field (at least one contestant for each group) is in which, group 1 first, by pots."""
    marks = _marks(field)
    fewest = sum(even_pairs(times, groups) for times in Counter(_all(marks.values())).values())
    seeded = sorted(field, key=lambda one: one.number)
    pots = [seeded[start : start + groups] for start in range(0, len(seeded), groups)]
    found: list[tuple[int, list[Row]]] = []
    for rows in _starts(pots, grouping, seed):
        search = _GroupSearch(rows, marks)
        search.improve()
        found.append((search.together, rows))
        if search.together <= fewest:
            break
    _, rows = min(found, key=lambda each: each[0])
    return tuple(tuple(one for row in rows if (one := row[group]) is not None) for group in range(groups))


def _marks(field: Iterable[Contestant]) -> dict[int, frozenset[Mark]]:
    """What each contestant has that somebody else has as well."""
    marks = {one.number: {("team", one.team), *(("label", label) for label in one.labels)} for one in field}
    times = Counter(_all(marks.values()))
    return {number: frozenset(mark for mark in own if times[mark] > 1) for number, own in marks.items()}


def _all(marks: Iterable[Iterable[Mark]]) -> Iterator[Mark]:
    return (mark for own in marks for mark in own)


def _starts(pots: Sequence[Sequence[Contestant]], grouping: Grouping, seed: str) -> Iterator[list[Row]]:
    """What each pot gives to each group, before anybody is kept apart: once for each attempt."""
    size = len(pots[0])
    if grouping == Grouping.SNAKE:
        rows = [_row(pot, size) for pot in pots]
        yield [row[::-1] if index % 2 else row for index, row in enumerate(rows)]
        return
    for attempt in range(1, ATTEMPTS + 1):
        lots = {one: group_lot(seed, attempt, one.number) for pot in pots for one in pot}
        yield [_row(sorted(pot, key=lots.__getitem__), size) for pot in pots]


def _row(pot: Sequence[Contestant], size: int) -> Row:
    return [*pot, *[None] * (size - len(pot))]


class _GroupSearch:
    """Rows in which contestants change places, with the count of what they have in common in their groups."""

    def __init__(self, rows: list[Row], marks: dict[int, frozenset[Mark]]) -> None:
        self.rows = rows
        self.marks = marks
        self.counts = [Counter(_all(map(self._of, column))) for column in zip(*rows, strict=True)]
        self.together = sum(comb(times, 2) for count in self.counts for times in count.values())

    def _of(self, one: Contestant | None) -> frozenset[Mark]:
        return frozenset() if one is None else self.marks[one.number]

    def improve(self) -> None:
        """Passes until one changes nothing."""
        changed = True
        while changed:
            changed = False
            for row in self.rows:
                for group in range(len(row)):
                    changed = self._improve(row, group) or changed

    def _improve(self, row: Row, group: int) -> bool:
        own, count = self._of(row[group]), self.counts[group]
        if all(count[mark] == 1 for mark in own):
            return False
        gain, _, other = max((self._gain(row, group, other), -other, other) for other in range(len(row)))
        if gain <= 0:
            return False
        there = self._of(row[other])
        for left, right, marks in ((group, other, own - there), (other, group, there - own)):
            self.counts[left].subtract(marks)
            self.counts[right].update(marks)
        row[group], row[other] = row[other], row[group]
        self.together -= gain
        return True

    def _gain(self, row: Row, group: int, other: int) -> int:
        """By how much the count gets lower if two groups exchange what this pot gives them."""
        here, there = self.counts[group], self.counts[other]
        own, theirs = self._of(row[group]), self._of(row[other])
        # What both have stays in either group as often as it is.
        return sum(here[mark] - 1 - there[mark] for mark in own - theirs) + sum(
            there[mark] - 1 - here[mark] for mark in theirs - own
        )
