"""End a stage with the rounds played, where nothing more can be drawn."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.command import OpenDecision, command
from tournaments.commands.stages import stage_after
from tournaments.facts.locks import lock_games
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import next_rounds
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now


@dataclass(frozen=True, slots=True)
class StageEnding:
    """A stage that can be ended now: its next round, or the stage after it, can't be drawn; `why` says so.

    `is_last`: no stage would follow, so that the tournament can be closed.
    """

    course: StageHistory
    is_last: bool
    why: str


def find_ending(inputs: StandingsInputs) -> StageEnding | None:
    """How the last stage that is drawn can be ended; None as long as it goes on, or once all is over."""
    if not inputs.courses:
        return None
    course = inputs.courses[-1]
    if not all(each.is_complete for each in course.progress.rounds):
        return None
    is_finished, is_last = course.is_finished(), course.number == len(inputs.planned_stages())
    try:
        if not is_finished:
            next_rounds(course)
        elif not is_last:
            stage_after(inputs)
    except Refused as refused:
        return StageEnding(course, is_finished or is_last, str(refused))
    return None


@command("stage_ended", Tournament.Status.PUBLISHED)
def end_stage(decision: OpenDecision, tournament: Tournament) -> None:
    """End the last stage with the rounds played; refused where its next round or the stage after it can be
    drawn. A round or stage that is drawn after all takes it back.
    """
    lock_games(tournament)
    ending = find_ending(inputs_now(tournament))
    if ending is None:
        raise Refused(
            "stage-goes-on",
            _("A stage is ended with the rounds played only where nothing more can be drawn after them."),
        )
    decision.record(
        {
            "stage": str(ending.course.stage),
            "rounds": len(ending.course.progress.rounds),
            "is_last": ending.is_last,
        }
    )
