"""The shared clock at a table: whether the bell that has rung still waits for this match."""

from uuid import UUID

from tournaments.models import MatchGame
from tournaments.queries.clocks import ClockView


def rang_for(clock: ClockView, match_id: UUID, round: int, wave: int) -> bool:
    """Whether the bell ends the game that is on in this match: no game of it was ended since. A query once
    it has rung.

    A table that is ahead plays for another bell.
    """
    if not clock.has_rung or clock.bell_at is None or not clock.concerns(round, wave):
        return False
    return not MatchGame.objects.filter(
        match=match_id, game__is_over=True, game__changed_at__gte=clock.bell_at
    ).exists()
