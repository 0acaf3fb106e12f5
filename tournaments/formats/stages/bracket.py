"""Meetings of seeds in a knockout."""

from ..elimination.seeding import depth_for, standard_order


def first_round(count: int) -> tuple[tuple[int, int], ...]:
    """The pairs of the first round, top of the bracket first, the better seed first; one seed has none.

    Where the second is above `count` the first has a bye.
    """
    order = standard_order(depth_for(count))
    return tuple((min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=False))


def opponent(seed: int, count: int) -> int:
    """The seed that one meets in the first round; one above `count` is a bye."""
    return (1 << depth_for(count)) + 1 - seed


def meets_in(one: int, other: int, count: int) -> int:
    """The round, from 1, in which two seeds of so many meet if both go on winning."""
    order = standard_order(depth_for(count))
    return (order.index(one) ^ order.index(other)).bit_length()
