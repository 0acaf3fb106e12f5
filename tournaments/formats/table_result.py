"""Result of a game at a table of many: what every side came to."""

from dataclasses import dataclass
from enum import StrEnum

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
    """

    closing: GameClosing
    winner: int | None = None
    points: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
