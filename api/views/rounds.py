"""Rounds that follow from results: previewed, drawn, drawn anew; and places that are entered by hand."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.schema import decides, describes
from api.shapes.stages import (
    ChangedRoundsShape,
    NextRoundBody,
    NextRoundQuery,
    NextRoundShape,
    RedrawBody,
    StagePlacesBody,
    changed_rounds_row,
    next_round_row,
)
from api.shapes.tournaments import TournamentShape
from api.squads import Contestants
from api.subjects import TOURNAMENT
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes
from tournaments.commands.placements import enter_placements
from tournaments.commands.rounds import (
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


class RoundEndpoint(TournamentEndpoint):
    """The rounds of the stage that is on."""

    def contestants(self, course: StageHistory) -> Contestants:
        """Those of the stage."""
        return Contestants(self.viewer, course, squad_ids(inputs_now(self.subject).courses))


@declares(organizes, TOURNAMENT)
class NextRoundPreview(RoundEndpoint):
    """The next round before it is drawn."""

    @describes(
        "rounds_preview_next",
        TAG,
        {200: NextRoundShape},
        query=NextRoundQuery,
        problems=[409, 422],
        summary="Preview the next round",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """What would be drawn of the stage that is on; stores nothing. 422 `cannot-draw`, with
        `why` `results_missing`, while results are missing that it follows from; with `no_pairing` where a
        Swiss has no way without second meetings: allow them for this round, or end the stage.
        """
        following = preview_next_round(self.subject, rematches=self.query()["rematches"])
        contestants = self.contestants(following.course)
        row = {**next_round_row(following), "contestants": contestants.rows}
        return Response(NextRoundShape(row, context={"names": contestants.names}).data)


@declares(organizes, TOURNAMENT)
class NextRound(TournamentEndpoint):
    """The draw of the next round."""

    @decides("rounds_draw_next", TAG, TournamentShape, NextRoundBody, summary="Draw the next round")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """What can be drawn now; everybody sees it at once."""
        by, said = self.decision(NextRoundBody)
        draw_next_round(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class ChangedRounds(RoundEndpoint):
    """Drawn rounds that results have changed."""

    @describes(
        "rounds_list_changed",
        TAG,
        {200: ChangedRoundsShape},
        problems=[409, 422],
        summary="Read what corrections change of drawn rounds",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """The rounds that would be drawn otherwise by the results as they are now."""
        course = course_of(self.subject)
        contestants = self.contestants(course)
        row = changed_rounds_row(course, changed_rounds(self.subject))
        context = {"names": contestants.names}
        return Response(ChangedRoundsShape({**row, "contestants": contestants.rows}, context=context).data)


@declares(organizes, TOURNAMENT)
class ChangedRoundsRedraw(TournamentEndpoint):
    """Drawing rounds anew."""

    @decides("rounds_redraw", TAG, TournamentShape, RedrawBody, summary="Draw changed rounds anew")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Pairs that haven't begun move; games that were begun stay."""
        by, said = self.decision(RedrawBody)
        redraw_rounds(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class Placements(TournamentEndpoint):
    """Places that are entered by hand."""

    @decides("rounds_enter_places", TAG, TournamentShape, StagePlacesBody, summary="Enter places")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Of a stage of the format `by_hand`; entered again they are corrected, with a reason."""
        by, said = self.decision(StagePlacesBody)
        courses = inputs_now(self.subject).courses
        # The action names a squad by its row in the stage that is on, all else by the one through all stages.
        here = {
            squad: course.squad_id(number)
            for course in courses[-1:]
            for number in range(1, len(course.squads) + 1)
            for squad in (squad_ids(courses)[course.key(number)],)
        }
        places = [(here.get(each["squad"], each["squad"]), each["place"]) for each in said.pop("places")]
        enter_placements(self.subject, by, places, **said)
        return self.tournament()
