"""Winner of a game that the bell ends: fewest cards in hand, then fewest points in hand.

Source: the bell rule of the rules sheet (`games.engine.rules_sheet.bell`). What happens with those who are
level in both is a tournament's setting (`tournaments.settings.bell.BELL_RULES`) and isn't decided here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from .model import T


@dataclass(frozen=True, slots=True)
class BellVerdict(Generic[T]):
    """Who has won, or what is missing to say it.

    `winner` is the side that has won; `seat` the seat that won it, None where several seats of that side are
    level. `fewest` are the seats that hold the fewest cards, in order. `asked` are those of them whose points
    must be counted before anybody has won. Neither a winner nor anything asked: the sides are level.
    """

    winner: T | None
    seat: int | None
    fewest: tuple[int, ...]
    asked: tuple[int, ...] = ()

    @property
    def is_level(self) -> bool:
        """Whether cards and points leave two sides or more level."""
        return self.winner is None and not self.asked


def by_bell(
    sides: Mapping[int, T], cards: Mapping[int, int], points: Mapping[int, int] | None = None
) -> BellVerdict[T]:
    """Judge a game by what is left in hand when the bell rings; each hand counts by itself.

    `sides` is the side of every seat that is still in the game, `cards` how many cards each of these seats
    holds. `points` is what these cards count, of those who have counted. Only those with the fewest cards are
    looked at. ValueError if there is no seat, if a seat's cards are missing or a seat is unknown, or for a
    number below 0.
    """
    counted = dict(points or {})
    if not sides or cards.keys() != sides.keys() or not counted.keys() <= sides.keys():
        raise ValueError(
            f"the cards of the seats {sorted(sides)} are expected, and points of them alone; "
            f"given: cards of {sorted(cards)}, points of {sorted(counted)}"
        )
    if min([*cards.values(), *counted.values()]) < 0:
        raise ValueError("cards and points are numbers from 0")
    fewest = _least(cards)
    if len({sides[seat] for seat in fewest}) == 1:
        return _won(sides, fewest, fewest)
    asked = tuple(seat for seat in fewest if seat not in counted)
    if asked:
        return BellVerdict(None, None, fewest, asked)
    best = _least({seat: counted[seat] for seat in fewest})
    if len({sides[seat] for seat in best}) == 1:
        return _won(sides, best, fewest)
    return BellVerdict(None, None, fewest)


def _least(values: Mapping[int, int]) -> tuple[int, ...]:
    """The seats with the smallest value, in order."""
    least = min(values.values())
    return tuple(sorted(seat for seat, value in values.items() if value == least))


def _won(sides: Mapping[int, T], best: tuple[int, ...], fewest: tuple[int, ...]) -> BellVerdict[T]:
    return BellVerdict(sides[best[0]], best[0] if len(best) == 1 else None, fewest)
