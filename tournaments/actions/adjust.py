"""Adjust a team's points, with a reason."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from people.actors import Actor
from people.models import Team
from tournaments.decisions import check_reason, decide, expect_status, lock, repeated
from tournaments.models import Tournament
from tournaments.refusals import Refused

MOST_POINTS = 1000


@transaction.atomic
def adjust_points(
    tournament: Tournament,
    actor: Actor,
    team: Team,
    points: int,
    reason: str,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Add points to a team (or take them, below zero); taken back by the opposite adjustment."""
    tournament = lock(tournament)
    said = {"team": str(team.pk), "points": points, "reason": reason}
    if repeated(tournament, "points_adjusted", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    if team.event_id != tournament.event_id:
        raise Refused("unknown-team", _("The team isn't one of this event."), status=422)
    if not 1 <= abs(points) <= MOST_POINTS:
        raise Refused(
            "wrong-points",
            _("Points to add or take are a whole number from 1 to %(most)d.") % {"most": MOST_POINTS},
            status=422,
        )
    check_reason(reason)
    decide(tournament, "points_adjusted", said, actor, expected_version=expected_version, client_id=client_id)
    return tournament
