"""Protocols of the objects that the tags take: any model, row or test double with these attributes."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol


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


class LookSeat(Protocol):
    """A seat of a table. ``hand`` is the number of cards held, or None where nobody counts them."""

    name: str
    team: LookTeam | None
    hand: int | None
    out: bool


class LookPart(Protocol):
    """A piece of a sentence; ``card`` if it speaks of one, with ``color`` if that was named with a wild."""

    @property
    def text(self) -> str: ...
    @property
    def card(self) -> str | None: ...
    @property
    def color(self) -> str | None: ...


class LookStep(Protocol):
    """A place on the steps: equal places are a tie."""

    place: int
    team: LookTeam


class Way(Protocol):
    """A way through the day: whose it is, and the place at each moment, None where there was none yet."""

    team: LookTeam
    name: str
    places: Sequence[int | None]


class BracketTitle(Protocol):
    """What a round or a match is called: a msgid with its values."""

    @property
    def template(self) -> str: ...
    @property
    def values(self) -> Sequence[tuple[str, int]]: ...


class BracketPart(Protocol):
    """`value` is winners, losers, final or places."""

    @property
    def value(self) -> str: ...


class BracketSide(Protocol):
    """A contestant, and the match after which they come here, as its winner or loser; None for neither."""

    @property
    def contestant(self) -> int | None: ...
    @property
    def after(self) -> str | None: ...
    @property
    def as_loser(self) -> bool: ...


class BracketOutcome(Protocol):
    """The points of each side, and whether it was a walkover."""

    @property
    def points(self) -> Sequence[Fraction]: ...
    @property
    def walkover(self) -> bool: ...


class LookBracketMatch(Protocol):
    """A match of a bracket. ``due`` are the contestants it would have by corrected results, if others."""

    @property
    def slot(self) -> str: ...
    @property
    def name(self) -> BracketTitle: ...
    @property
    def sides(self) -> tuple[BracketSide, BracketSide]: ...
    @property
    def outcome(self) -> BracketOutcome | None: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def due(self) -> tuple[int | None, int | None] | None: ...


class LookBracketRound(Protocol):
    """The matches of one round from top to bottom; ``number`` counts the rounds of its part."""

    @property
    def number(self) -> int: ...
    @property
    def title(self) -> BracketTitle: ...
    @property
    def matches(self) -> Sequence[LookBracketMatch]: ...


class BracketSection(Protocol):
    """Rounds that are seen at once; ``number`` of ``count`` pieces of the same rounds."""

    @property
    def part(self) -> BracketPart: ...
    @property
    def rounds(self) -> Sequence[LookBracketRound]: ...
    @property
    def number(self) -> int: ...
    @property
    def count(self) -> int: ...


Seats = Sequence[LookSeat]
Steps = Sequence[LookStep]
Ways = Sequence[Way]
