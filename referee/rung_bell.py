"""The shared clock at a table: whether the bell that has rung still waits for this match."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tournaments.models import MatchGame, Place
from tournaments.queries.clocks import ClockView


def rang_for(clock: ClockView, match_id: UUID, round: int, wave: int) -> bool:
    """Whether the bell ends the game that is on in this match: no game of it was ended since. Two queries
    once it has rung.

    A table that is ahead plays for another bell.
    """
    if not clock.has_rung or clock.bell_at is None:
        return False
    own = Q(match__round=clock.round, match__wave=clock.wave)
    places = Place.objects.filter(own | Q(match=match_id), tournament=clock.tournament_id)
    begins: dict[tuple[int | None, int | None], datetime] = {
        (number, at): begins_at
        for number, at, begins_at in places.values_list("match__round", "match__wave", "begins_at")
    }
    planned_at = begins.get((clock.round, clock.wave))
    if not replace(clock, planned_at=planned_at).concerns(round, wave, begins.get((round, wave))):
        return False
    return not MatchGame.objects.filter(
        match=match_id, game__is_over=True, game__changed_at__gte=clock.bell_at
    ).exists()
