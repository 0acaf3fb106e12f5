"""Seeding of a bracket: the first two can meet in the final only, the first four from the semi-finals on."""

from functools import lru_cache


@lru_cache(maxsize=16)
def standard_order(depth: int) -> tuple[int, ...]:
    """The seeds 1 to 2 ** depth from top to bottom of a bracket of `depth` rounds.

    Seed 1 stands at the top and 2 at the bottom. Neighbours (the first and second, the third and fourth, …)
    add up to 2 ** depth + 1. Of n contestants, the missing seeds n + 1 and up are the byes, so the best seeds
    have them. Of any two halves, quarters, … one has at most one bye more than the other.

    >>> standard_order(3)
    (1, 8, 5, 4, 3, 6, 7, 2)
    """
    order: tuple[int, ...] = (1,)
    for _ in range(depth):
        size = 2 * len(order)
        order = tuple(
            seed
            for index, one in enumerate(order)
            for seed in ((one, size + 1 - one) if index % 2 == 0 else (size + 1 - one, one))
        )
    return order


def depth_for(contestants: int) -> int:
    """How many rounds a bracket of so many contestants has."""
    return (contestants - 1).bit_length()
