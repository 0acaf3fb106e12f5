"""Stages: how one went, and how the next one is drawn."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.schema import decides, describes
from api.shapes.common import DecisionBody
from api.shapes.stages import (
    ChangedStageShape,
    NextStageShape,
    RedrawBody,
    StageCourseShape,
    StageSeedBody,
    StageTieBody,
    next_stage_row,
    stage_row,
)
from api.shapes.tournaments import LotsBody, TournamentShape
from api.squads import Contestants
from api.subjects import DRAWN_TOURNAMENT, TOURNAMENT
from api.views.tournaments import SeedQuery, TournamentEndpoint
from people.access import declares, organizes, reads_event
from tournaments.commands.stages import (
    NextStage,
    changed_stage,
    decide_stage_tie,
    draw_stage_lots,
    end_stage,
    preview_stage_after,
    redraw_stage,
    start_next_stage,
)
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.stage import stage_view

TAG = "stages"


class StageEndpoint(TournamentEndpoint):
    """A stage that follows another one."""

    def following(self, following: NextStage) -> tuple[dict[str, Any], Contestants]:
        """As an answer, with the contestants in whose numbers it speaks."""
        ids = squad_ids(inputs_now(self.subject).courses)
        contestants = Contestants(self.viewer, following.course, ids)
        return {**next_stage_row(following, ids), "contestants": contestants.rows}, contestants


@declares(reads_event, DRAWN_TOURNAMENT)
class StageCourse(TournamentEndpoint):
    """A stage that is drawn round by round."""

    @describes("stages_read", TAG, {200: StageCourseShape}, summary="Read a stage", etag=True)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Who takes part, what was drawn, how it ended, and under `repeat` all that the draw of each round
        depends on. 404 `no-stage` for one that isn't drawn yet, or is one of mini-tournaments.
        """
        view = stage_view(self.subject, kwargs["number"])
        contestants = Contestants(self.viewer, view.course, view.ids)
        row = {"tournament": self.subject.pk, **stage_row(view), "contestants": contestants.rows}
        return self.answer(row, StageCourseShape, names=contestants.names)


@declares(organizes, TOURNAMENT)
class NextStagePreview(StageEndpoint):
    """The next stage before it is drawn."""

    @describes(
        "stages_preview_next",
        TAG,
        {200: NextStageShape},
        query=SeedQuery,
        problems=[409, 422],
        summary="Preview the next stage",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Who goes on, who stays, who waits, each with why, and which ties have to be decided; stores
        nothing.
        """
        row, contestants = self.following(preview_stage_after(self.subject, self.query().get("seed")))
        return Response(NextStageShape(row, context={"names": contestants.names}).data)


@declares(organizes, TOURNAMENT)
class NextStageDraw(TournamentEndpoint):
    """The draw of the next stage."""

    @decides("stages_start_next", TAG, TournamentShape, StageSeedBody, summary="Draw the next stage")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """With those who go on; refused over an open result or an unresolved tie."""
        by, said = self.decision(StageSeedBody)
        start_next_stage(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class NextStageLots(TournamentEndpoint):
    """Lots for the next stage."""

    @decides("stages_draw_lots", TAG, TournamentShape, LotsBody, summary="Draw lots for the next stage")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """In every tie that keeps the next stage from being drawn."""
        by, said = self.decision(LotsBody)
        draw_stage_lots(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class NextStagePlayOff(TournamentEndpoint):
    """A play-off for the next stage."""

    @decides(
        "stages_decide_tie", TAG, TournamentShape, StageTieBody, summary="Enter a play-off for the next stage"
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """The order in which the squads of one tie came out of it."""
        by, said = self.decision(StageTieBody)
        decide_stage_tie(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class StageEnd(TournamentEndpoint):
    """The end of a stage with the rounds played."""

    @decides("stages_end", TAG, TournamentShape, DecisionBody, summary="End a stage with the rounds played")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Where its next round can't be drawn, or where it is over and the next stage can't be: then no
        stage follows. A round or stage that is drawn after all takes it back. 409 `stage-goes-on` elsewhere.
        """
        by, said = self.decision(DecisionBody)
        end_stage(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class ChangedStage(StageEndpoint):
    """The last stage after a correction in the one before."""

    @describes(
        "stages_read_changed",
        TAG,
        {200: ChangedStageShape},
        problems=[409, 422],
        summary="Read what corrections change of the last stage",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """As it would be drawn now; null as long as the same squads come into it in the same order."""
        changed = changed_stage(inputs_now(self.subject))
        if changed is None:
            return Response(ChangedStageShape({"becomes": None}).data)
        row, contestants = self.following(changed)
        return Response(ChangedStageShape({"becomes": row}, context={"names": contestants.names}).data)


@declares(organizes, TOURNAMENT)
class ChangedStageRedraw(TournamentEndpoint):
    """Drawing the last stage anew."""

    @decides("stages_redraw", TAG, TournamentShape, RedrawBody, summary="Draw the last stage anew")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """With who goes on by the results now; refused once any of it has begun."""
        by, said = self.decision(RedrawBody)
        redraw_stage(self.subject, by, **said)
        return self.tournament()
