"""Points of a match for a win, a draw and a loss, exact in halves."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .errors import CannotDraw, gettext_noop

MOST_POINTS: Final = 10
POINTS: Final[Mapping[str, str]] = {
    str(value): f"{int(value) or ''}½" if value.denominator == 2 else str(value)
    for value in (Fraction(halves, 2) for halves in range(2 * MOST_POINTS + 1))
}
"""The points that can be set, as a fact holds them and as they are read: "3/2" and "1½"."""


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """The points of a match of two: 1, ½ and 0, unless it is set otherwise.

    A match lost without a game gives nothing. Raises CannotDraw unless a win gives more than a loss, and a
    draw something from the one to the other.
    """

    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not 0 <= self.loss <= self.draw <= self.win or self.loss == self.win:
            raise CannotDraw(
                "points",
                gettext_noop(
                    "A win gives more points than a loss, and a draw no more than a win and no less than a "
                    "loss: %(win)s, %(draw)s and %(loss)s do not."
                ),
                **{
                    name: POINTS.get(str(value), str(value))
                    for name, value in (("win", self.win), ("draw", self.draw), ("loss", self.loss))
                },
            )

    def won(self, winner: int, sides: int, *, walkover: bool) -> tuple[Fraction, ...]:
        """The points of each side where the one at the index `winner` won."""
        lost = Fraction(0) if walkover else self.loss
        return tuple(self.win if side == winner else lost for side in range(sides))


USUAL_POINTS: Final = MatchPoints()
