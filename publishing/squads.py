"""What the squads of a tournament are called in public."""

from collections.abc import Iterable
from itertools import groupby
from uuid import UUID

from people.models import Event
from people.naming import Viewer, shown_name
from publishing.sides import called
from tournaments.models import SquadMember


def ranked_squads(event: Event, versions: Iterable[UUID]) -> dict[UUID, str]:
    """The squads that stand in these versions of the event's standings, each by its players; one query."""
    return _names(event, squad__standings__version__in=list(versions))


def squads_called(event: Event, squads: Iterable[UUID]) -> dict[UUID, str]:
    """These squads, each by its players; one query."""
    return _names(event, squad__in=list(squads))


def _names(event: Event, **chosen: object) -> dict[UUID, str]:
    viewer = Viewer.public(event)
    related = ("entry__team", "entry__person") if viewer.reads_names else ("entry__team",)
    members = SquadMember.objects.filter(**chosen).select_related(*related).order_by("squad", "position")
    return {
        squad: called(entries[0].team, [shown_name(entry, viewer) for entry in entries])
        for squad, found in groupby(members, key=lambda member: member.squad_id)
        for entries in [[member.entry for member in found]]
    }
