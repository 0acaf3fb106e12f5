"""Teams, rows and seats as pages hand them to the tags: plain objects with the attributes asked for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Team:
    name: str = "Contrada Superiore"
    short_name: str = "Superiore"
    color_one: str = "#b3241b"
    color_two: str = "#f2c230"
    division: str = "quartered"
    emblem: str = "S"


@dataclass(frozen=True)
class Seat:
    name: str
    team: Team | None = None
    hand: int | None = None
    out: bool = False


@dataclass(frozen=True)
class Row:
    place: int
    team: Team
    points: int
    tied: bool = False
    movement: int | None = None
    reason: str = ""
    href: str = ""
    details: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The points, as words follow them."""
        return self.points


@dataclass(frozen=True)
class Way:
    team: Team
    name: str
    places: tuple[int | None, ...]
