"""How a game stands for everybody who only wants to know who won."""

from dataclasses import dataclass
from typing import Self
from uuid import UUID

from games.engine import State
from games.models import Game


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a game is over, how it ended, and who won: a seat, its team, or neither.

    `closed_by` is `played` where the game ended by its rules, else the reason of `game_closed`; empty while
    it goes on.
    """

    is_over: bool = False
    closed_by: str = ""
    seat: int | None = None
    team: UUID | None = None

    @classmethod
    def of_state(cls, state: State) -> Self:
        """The outcome of a state whose seats name teams by id."""
        if not state.over:
            return cls()
        team = state.team
        if team is None and state.winner is not None:
            team = state.seats[state.winner].team
        return cls(True, state.close_reason or "", state.winner, UUID(team) if team else None)

    @classmethod
    def of_row(cls, game: Game) -> Self:
        """The outcome as stored with the game."""
        return cls(game.is_over, game.closed_by, game.winner_seat, game.winner_team)
