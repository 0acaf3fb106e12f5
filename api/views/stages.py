"""Stages: how one went, and how the next one is drawn."""

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.permissions import DRAWN_TOURNAMENT, TOURNAMENT
from api.schema import decides, reads
from api.shapes.common import DecisionBody
from api.shapes.draws import SeedQuery
from api.shapes.rounds import RedrawBody
from api.shapes.stages import (
    ChangedStageShape,
    NextStageShape,
    StageCourseShape,
    StageSeedBody,
    StageTieBody,
    next_stage_row,
    stage_row,
)
from api.shapes.tournaments import LotsBody, TournamentShape
from api.squads import Contestants
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes, reads_event
from tournaments.commands.decision_recording import Caller
from tournaments.commands.next_stage import (
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


@declares(reads_event, DRAWN_TOURNAMENT)
class StageCourse(TournamentEndpoint):
    """A stage that is drawn round by round."""

    @reads("stages_read", TAG, StageCourseShape, "Read a stage")
    def read(self) -> Response:
        """Who takes part, what was drawn, how it ended, and under `repeat` all that the draw of each round
        depends on. 404 `no-stage` for one that isn't drawn yet, or is one of mini-tournaments.
        """
        view = stage_view(self.subject, self.kwargs["number"])
        contestants = Contestants(self.viewer, view.course, view.ids)
        row = {"tournament": self.subject.pk, **stage_row(view), "contestants": contestants.rows}
        return self.answer(row, StageCourseShape, names=contestants.names)


@declares(organizes, TOURNAMENT)
class Stages(TournamentEndpoint):
    """A stage that follows another one."""

    def following(self, following: NextStage) -> tuple[dict[str, Any], dict[str, Any]]:
        """As an answer, and what showing it needs: the names of those in whose numbers it speaks."""
        ids = squad_ids(inputs_now(self.subject).courses)
        contestants = Contestants(self.viewer, following.course, ids)
        row = {**next_stage_row(following, ids), "contestants": contestants.rows}
        return row, {"names": contestants.names}

    @reads(
        "stages_preview_next",
        TAG,
        NextStageShape,
        "Preview the next stage",
        query=SeedQuery,
        problems=[409],
        etag=False,
    )
    def preview_next(self) -> Response:
        """Who goes on, who stays, who waits, each with why, and which ties have to be decided; stores
        nothing.
        """
        row, context = self.following(preview_stage_after(self.subject, self.query().get("seed")))
        return Response(NextStageShape(row, context=context).data)

    @decides("stages_start_next", TAG, TournamentShape, StageSeedBody, "Draw the next stage")
    def start_next(self, by: Caller, seed: str) -> None:
        """With those who go on; refused over an open result or an unresolved tie."""
        start_next_stage(self.subject, by, seed=seed)

    @decides("stages_draw_lots", TAG, TournamentShape, LotsBody, "Draw lots for the next stage")
    def draw_lots(self, by: Caller, **said: Any) -> None:
        """In every tie that keeps the next stage from being drawn."""
        draw_stage_lots(self.subject, by, **said)

    @decides("stages_decide_tie", TAG, TournamentShape, StageTieBody, "Enter a play-off for the next stage")
    def decide_tie(self, by: Caller, order: list[UUID]) -> None:
        """The order in which the squads of one tie came out of it."""
        decide_stage_tie(self.subject, by, order=order)

    @decides("stages_end", TAG, TournamentShape, DecisionBody, "End a stage with the rounds played")
    def end(self, by: Caller) -> None:
        """Where its next round can't be drawn, or where it is over and the next stage can't be: then no
        stage follows. A round or stage that is drawn after all takes it back. 409 `stage-goes-on` elsewhere.
        """
        end_stage(self.subject, by)

    @reads(
        "stages_read_changed",
        TAG,
        ChangedStageShape,
        "Read what corrections change of the last stage",
        problems=[409],
        etag=False,
    )
    def read_changed(self) -> Response:
        """As it would be drawn now; null as long as the same squads come into it in the same order."""
        changed = changed_stage(inputs_now(self.subject))
        if changed is None:
            return Response(ChangedStageShape({"becomes": None}).data)
        row, context = self.following(changed)
        return Response(ChangedStageShape({"becomes": row}, context=context).data)

    @decides("stages_redraw", TAG, TournamentShape, RedrawBody, "Draw the last stage anew")
    def redraw(self, by: Caller, reason: str) -> None:
        """With who goes on by the results now; refused once any of it has begun."""
        redraw_stage(self.subject, by, reason=reason)
