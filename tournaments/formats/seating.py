"""Seats in a game between squads."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


def seating(*sides: Sequence[T]) -> list[T]:
    """The entries by seat, clockwise from seat 0, which is the first side's; the sides take turns around the
    table.

    Which side is first alternates from game to game (`Match.games` names it). Where a squad sits down
    incomplete, its players are spread evenly among the others.
    """
    places = [
        (Fraction(index, len(side)), rank, player)
        for rank, side in enumerate(sides)
        for index, player in enumerate(side)
    ]
    return [player for _, _, player in sorted(places, key=lambda place: place[:2])]
