"""The cheapest way to pair everybody, and its proof."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.formats.swiss import matching
from tournaments.formats.swiss.matching import Matching, cheapest_matching

Costs = list[list[int]]


def symmetric(size: int, cost: Callable[[int, int], int]) -> Costs:
    costs = [[0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one):
            costs[one][other] = costs[other][one] = cost(one, other)
    return costs


def random_costs(random: Random, size: int, most: int) -> Costs:
    return symmetric(size, lambda one, other: random.randint(0, most))


def distances(random: Random, size: int) -> Costs:
    """Points in a small square: many ties, and blossoms within blossoms."""
    points = [(random.randint(0, 12), random.randint(0, 12)) for _ in range(size)]
    return symmetric(
        size,
        lambda one, other: abs(points[one][0] - points[other][0]) + abs(points[one][1] - points[other][1]),
    )


def sum_of(costs: Costs, partners: Sequence[int]) -> int:
    return sum(costs[one][other] for one, other in enumerate(partners)) // 2


def least(costs: Costs) -> int:
    """By trying everything."""
    size = len(costs)

    @lru_cache(None)
    def rest(paired: int) -> int:
        one = next((v for v in range(size) if not paired >> v & 1), size)
        return min(
            (
                costs[one][other] + rest(paired | 1 << one | 1 << other)
                for other in range(one + 1, size)
                if not paired >> other & 1
            ),
            default=0,
        )

    return rest(0)


def assert_proved(costs: Costs, found: Matching) -> None:
    """What `Matching` says of its prices and odd sets."""
    partners = found.partners
    assert all(partners[other] == one != other for one, other in enumerate(partners))
    for members, weight in found.odd_sets:
        assert weight > 0
        assert len(members) % 2 == 1
        assert sum(partners[one] in members for one in members) == len(members) - 1
    for one, row in enumerate(costs):
        for other in range(one):
            shared = sum(weight for members, weight in found.odd_sets if {one, other} <= members)
            left = 2 * row[other] - found.prices[one] - found.prices[other] + shared
            assert left == 0 if partners[one] == other else left >= 0


@examples(300)
@given(
    st.integers(0, 6).map(lambda half: 2 * half), st.sampled_from([0, 1, 2, 5, 10**40]), st.integers(0, 2**32)
)
def test_matching_of_small_fields_is_the_cheapest(size: int, most: int, number: int) -> None:
    costs = random_costs(Random(number), size, most)
    found = cheapest_matching(costs)
    assert_proved(costs, found)
    assert sum_of(costs, found.partners) == least(costs)


@examples(40)
@given(st.integers(10, 40).map(lambda half: 2 * half), st.integers(0, 2**32))
def test_matching_of_large_fields_is_proved_the_cheapest(size: int, number: int) -> None:
    random = Random(number)
    for costs in (distances(random, size), random_costs(random, size, 3), random_costs(random, size, 10**9)):
        assert_proved(costs, cheapest_matching(costs))


@pytest.mark.parametrize("nearest", [1, 2, 5])
def test_matching_does_not_depend_on_how_many_edges_are_looked_at_first(
    monkeypatch: pytest.MonkeyPatch, nearest: int
) -> None:
    random = Random(nearest)
    fields = [distances(random, 40) for _ in range(10)]
    expected = [sum_of(costs, cheapest_matching(costs).partners) for costs in fields]
    monkeypatch.setattr(matching, "_NEAREST", nearest)
    monkeypatch.setattr(matching, "_ADDED", 1)
    found = [cheapest_matching(costs) for costs in fields]
    assert [sum_of(costs, each.partners) for costs, each in zip(fields, found, strict=True)] == expected
    for costs, each in zip(fields, found, strict=True):
        assert_proved(costs, each)


def test_twin_matching_that_skips_the_other_edges_is_dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = distances(Random(1), 40)
    expected = sum_of(costs, cheapest_matching(costs).partners)
    monkeypatch.setattr(matching, "_NEAREST", 1)
    monkeypatch.setattr(matching, "_worth_taking", lambda costs, found: set())

    assert sum_of(costs, cheapest_matching(costs).partners) > expected


def test_matching_of_an_odd_number_is_refused() -> None:
    with pytest.raises(ValueError, match="3 can't be paired without one left over"):
        cheapest_matching(random_costs(Random(1), 3, 5))
