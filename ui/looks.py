"""What the tags ask of the objects they are given: any model, row or test double with these attributes will
do."""

from collections.abc import Sequence
from typing import Protocol


class Team(Protocol):
    """A team as far as its banner and name are drawn."""

    name: str
    color_one: str
    color_two: str
    division: str
    emblem: str


class Seat(Protocol):
    """A seat of a table. ``hand`` is the number of cards held, or None where nobody counts them."""

    name: str
    team: Team | None
    hand: int | None
    out: bool


class Part(Protocol):
    """A piece of a sentence; ``card`` if it speaks of one, with ``color`` if that was named with a wild."""

    @property
    def text(self) -> str: ...
    @property
    def card(self) -> str | None: ...
    @property
    def color(self) -> str | None: ...


class Step(Protocol):
    """A place on the steps: equal places are a tie."""

    place: int
    team: Team


class Way(Protocol):
    """A team's way through the day: its place at each moment, None where it had none yet."""

    team: Team
    places: Sequence[int | None]


Seats = Sequence[Seat]
Steps = Sequence[Step]
Ways = Sequence[Way]
