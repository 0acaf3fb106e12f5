"""Commands and previews: draw the next stage, break ties before it, draw it anew, end the last stage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.commands.round_draws import begun_matches, course_of
from tournaments.commands.ties import as_orders, drawn_lots, lot_numbers
from tournaments.facts.reasons import check_reason
from tournaments.formats import CannotDraw
from tournaments.formats.stages.model import StagePreview
from tournaments.formats.stages.next_contestants import apply
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import DrawnStage, cannot_draw, draw_stage, next_rounds
from tournaments.projections.rounds.qualifying import preview_next_stage
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now
from tournaments.queries.first_stage_draws import new_seed
from tournaments.settings.stage import StageSettings
from tournaments.settings.tournament import TournamentSettings


@dataclass(frozen=True, slots=True)
class NextStage:
    """The stage that follows, as it would be now.

    `course` is the stage before, in whose contestants' numbers the preview speaks. `drawn` is what its seed
    would draw; None as long as anything is open.
    """

    number: int
    course: StageHistory
    settings: StageSettings
    preview: StagePreview
    seed: str
    drawn: DrawnStage | None


def preview_stage_after(tournament: Tournament, seed: str | None = None) -> NextStage:
    """Who would go on to the stage that follows the last one drawn, and what would be drawn there.

    Raises `Refused("no-stage")` where none follows, and `Refused("cannot-draw")`.
    """
    return stage_after(inputs_now(tournament), seed)


def stage_after(inputs: StandingsInputs, seed: str | None = None) -> NextStage:
    """See `preview_stage_after`."""
    if not inputs.by_round:
        raise Refused("not-by-round", _("There is no stage that is drawn round by round."), status=404)
    return _following(inputs, inputs.courses[-1], new_seed() if seed is None else seed)


def _following(inputs: StandingsInputs, course: StageHistory, chosen: str) -> NextStage:
    """The stage after this one, as it would be now."""
    stages = inputs.settings.stages()
    if course.number >= len(stages):
        raise Refused("no-stage", _("No stage follows this one."))
    following = stages[course.number]
    try:
        ids = squad_ids(inputs.courses)
        preview = preview_next_stage(course, following, ids, inputs.rules(), inputs.decided(), chosen)
        drawn = None
        if preview.can_be_applied:
            through = tuple(each.contestant for each in apply(preview, course.progress.contestants))
            drawn = draw_stage(following, through, chosen)
    except CannotDraw as error:
        raise cannot_draw(error) from error
    return NextStage(course.number + 1, course, following, preview, chosen, drawn)


@command("stage_drawn", Tournament.Status.PUBLISHED, locks_games=True)
def start_next_stage(decision: OpenDecision, tournament: Tournament, seed: str) -> None:
    """Draw the next stage with those who go on; refused over an open result or an unresolved tie."""
    decision.record(_body(tournament, preview_stage_after(tournament, seed)))


def _body(tournament: Tournament, following: NextStage) -> dict[str, Any]:
    """The body of the decision that draws a stage; raises `Refused("cannot-draw")` as long as anything is
    open.
    """
    course = following.course
    try:
        came = apply(following.preview, course.progress.contestants)
    except CannotDraw as error:
        raise cannot_draw(error) from error
    if following.drawn is None:
        raise Refused("nothing-drawn", _("Nothing can be drawn for the next stage yet."))
    settings = TournamentSettings.from_json(tournament.settings)
    return following.drawn.body(
        uuid4(),
        following.number,
        [_as_entrant(course.squads[each.was - 1]) for each in came],
        [],
        squad_size=settings.squad_size,
        rounds_before=course.rounds_before + len(course.progress.rounds),
        tables=settings.tables,
    )


def _as_entrant(squad: Mapping[str, Any]) -> dict[str, Any]:
    """A squad at the beginning of a stage; rounds that it sat out or missed are those of the stage before."""
    return {name: value for name, value in squad.items() if name not in ("sits_out", "absent")} | {"since": 1}


def changed_stage(inputs: StandingsInputs) -> NextStage | None:
    """The last stage as it would be drawn now with its own seed.

    It is there if others would come into it than when it was drawn, or in another order. None as long as it
    fits, and for a first stage.
    """
    if len(inputs.courses) < 2:
        return None
    before, last = inputs.courses[-2:]
    now = _following(inputs, before, last.seed)
    through = [before.key(each.contestant) for each in now.preview.goes_on]
    came = [(squad["team"], squad["number"]) for squad in last.squads]
    return None if now.preview.can_be_applied and through == came else now


def is_stage_changed(inputs: StandingsInputs) -> bool:
    """Whether the last stage would be drawn otherwise now, see `changed_stage`."""
    try:
        return changed_stage(inputs) is not None
    except Refused:
        # It couldn't be drawn at all.
        return True


@command("stage_drawn", Tournament.Status.PUBLISHED, locks_games=True)
def redraw_stage(decision: OpenDecision, tournament: Tournament, reason: str) -> None:
    """Draw the last stage anew, with who goes on by the results now; refused once any of it has begun."""
    check_reason(reason)
    changed = changed_stage(inputs_now(tournament))
    if changed is None:
        raise Refused("nothing-moves", _("The same squads would come into this stage."))
    if begun_matches(course_of(tournament)):
        raise Refused("stage-begun", _("In this stage games have begun; it stays as it was drawn."))
    decision.record({**_body(tournament, changed), "reason": reason})


def _lots_sent(seed: str | None = None) -> dict[str, Any]:
    return {"stage": True} if seed is None else {"stage": True, "seed": seed}


@command("lots_drawn", Tournament.Status.PUBLISHED, locks_games=True, sent=_lots_sent)
def draw_stage_lots(decision: OpenDecision, tournament: Tournament, seed: str | None = None) -> None:
    """Draw lots in every tie that keeps the next stage from being drawn."""
    following = preview_stage_after(tournament)
    if not following.preview.ties:
        raise Refused("no-tie", _("There is no tie that lots have to break."))
    course = following.course
    ids = squad_ids(inputs_now(tournament).courses)
    tied = [[ids[course.key(one)] for one in tie.contestants] for tie in following.preview.ties]
    decision.record(drawn_lots(tied, lot_numbers(tournament), seed))


def _tie_sent(order: Sequence[UUID]) -> dict[str, Any]:
    return {"stage": True, "orders": as_orders([order])}


@command("play_off_decided", Tournament.Status.PUBLISHED, locks_games=True, sent=_tie_sent)
def decide_stage_tie(decision: OpenDecision, tournament: Tournament, order: Sequence[UUID]) -> None:
    """Record how a tie that keeps the next stage from being drawn was played off: squads, the first first."""
    following = preview_stage_after(tournament)
    ids = squad_ids(inputs_now(tournament).courses)
    tied = [{ids[following.course.key(one)] for one in tie.contestants} for tie in following.preview.ties]
    if set(order) not in tied or len(set(order)) != len(order):
        raise Refused(
            "wrong-order",
            _("An order names all squads of one tie that is still open, each once."),
            status=422,
        )
    decision.record({"orders": as_orders([order])})


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


@command("stage_ended", Tournament.Status.PUBLISHED, locks_games=True)
def end_stage(decision: OpenDecision, tournament: Tournament) -> None:
    """End the last stage with the rounds played; refused where its next round or the stage after it can be
    drawn. A round or stage that is drawn after all takes it back.
    """
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
