"""Where seeds stand in a balanced bracket: seed 1 meets the last one, 1 and 2 can only meet in the final."""

from functools import lru_cache


@lru_cache(maxsize=64)
def positions(count: int) -> tuple[int, ...]:
    """The seeds from the top of the bracket down: 1 to the power of two that has room for `count`."""
    order = [1]
    while len(order) < count:
        pair = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, pair - one)]
    return tuple(order)


def first_round(count: int) -> tuple[tuple[int, int], ...]:
    """The pairs of the first round, top first, for two or more contestants; seeds above `count` are byes."""
    order = positions(count)
    return tuple(zip(order[::2], order[1::2], strict=True)) if count > 1 else ()


def meets_in(one: int, other: int, count: int) -> int:
    """The round, from 1, in which two seeds of so many meet if both go on winning."""
    order = positions(count)
    return (order.index(one) ^ order.index(other)).bit_length()
