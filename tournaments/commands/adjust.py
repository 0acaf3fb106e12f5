"""Adjust a team's points, with a reason."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.models import Team
from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.facts import earlier
from tournaments.facts.reasons import check_reason
from tournaments.models import Squad, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.standings import Adjustment, still_held

MOST_POINTS = 1000


@command("points_adjusted", Tournament.Status.PUBLISHED)
def adjust_points(
    decision: OpenDecision,
    tournament: Tournament,
    team: Team,
    points: int,
    reason: str,
    squad: Squad | None = None,
) -> None:
    """Add points to a team (or take them, below zero); taken back by the opposite adjustment.

    Where squads are ranked they are one squad's, by its row in the first stage.
    """
    if team.event_id != tournament.event_id:
        raise Refused("unknown-team", _("The team isn't one of this event."), status=422)
    now = inputs_now(tournament)
    if all(stage.choice.has_places for stage in now.settings.stages()):
        raise Refused("no-points", _("In this format places don’t follow from points."))
    if squad is None:
        now.expect_team(team.pk)
    elif now.team_of().get(squad.pk) != team.pk:
        raise Refused("unknown-squad", _("This squad isn’t ranked in this tournament."), status=422)
    if not 1 <= abs(points) <= MOST_POINTS:
        raise Refused(
            "wrong-points",
            _("Points to add or take are a whole number from 1 to %(most)d.") % {"most": MOST_POINTS},
            status=422,
        )
    check_reason(reason)
    body: dict[str, Any] = {"team": str(team.pk), "points": points, "reason": reason}
    decision.record(body if squad is None else {**body, "squad": str(squad.pk)})


def adjustments(tournament: Tournament) -> list[Adjustment[UUID]]:
    """The points given and taken that hold, in the order in which they were decided; one query."""
    decided = [fact.body for fact in earlier.decisions(tournament.pk) if fact.type == "points_adjusted"]
    return still_held(
        Adjustment(UUID(body.get("squad") or body["team"]), body["points"], body["reason"])
        for body in decided
    )
