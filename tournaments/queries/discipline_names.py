"""Names of a palio's disciplines."""

from uuid import UUID

from tournaments.models import Palio


def names_of(palio: Palio) -> dict[UUID, str]:
    """The names of the event's tournaments and of the palio's other games, by id; two queries."""
    tournaments = palio.event.tournaments.values_list("pk", "name")
    return {**dict(tournaments), **dict(palio.other_games.values_list("pk", "name"))}
