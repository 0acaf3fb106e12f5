"""Command: enter the final places of a stage that isn't played here, such as a race."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.commands.round_draws import course_of
from tournaments.facts.reasons import body_of_reason
from tournaments.formats import CannotDraw
from tournaments.formats.places_by_hand import placements
from tournaments.models import Tournament
from tournaments.projections.rounds.drawing import cannot_draw


@command("placements_entered", Tournament.Status.PUBLISHED)
def enter_placements(
    decision: OpenDecision,
    tournament: Tournament,
    places: Sequence[tuple[UUID, int]],
    reason: str | None = None,
) -> None:
    """The places of all squads (ids of the stage), shared as 1, 2, 2, 4; entered again they are corrected,
    with a reason.

    Who has left may be left out. Raises `Refused("cannot-draw")` for places that don't go together.
    """
    course = course_of(tournament)
    if course.choice.is_played:
        raise Refused("not-by-hand", _("In this stage places follow from games; they aren’t entered."))
    if course.is_finished() and reason is None:
        raise Refused(
            "reason-needed", _("Places that are entered already are changed with a reason."), status=422
        )
    why = body_of_reason(reason)
    numbers = {course.squad_id(number): number for number in range(1, len(course.squads) + 1)}
    unknown = next((squad for squad, _place in places if squad not in numbers), None)
    if unknown is not None:
        raise Refused("unknown-squad", _("This squad isn’t in the stage that is on."), status=422)
    entered = [[numbers[squad], place] for squad, place in places]
    (played,) = course.progress.rounds
    (pairing,) = played.plan.pairings
    try:
        placements(pairing.sides, [(one, place) for one, place in entered], course.progress.gone)
    except CannotDraw as error:
        raise cannot_draw(error) from error
    decision.record({"stage": str(course.stage), "places": entered, **why})
