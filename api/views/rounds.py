"""Rounds that follow from results: previewed, drawn, drawn anew; and places that are entered by hand."""

from typing import Any

from rest_framework.response import Response

from api.permissions import TOURNAMENT
from api.schema import decides, reads
from api.shapes.common import DecisionBody
from api.shapes.rounds import (
    ChangedRoundsShape,
    NewPlanShape,
    NextRoundBody,
    NextRoundQuery,
    NextRoundShape,
    RedrawBody,
    StagePlacesBody,
    changed_rounds_row,
    new_plan_row,
    next_round_row,
)
from api.shapes.tournaments import TournamentShape
from api.squads import Contestants
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes
from tournaments.commands.decision_recording import Caller
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.replanned_rounds import plan_rounds_anew, preview_new_plan
from tournaments.commands.round_draws import (
    changed_rounds,
    course_of,
    draw_next_round,
    preview_next_round,
    redraw_rounds,
)
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import inputs_now

TAG = "rounds"


@declares(organizes, TOURNAMENT)
class StageRounds(TournamentEndpoint):
    """The rounds of the stage that is on."""

    def contestants(self, course: StageHistory) -> Contestants:
        """Those of the stage."""
        return Contestants(self.viewer, course, squad_ids(inputs_now(self.subject).courses))

    @reads(
        "rounds_preview_next",
        TAG,
        NextRoundShape,
        "Preview the next round",
        query=NextRoundQuery,
        problems=[409],
        etag=False,
    )
    def preview_next(self) -> Response:
        """What would be drawn of the stage that is on; stores nothing. 422 `cannot-draw` gives the reason in
        `why`. It is `results_missing` while results are missing that the draw follows from. It is
        `no_pairing` where a Swiss has no way without second meetings: allow them for this round, or end the
        stage.
        """
        following = preview_next_round(self.subject, rematches=self.query()["rematches"])
        contestants = self.contestants(following.course)
        row = {**next_round_row(following), "contestants": contestants.rows}
        return Response(NextRoundShape(row, context={"names": contestants.names}).data)

    @decides("rounds_draw_next", TAG, TournamentShape, NextRoundBody, "Draw the next round")
    def draw_next(self, by: Caller, **said: Any) -> None:
        """What can be drawn now; everybody sees it at once."""
        draw_next_round(self.subject, by, **said)

    @reads("rounds_preview_new_plan", TAG, NewPlanShape, "Preview a new plan", problems=[409], etag=False)
    def preview_new_plan(self) -> Response:
        """Of rounds at tables that are planned in advance: how those that nobody has begun would be, planned
        anew for who is there now. Stores nothing. 409 `not-planned` where rounds follow from results.
        """
        course, change = preview_new_plan(self.subject)
        contestants = self.contestants(course)
        row = {**new_plan_row(course, change), "contestants": contestants.rows}
        return Response(NewPlanShape(row, context={"names": contestants.names}).data)

    @decides("rounds_plan_anew", TAG, TournamentShape, DecisionBody, "Plan the later rounds anew")
    def plan_anew(self, by: Caller) -> None:
        """Those that nobody has begun, as previewed; 409 `nothing-moves` where they would be the same."""
        plan_rounds_anew(self.subject, by)

    @reads(
        "rounds_list_changed",
        TAG,
        ChangedRoundsShape,
        "Read what corrections change of drawn rounds",
        problems=[409],
        etag=False,
    )
    def list_changed(self) -> Response:
        """The rounds that would be drawn otherwise by the results as they are now."""
        course = course_of(self.subject)
        contestants = self.contestants(course)
        row = changed_rounds_row(course, changed_rounds(self.subject))
        context = {"names": contestants.names}
        return Response(ChangedRoundsShape({**row, "contestants": contestants.rows}, context=context).data)

    @decides("rounds_redraw", TAG, TournamentShape, RedrawBody, "Draw changed rounds anew")
    def redraw(self, by: Caller, reason: str) -> None:
        """Pairs that haven't begun move; games that were begun stay."""
        redraw_rounds(self.subject, by, reason=reason)

    @decides("rounds_enter_places", TAG, TournamentShape, StagePlacesBody, "Enter places")
    def enter_places(self, by: Caller, places: list[dict[str, Any]], **said: Any) -> None:
        """Of a stage of the format `by_hand`; entered again they are corrected, with a reason."""
        here = self.squads_here()
        entered = [(here.get(each["squad"], each["squad"]), each["place"]) for each in places]
        enter_placements(self.subject, by, entered, **said)
