"""Result of a game at a table of many: what every side came to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from games.engine.places import places_of
from tournaments.standings import GameClosing


class ResultKind(StrEnum):
    """What the draw and the order of a format take from a game."""

    WINNER = "winner"
    POINTS = "points"  # of the cards left in hand, of each side
    PLACES = "places"  # of each side at its table


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a game ended, with figures by side in the order of the pairing; None where nobody knows them.

    `winner` is the contestant's number. `places` count from 1 and skip after ties.
    `absent` are the indices of the sides of whom it was noted that they weren't there; see `missing`.
    """

    closing: GameClosing
    winner: int | None = None
    points: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
    absent: frozenset[int] = frozenset()

    def missing(self, kind: ResultKind) -> frozenset[int]:
        """Who wasn't there, of those noted as absent, where a format takes this from a game. Who came before
        somebody else was there, and so was whoever has points of cards. A forfeit says all by itself.
        """
        if self.closing is GameClosing.FORFEIT or not self.absent:
            return frozenset()
        if kind is ResultKind.POINTS and self.points is not None:
            return frozenset(at for at in self.absent if not self.points[at])
        if kind is ResultKind.PLACES and self.places is not None:
            last = max(self.places)
            shared = frozenset(at for at, place in enumerate(self.places) if place == last)
            return shared if shared <= self.absent else frozenset()
        return self.absent

    def among(self, sides: Sequence[int]) -> Self:
        """What some of the sides came to, by their indices, as if they had sat there alone."""
        points = None if self.points is None else tuple(self.points[at] for at in sides)
        places = None if self.places is None else places_of([self.places[at] for at in sides])
        return replace(self, points=points, places=places, absent=frozenset())
