"""Numbers for those who go on: tier by tier, opponents of one group as far apart as can be.

Where it is done by lots the lowest lot is number 1. Method `tendone-stages-sha256-1`: the lot is the SHA-256
(in hexadecimal) of the UTF-8 text

    tendone-stages-sha256-1/<seed>/<number>

with the contestant's number in the stage before. Test vector: seed `palio-2022`, number 1 gives
11b7b97cf143ebb36661be6fb32da31c0b84f2cf44943f74bfae3ce19a9f2204.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..elimination.seeding import depth_for, standard_order

METHOD = "tendone-stages-sha256-1"


@dataclass(frozen=True, slots=True)
class Through:
    """One who goes on, and the index of the group it comes from."""

    contestant: int
    group: int


def opponent(seed: int, count: int) -> int:
    """The seed that one meets in the first round of a knockout; one above `count` is a bye."""
    return (1 << depth_for(count)) + 1 - seed


def meets_in(one: int, other: int, count: int) -> int:
    """The round of a knockout, from 1, in which two seeds of so many meet if both go on winning."""
    order = standard_order(depth_for(count))
    return (order.index(one) ^ order.index(other)).bit_length()


def number(tiers: Sequence[Sequence[Through]], *, crossed: bool) -> tuple[int, ...]:
    """The contestants by seed. Each tier (all winners, all seconds, …) takes the next numbers.

    Within a tier the numbers are dealt so that as few as possible of one group meet early in a knockout. The
    first round of it counts first, then the second, and so on. After that, if `crossed`, groups cross two and
    two (A with B, C with D). Last comes the order of the tier, as nearly as that goes.
    """
    count = sum(len(tier) for tier in tiers)
    seeds: dict[int, Through] = {}
    for tier in tiers:
        numbers = range(len(seeds) + 1, len(seeds) + len(tier) + 1)
        costs = [
            [
                _cost(one, seed, seeds, count, crossed) + (index - column) ** 2
                for column, seed in enumerate(numbers)
            ]
            for index, one in enumerate(tier)
        ]
        chosen = assign(costs)
        seeds |= {numbers[column]: one for one, column in zip(tier, chosen, strict=True)}
    return tuple(seeds[seed].contestant for seed in sorted(seeds))


def _cost(one: Through, seed: int, seeds: dict[int, Through], count: int, crossed: bool) -> int:
    """What is against this number: each kind weighs more than all of the next kinds together."""
    cross_weight = count**3
    met_weight = 2 * count * cross_weight
    rounds = count.bit_length() + 1
    first = seeds.get(opponent(seed, count))
    cost = cross_weight if crossed and first is not None and first.group != one.group ^ 1 else 0
    for taken, other in seeds.items():
        if other.group == one.group:
            cost += met_weight * (count + 1) ** (2 * (rounds - meets_in(seed, taken, count)))
    return cost


def assign(costs: Sequence[Sequence[int]]) -> list[int]:
    """For each row a column of its own, so that the sum is least; by shortest augmenting paths, exact."""
    size = len(costs)
    row_of = [-1] * (size + 1)  # the last column is where each search starts from
    by_row, by_column = [0] * size, [0] * (size + 1)
    for row in range(size):
        row_of[size] = row
        column = size
        least: list[int | None] = [None] * size
        came = [size] * size
        done = [False] * (size + 1)
        while row_of[column] != -1:
            done[column] = True
            here = row_of[column]
            for each in range(size):
                if not done[each]:
                    cost = costs[here][each] - by_row[here] - by_column[each]
                    known = least[each]
                    if known is None or cost < known:
                        least[each], came[each] = cost, column
            step, following = min(
                (known, each) for each, known in enumerate(least) if known is not None and not done[each]
            )
            for each in range(size + 1):
                if done[each]:
                    by_row[row_of[each]] += step
                    by_column[each] -= step
                elif (known := least[each]) is not None:
                    least[each] = known - step
            column = following
        while column != size:
            row_of[column] = row_of[came[column]]
            column = came[column]
    chosen = [0] * size
    for column in range(size):
        chosen[row_of[column]] = column
    return chosen
