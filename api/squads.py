"""Squads with who plays in them, by the names that the reader may see."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, prefetch_related_objects

from people.display_names import NameBook, Viewer
from tournaments.models import Squad, SquadMember
from tournaments.projections.rounds.course import Key, StageHistory


def book_of_squads(viewer: Viewer, squads: Sequence[Squad]) -> NameBook | None:
    """The names of everybody in these squads; None where there are none. Loads their entries, in the order in
    which they sit.
    """
    if not squads:
        return None
    members = SquadMember.objects.select_related("entry").order_by("position")
    prefetch_related_objects(squads, Prefetch("members", queryset=members))
    return NameBook(viewer, [member.entry_id for squad in squads for member in squad.members.all()])


def squad_row(squad: Squad, id: UUID | None = None) -> dict[str, Any]:
    """A squad whose entries are loaded; `id` is the one through all stages, if the row is a later one's."""
    return {
        "id": id or squad.pk,
        "number": squad.number,
        "entries": [member.entry for member in squad.members.all()],
    }


class Contestants:
    """The contestants of a stage, ready to be shown to a reader: `rows`, and the `names` for them."""

    def __init__(self, viewer: Viewer, course: StageHistory, ids: Mapping[Key, UUID]) -> None:
        """Three queries; `ids` are the squads through all stages."""
        squads = {squad.pk: squad for squad in Squad.objects.filter(stage=course.stage)}
        self.names = book_of_squads(viewer, list(squads.values()))
        self.rows = [
            {
                "number": one.number,
                "team": squad.team_id,
                "squad": squad_row(squad, ids[course.key(one.number)]),
                "labels": sorted(one.labels),
                "since": one.since,
                "sits_out": sorted(one.sits_out),
                "is_gone": one.number in course.progress.gone,
            }
            for one in course.progress.contestants
            for squad in (squads[course.squad_id(one.number)],)
        ]
