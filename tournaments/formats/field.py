"""The field of a draw: its competitors, and who should not meet."""

from dataclasses import dataclass

from .constraints import UNCONSTRAINED, Constraints
from .model import Player


@dataclass(frozen=True, slots=True)
class DrawField:
    """For team 1, 2, … the numbers of its entries (gaps are fine: one may have withdrawn), and what the draw
    is to keep apart.
    """

    rosters: tuple[tuple[int, ...], ...]
    constraints: Constraints = UNCONSTRAINED

    def players(self) -> frozenset[Player]:
        """All entries with their teams."""
        return frozenset(
            Player(team, entry) for team, roster in enumerate(self.rosters, start=1) for entry in roster
        )
