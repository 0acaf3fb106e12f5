"""Places in an order: they count from 1 and skip after ties, such as 1, 1, 3."""

from collections.abc import Collection, Mapping
from typing import Any


def places_of(figures: Collection[Any]) -> tuple[int, ...]:
    """The place of each figure, one more than there are lower ones: low is good. Figures are hashable."""
    # Not counted for each one: an event can name as many places as its sender likes.
    first: dict[Any, int] = {}
    for place, figure in enumerate(sorted(figures), start=1):
        first.setdefault(figure, place)
    return tuple(first[figure] for figure in figures)


def are_places(numbers: Collection[int]) -> bool:
    """Whether these are the places of some figures, in any order."""
    return tuple(numbers) == places_of(numbers)


def only_first(places: Mapping[int, int]) -> int | None:
    """Whoever alone has the first place; None where several share it, or nobody has it."""
    first = [one for one, place in places.items() if place == 1]
    return first[0] if len(first) == 1 else None
