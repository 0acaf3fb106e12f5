"""Public names of squads."""

from collections.abc import Iterable
from uuid import UUID

from people.display_names import Viewer
from people.models import Event
from tournaments.queries.squad_names import ranked_squad_names, squad_names


def ranked_squads(event: Event, versions: Iterable[UUID]) -> dict[UUID, str]:
    """The squads that stand in these versions of the event's standings, each by its players; one query."""
    return ranked_squad_names(Viewer.public(event), versions)


def squads_called(event: Event, squads: Iterable[UUID]) -> dict[UUID, str]:
    """These squads, each by its players; one query."""
    return squad_names(Viewer.public(event), squads)
