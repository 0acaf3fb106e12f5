"""Contestants by their numbers."""

from tournaments.formats.format import Contestant


def field_of(count: int, teams: int | None = None) -> tuple[Contestant, ...]:
    """Contestants 1 to `count`, of so many teams in turn; None for a team each."""
    return tuple(Contestant(number, 1 + (number - 1) % (teams or count)) for number in range(1, count + 1))
