"""A draw that is changed by hand."""

from uuid import UUID

from rest_framework.response import Response

from api.permissions import TOURNAMENT
from api.schema import decides, reads
from api.shapes.draw_edits import DrawEditBody, DrawEditPreviewShape, DrawEditQuery, edit_preview_row
from api.shapes.tournaments import TournamentShape
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes
from tournaments.commands.decision_recording import Caller
from tournaments.commands.edit_draw import edit_draw, preview_edit

TAG = "tournaments"


@declares(organizes, TOURNAMENT)
class DrawEdits(TournamentEndpoint):
    """Squads that change places, by their ids through all stages."""

    @reads(
        "draws_preview_edit",
        TAG,
        DrawEditPreviewShape,
        "Preview a change of the draw by hand",
        query=DrawEditQuery,
        problems=[409],
        etag=False,
    )
    def preview(self) -> Response:
        """Who would sit where, and what that breaks and mends; stores nothing."""
        asked, here = self.query(), self.squads_here()
        one, other = (here.get(asked[side], asked[side]) for side in ("one", "other"))
        seen = preview_edit(self.subject, one, other, asked.get("round"))
        through = {own: squad for squad, own in here.items()}
        return Response(DrawEditPreviewShape(edit_preview_row(seen), context={"squads": through}).data)

    @decides("draws_edit", TAG, TournamentShape, DrawEditBody, "Change the draw by hand")
    def edit(self, by: Caller, one: UUID, other: UUID, reason: str, round: int | None = None) -> None:
        """Two squads change places: before publication, and later in a round that was drawn last and in which
        no game has begun. Told with its reason beside seed and method. 409 `nothing-to-swap` in formats in
        which that makes no sense.
        """
        here = self.squads_here()
        edit_draw(self.subject, by, here.get(one, one), here.get(other, other), reason, round)
