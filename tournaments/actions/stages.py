"""From one stage to the next: previewed, its ties decided, applied."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from people.actors import Actor
from tournaments import standing
from tournaments.actions.draw import new_seed
from tournaments.actions.ties import lot_numbers
from tournaments.decisions import decide, expect_status, lock, lock_games, repeated
from tournaments.drawing import cannot_draw
from tournaments.formats import METHOD, CannotDraw, lot
from tournaments.formats.stages import StagePreview
from tournaments.models import Tournament
from tournaments.refusals import Refused
from tournaments.rounds.course import StageCourse
from tournaments.rounds.drawing import DrawnStage, draw_stage
from tournaments.rounds.qualifying import entrants, preview_next_stage
from tournaments.rounds.ranking import squad_ids
from tournaments.rounds.stage_settings import StageSettings


@dataclass(frozen=True, slots=True)
class NextStage:
    """The stage that follows, as it would be now.

    `course` is the stage before, in whose contestants' numbers the preview speaks. `drawn` is what its seed
    would draw; None as long as anything is open.
    """

    number: int
    course: StageCourse
    settings: StageSettings
    preview: StagePreview
    seed: str
    drawn: DrawnStage | None


def preview_stage_after(tournament: Tournament, seed: str | None = None) -> NextStage:
    """Who would go on to the stage that follows the last one drawn, and what would be drawn there.

    Raises `Refused("no-stage")` where none follows, and `Refused("cannot-draw")`.
    """
    inputs = standing.inputs_now(tournament)
    if not inputs.courses:
        raise Refused("not-by-round", _("There is no stage that is drawn round by round."), status=404)
    course = inputs.courses[-1]
    stages = inputs.settings.stages()
    if course.number >= len(stages):
        raise Refused("no-stage", _("No stage follows this one."))
    following = stages[course.number]
    chosen = new_seed() if seed is None else seed
    try:
        ids = squad_ids(inputs.courses)
        preview = preview_next_stage(
            course, following, ids, inputs.settings.rules(), inputs.decided(), chosen
        )
        drawn = None
        if preview.can_be_applied:
            through = tuple(each.contestant for each in entrants(course, preview))
            drawn = draw_stage(following, through, chosen)
    except CannotDraw as error:
        raise cannot_draw(error) from error
    return NextStage(course.number + 1, course, following, preview, chosen, drawn)


@transaction.atomic
def start_next_stage(
    tournament: Tournament,
    actor: Actor,
    seed: str,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Draw the next stage with those who go on; refused over an open result or an unresolved tie."""
    tournament = lock(tournament)
    said = {"seed": seed}
    if repeated(tournament, "stage_drawn", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    lock_games(tournament)
    following = preview_stage_after(tournament, seed)
    course = following.course
    try:
        came = entrants(course, following.preview)
    except CannotDraw as error:
        raise cannot_draw(error) from error
    if following.drawn is None:
        raise Refused("nothing-drawn", _("Nothing can be drawn for the next stage yet."))
    squads = [{**course.squads[each.was - 1], "since": 1} for each in came]
    settings = standing.inputs_now(tournament).settings
    body = following.drawn.body(
        uuid4(),
        following.number,
        squads,
        [],
        squad_size=settings.squad_size,
        rounds_before=course.rounds_before + len(course.progress.rounds),
        tables=settings.tables,
    )
    decide(
        tournament,
        "stage_drawn",
        body,
        actor,
        expected_version=expected_version,
        client_id=client_id,
        client_body=said,
    )
    return tournament


@transaction.atomic
def draw_stage_lots(
    tournament: Tournament,
    actor: Actor,
    seed: str | None = None,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Draw lots in every tie that keeps the next stage from being drawn."""
    tournament = lock(tournament)
    said = {"stage": True} if seed is None else {"stage": True, "seed": seed}
    if repeated(tournament, "lots_drawn", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    lock_games(tournament)
    following = preview_stage_after(tournament)
    if not following.preview.ties:
        raise Refused("no-tie", _("There is no tie that lots have to break."))
    course = following.course
    ids = squad_ids(standing.inputs_now(tournament).courses)
    chosen = seed or new_seed()
    numbers = lot_numbers(tournament)
    orders = [
        sorted((ids[course.key(one)] for one in tie.contestants), key=lambda one: lot(chosen, *numbers[one]))
        for tie in following.preview.ties
    ]
    decide(
        tournament,
        "lots_drawn",
        {"orders": [[str(one) for one in order] for order in orders], "seed": chosen, "method": METHOD},
        actor,
        expected_version=expected_version,
        client_id=client_id,
        client_body=said,
    )
    return tournament


@transaction.atomic
def decide_stage_tie(
    tournament: Tournament,
    actor: Actor,
    order: Sequence[UUID],
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Record how a tie that keeps the next stage from being drawn was played off: squads, the first first."""
    tournament = lock(tournament)
    said = {"stage": True, "orders": [[str(one) for one in order]]}
    if repeated(tournament, "play_off_decided", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    lock_games(tournament)
    following = preview_stage_after(tournament)
    ids = squad_ids(standing.inputs_now(tournament).courses)
    tied = [{ids[following.course.key(one)] for one in tie.contestants} for tie in following.preview.ties]
    if set(order) not in tied or len(set(order)) != len(order):
        raise Refused(
            "wrong-order",
            _("An order names all squads of one tie that is still open, each once."),
            status=422,
        )
    decide(
        tournament,
        "play_off_decided",
        {"orders": said["orders"]},
        actor,
        expected_version=expected_version,
        client_id=client_id,
        client_body=said,
    )
    return tournament
