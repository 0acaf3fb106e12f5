"""Comparing contestants of different groups."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from ..format import PairingOutcome, RoundPairing
from .model import Compare, Value


def points_compared(played: Iterable[tuple[RoundPairing, PairingOutcome]]) -> Compare:
    """Compare by points, then by wins, then by the difference of points, from what was played in the groups.

    For contestants who have met somebody who counts; others aren't there.
    """
    matches = tuple(played)

    def compare(left_out: Collection[int]) -> Mapping[int, tuple[Value, ...]]:
        points: dict[int, Fraction] = {}
        wins: dict[int, Fraction] = {}
        against: dict[int, Fraction] = {}
        for pairing, outcome in matches:
            for index, side in enumerate(pairing.sides):
                if any(other in left_out for other in pairing.sides if other != side):
                    continue
                points[side] = points.get(side, Fraction(0)) + outcome.points[index]
                wins[side] = wins.get(side, Fraction(0)) + (outcome.winner == side)
                others = sum(outcome.points, Fraction(0)) - outcome.points[index]
                against[side] = against.get(side, Fraction(0)) + others
        return {
            side: (
                Value("points", points[side]),
                Value("wins", wins[side]),
                Value("difference", points[side] - against[side]),
            )
            for side in points
        }

    return compare
