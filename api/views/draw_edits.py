"""A draw that is changed by hand."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from api.schema import decides, describes
from api.shapes.draw_edits import DrawEditBody, DrawEditPreviewShape, DrawEditQuery, edit_preview_row
from api.shapes.tournaments import TournamentShape
from api.subjects import TOURNAMENT
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes
from tournaments.commands.edit_draw import edit_draw, preview_edit
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import inputs_now

TAG = "tournaments"


class DrawEditEndpoint(TournamentEndpoint):
    """Squads that change places, by their ids through all stages."""

    def here(self) -> dict[UUID, UUID]:
        """The ids of the stage that is on by those through all stages."""
        courses = inputs_now(self.subject).courses
        ids = squad_ids(courses)
        return {
            ids[course.key(number)]: course.squad_id(number)
            for course in courses[-1:]
            for number in range(1, len(course.squads) + 1)
        }


@declares(organizes, TOURNAMENT)
class DrawEditPreview(DrawEditEndpoint):
    """A change before it is decided."""

    @describes(
        "draws_preview_edit",
        TAG,
        {200: DrawEditPreviewShape},
        query=DrawEditQuery,
        problems=[409, 422],
        summary="Preview a change of the draw by hand",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Who would sit where, and what that breaks and mends; stores nothing."""
        asked, here = self.query(), self.here()
        one, other = (here.get(asked[side], asked[side]) for side in ("one", "other"))
        seen = preview_edit(self.subject, one, other, asked.get("round"))
        row = edit_preview_row(seen, {own: through for through, own in here.items()})
        return Response(DrawEditPreviewShape(row).data)


@declares(organizes, TOURNAMENT)
class DrawEdit(DrawEditEndpoint):
    """A change of the draw by hand."""

    @decides("draws_edit", TAG, TournamentShape, DrawEditBody, summary="Change the draw by hand")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Two squads change places: before publication, and later in a round that was drawn last and in which
        no game has begun. Told with its reason beside seed and method. 409 `nothing-to-swap` in formats in
        which that makes no sense.
        """
        (by, said), here = self.decision(DrawEditBody), self.here()
        one, other = (here.get(said[side], said[side]) for side in ("one", "other"))
        edit_draw(self.subject, by, one, other, said["reason"], said.get("round"))
        return self.tournament()
