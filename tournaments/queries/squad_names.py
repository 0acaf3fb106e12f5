"""Names of an event's squads: each by its players, as the reader may see them."""

from collections.abc import Iterable
from itertools import groupby
from uuid import UUID

from people.display_names import Viewer, shown_name, squad_name
from tournaments.models import SquadMember


def squad_names(viewer: Viewer, squads: Iterable[UUID]) -> dict[UUID, str]:
    """These squads of the viewer's event by id; one query."""
    return _names(viewer, squad__in=list(squads))


def ranked_squad_names(viewer: Viewer, versions: Iterable[UUID]) -> dict[UUID, str]:
    """The squads that stand in these versions of the event's standings, by id; one query."""
    return _names(viewer, squad__standings__version__in=list(versions))


def _names(viewer: Viewer, **chosen: object) -> dict[UUID, str]:
    related = ("entry__team", "entry__person") if viewer.reads_names else ("entry__team",)
    members = SquadMember.objects.filter(**chosen).select_related(*related).order_by("squad", "position")
    return {
        squad: squad_name(entries[0].team, [shown_name(entry, viewer) for entry in entries])
        for squad, found in groupby(members, key=lambda member: member.squad_id)
        for entries in [[member.entry for member in found]]
    }
