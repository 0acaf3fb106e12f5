"""Objects that the components take: seats, and protocols of teams, of steps and of ways through the day."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rendering.svg.team_banner import Look


class LookTeam(Protocol):
    """A team as far as its banner and name are drawn."""

    @property
    def name(self) -> str: ...
    @property
    def color_one(self) -> str: ...
    @property
    def color_two(self) -> str: ...
    @property
    def division(self) -> str: ...
    @property
    def emblem(self) -> str: ...


def look(team: LookTeam) -> Look:
    """A team's banner as the drawings take it."""
    return (team.color_one, team.color_two), team.division, team.emblem


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat of the drawn table. ``hand`` is the number of cards held, or None where nobody counts them;
    ``out`` is true for who has left the game.
    """

    name: str
    team: LookTeam | None
    hand: int | None
    out: bool


class LookStep(Protocol):
    """A place on the steps: equal places are a tie."""

    place: int
    team: LookTeam


class Way(Protocol):
    """A way through the day: whose it is, and the place at each moment, None where there was none yet."""

    team: LookTeam
    name: str
    places: Sequence[int | None]
