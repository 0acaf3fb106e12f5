"""The interface of every format."""

from collections.abc import Collection
from typing import Protocol

from .field import DrawField
from .model import DrawnRounds, GameKey, Settings


class Format(Protocol):
    """A way to say who plays whom.

    A format that pairs by results (Swiss, knockout) draws what is known so far and isn't finished until its
    last round is; who goes on to a next stage is read from the standings.
    """

    @property
    def key(self) -> str:
        """The word for programs."""

    @property
    def name(self) -> str:
        """A msgid."""

    @property
    def explanation(self) -> str:
        """One sentence, a msgid."""

    def default_rounds(self, teams: int, squads: int) -> int:
        """How many rounds are drawn if nobody says, for `squads` squads in each of `teams` teams."""

    def equal_rounds(self, teams: int, most: int = 12) -> tuple[int, ...]:
        """The numbers of rounds up to `most` in which every team plays as often: what to offer the
        organizer.
        """

    def methods(self, field: DrawField) -> tuple[str, ...]:
        """The methods by which a field can be drawn, the one of new draws first."""

    def draw(self, field: DrawField, settings: Settings, seed: str, method: str | None = None) -> DrawnRounds:
        """Who meets whom; the same input gives the same draw anywhere. `method` is the one that was published
        of a draw, None for a new one. Raises CannotDraw.
        """

    def is_finished(self, draw: DrawnRounds, closed: Collection[GameKey]) -> bool:
        """Whether nothing is left to play or to draw when these games are closed."""
