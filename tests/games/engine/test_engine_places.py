"""Places, against a race in which one after another comes in."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.places import are_places, only_first, places_of

NUMBERS = st.integers(-3, 3)
FIGURES = st.lists(NUMBERS, max_size=8) | st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8)


def race(figures: Sequence[Any]) -> tuple[int, ...]:
    """The places as somebody at the finish writes them down: the lowest come in first."""
    places: dict[int, int] = {}
    while len(places) < len(figures):
        lowest = min(figure for at, figure in enumerate(figures) if at not in places)
        together = [at for at, figure in enumerate(figures) if figure == lowest]
        places |= dict.fromkeys(together, len(places) + 1)
    return tuple(places[at] for at in range(len(figures)))


@given(FIGURES)
def test_places_are_those_of_a_race(figures: list[Any]) -> None:
    assert places_of(figures) == race(figures)
    assert are_places(race(figures))


@pytest.mark.parametrize("count", range(6))
def test_only_numbers_that_a_race_can_give_are_places(count: int) -> None:
    possible = {race(figures) for figures in product(range(count), repeat=count)}

    accepted = {numbers for numbers in product(range(count + 2), repeat=count) if are_places(numbers)}

    assert accepted == possible


@given(st.lists(NUMBERS, max_size=8))
def test_only_first_is_who_is_below_all_others(figures: list[int]) -> None:
    ahead = [
        at
        for at, own in enumerate(figures)
        if all(own < other for index, other in enumerate(figures) if index != at)
    ]

    assert only_first(dict(enumerate(places_of(figures)))) == (ahead[0] if ahead else None)


class Figure(int):
    """A number that counts how often it is compared."""

    comparisons = 0

    def __lt__(self, other: int) -> bool:
        Figure.comparisons += 1
        return super().__lt__(other)


def test_many_figures_are_not_all_compared_with_each_other() -> None:
    many = [Figure(number * 7919 % 1000) for number in range(1000)]

    assert places_of(many) == tuple(figure + 1 for figure in many)

    assert Figure.comparisons < 20_000
