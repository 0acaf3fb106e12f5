"""Outcome of a game: status, winner and points, without its log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from games.engine import Event, State
from games.engine import replay as replay_events
from games.engine.events import EventVoided
from games.figures import Figures, PenaltyCount
from games.models import Game


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a game is over, how it ended, and who won: a seat, its team, or neither.

    `closed_by` is `played` where the game ended by its rules, else the reason of `game_closed`; empty while
    it goes on. `figures` are the points and penalty cards of its seats; None where nobody knows any.
    """

    is_over: bool = False
    closed_by: str = ""
    seat: int | None = None
    team: UUID | None = None
    figures: Figures | None = None

    @classmethod
    def of_log(cls, events: Sequence[Event], state: State, counted: PenaltyCount | None = None) -> Self:
        """The outcome of a log and the state that it leads to, whose seats name teams by id.

        `events` is the whole log, corrections included; it isn't looked at while the game goes on. Who has
        `counted` the penalties of these very events on the way saves a replay.
        """
        if not state.over:
            return cls()
        team = state.team
        if team is None and state.winner is not None:
            team = state.seats[state.winner].team
        return cls(
            True,
            state.close_reason or "",
            state.winner,
            UUID(team) if team else None,
            Figures.of_log(events, state, counted),
        )

    @classmethod
    def of_row(cls, game: Game) -> Self:
        """The outcome as stored with the game."""
        return cls(
            game.is_over,
            game.closed_by,
            game.winner_seat,
            game.winner_team,
            Figures.from_json(game.figures),
        )

    @property
    def points(self) -> tuple[int, ...] | None:
        """The points of each seat as the rule set counts them; None where nobody knows, or counts them."""
        return self.figures.points if self.figures else None

    @property
    def penalties(self) -> tuple[int, ...] | None:
        """How many cards each seat drew as penalties; None where nobody knows."""
        return self.figures.penalties if self.figures else None


def replayed(events: Sequence[Event]) -> tuple[State, Outcome]:
    """The state that a whole log leads to, and its outcome; Refusal for a log that isn't legal.

    One replay for both; where the log has corrections, one for each.
    """
    if any(isinstance(event, EventVoided) for event in events):
        state = replay_events(events)
        return state, Outcome.of_log(events, state)
    count = PenaltyCount()
    for event in events:
        count.see(event)
    return count.state, Outcome.of_log(events, count.state, count)


def points_of(outcome: Outcome | None, teams: Sequence[UUID] | None = None) -> tuple[int, ...] | None:
    """The points of a game's seats, in their order, or of these teams, each team's seats added up.

    As the rule set counts them: under `winner_takes` what a seat has won, under `lowest_wins` and
    `elimination` what it was left holding. None while the game goes on, where the rule set counts none
    (`first_out`), and where they aren't known of all seats.
    """
    if outcome is None or outcome.figures is None:
        return None
    return outcome.figures.points if teams is None else outcome.figures.points_of(teams)
