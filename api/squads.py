"""Squads with who plays in them, by the names that the reader may see."""

from collections.abc import Sequence

from django.db.models import Prefetch, prefetch_related_objects

from people.naming import NameBook, Viewer
from tournaments.models import Squad, SquadMember


def with_members(squads: Sequence[Squad]) -> Sequence[Squad]:
    """The same squads with their entries loaded, in the order in which they sit; one query."""
    members = SquadMember.objects.select_related("entry").order_by("position")
    prefetch_related_objects(squads, Prefetch("members", queryset=members))
    return squads


def book_of_squads(viewer: Viewer, squads: Sequence[Squad]) -> NameBook | None:
    """The names of everybody in these squads, whose entries are loaded by it; None where there are none."""
    if not squads:
        return None
    with_members(squads)
    return NameBook(viewer, [member.entry_id for squad in squads for member in squad.members.all()])
