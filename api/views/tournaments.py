"""Tournaments: set up, draw, publish, break ties, adjust, close."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT, TOURNAMENT
from api.problems import InvalidInput, Problem, field_problem
from api.rows import team_of
from api.schema import decides, lists, reads
from api.shapes.common import DecisionBody
from api.shapes.draws import DrawPreviewShape, SeedQuery, ids_of, preview_row
from api.shapes.tournaments import (
    AdjustmentBody,
    DrawBody,
    LotsBody,
    NewTournamentBody,
    PlayOffBody,
    ReopenBody,
    SettingsBody,
    TournamentShape,
    TournamentsQuery,
)
from people.access import declares, organizes, reads_event
from people.refusals import Refused
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.decision_recording import Caller
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.commands.ties import decide_play_off, draw_lots
from tournaments.models import Squad, Tournament
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.first_stage_draws import preview_draw

TAG = "tournaments"


class TournamentEndpoint(Endpoint):
    """One tournament, or a part of one; every decision answers with the tournament."""

    subject: Any

    @property
    def tournament(self) -> Tournament:
        """The tournament that it is about."""
        tournament: Tournament = self.subject
        return tournament

    def current(self) -> Response:
        """The tournament as it is now."""
        row = Tournament.objects.prefetch_related("stages").get(pk=self.tournament.pk)
        return self.answer(row, TournamentShape, organizes=self.is_organizer)

    def squads_here(self) -> dict[UUID, UUID]:
        """The ids of the squads' rows in the stage that is on, by those through all stages: commands take
        the former.
        """
        courses = inputs_now(self.tournament).courses
        ids = squad_ids(courses)
        return {
            ids[course.key(number)]: course.squad_id(number)
            for course in courses[-1:]
            for number in range(1, len(course.squads) + 1)
        }


@declares(reads_event, EVENT)
class EventTournaments(Endpoint):
    """The tournaments of an event."""

    @lists("tournaments_list", TAG, TournamentShape, "List tournaments", query=TournamentsQuery)
    def list_all(self) -> Response:
        """Those of the event, by name."""
        rows = Tournament.objects.filter(event=self.event, **self.query()).prefetch_related("stages")
        return self.page(
            rows.order_by("name", "pk"),
            TournamentShape,
            context=lambda _tournaments: {"organizes": self.is_organizer},
        )

    @declares(organizes)
    @decides("tournaments_create", TAG, TournamentShape, NewTournamentBody, "Set up a tournament", status=201)
    def set_up(self, by: Caller, name: str, settings: dict[str, Any]) -> Response:
        """The `Idempotency-Key` becomes the tournament's id."""
        try:
            made = create_tournament(self.event, by.actor, name, settings, tournament_id=by.client_id)
        except Refused as refused:
            if refused.code in ("id-taken", "id-derived"):
                raise Problem(409, "client-id-reused", refused.sentence) from refused
            raise
        return self.answer(made, TournamentShape, 201, organizes=True)


@declares(organizes, TOURNAMENT)
class TournamentDetail(TournamentEndpoint):
    """A tournament, and what organizers decide of it."""

    @declares(reads_event)
    @reads("tournaments_read", TAG, TournamentShape, "Read a tournament")
    def read(self) -> None:
        """With its settings, status and stages."""

    @decides("tournaments_change_settings", TAG, TournamentShape, SettingsBody, "Decide the settings anew")
    def change_settings(self, by: Caller, settings: dict[str, Any], **said: Any) -> None:
        """A draw that was made but not published is dropped."""
        change_settings(self.subject, by, settings, **said)

    @reads("draws_preview", TAG, DrawPreviewShape, "Preview a draw", query=SeedQuery, etag=False)
    def preview_draw(self) -> Response:
        """Who would meet whom and when, who waits, who meets twice; stores nothing."""
        preview = preview_draw(self.subject, self.query().get("seed"))
        return Response(DrawPreviewShape(preview_row(preview), context=ids_of(preview)).data)

    @decides("draws_make", TAG, TournamentShape, DrawBody, "Make the draw")
    def make_draw(self, by: Caller, seed: str) -> None:
        """Kept with its seed; made again before publication, it replaces the former one."""
        make_draw(self.subject, by, seed=seed)

    @decides("draws_publish", TAG, TournamentShape, DecisionBody, "Publish the draw")
    def publish_draw(self, by: Caller) -> None:
        """From then on everybody sees it and results can be entered."""
        publish_draw(self.subject, by)

    @decides("tournaments_draw_lots", TAG, TournamentShape, LotsBody, "Draw lots")
    def draw_lots(self, by: Caller, **said: Any) -> None:
        """Among the teams of every tie that decides placement points."""
        draw_lots(self.subject, by, **said)

    @decides("tournaments_decide_play_off", TAG, TournamentShape, PlayOffBody, "Enter a play-off")
    def decide_play_off(self, by: Caller, **said: Any) -> None:
        """The order in which those who were tied came out of it; entered again it is corrected."""
        decide_play_off(self.subject, by, **said)

    @decides("tournaments_adjust_points", TAG, TournamentShape, AdjustmentBody, "Adjust a team's points")
    def adjust_points(
        self, by: Caller, team: UUID | None = None, squad: UUID | None = None, **said: Any
    ) -> None:
        """Taken back by the opposite adjustment."""
        whose = None if squad is None else self.squad_of(squad)
        wanted = whose.team_id if whose is not None and team is None else team
        adjust_points(self.subject, by, team=team_of(self.event, wanted), squad=whose, **said)

    def squad_of(self, id: UUID) -> Squad:
        """The squad of that id in the first stage."""
        squad = Squad.objects.filter(pk=id, stage__tournament=self.subject, stage__number=1).first()
        if squad is None:
            problem = field_problem("squad", "unknown-squad", _("There is no such squad in this tournament."))
            raise InvalidInput([problem])
        return squad

    @decides("tournaments_close", TAG, TournamentShape, DecisionBody, "Close a tournament")
    def close(self, by: Caller) -> None:
        """Its standings are final, and a receipt over all facts of the event is made."""
        close_tournament(self.subject, by)

    @decides("tournaments_reopen", TAG, TournamentShape, ReopenBody, "Reopen a tournament")
    def reopen(self, by: Caller, reason: str) -> None:
        """So that results can be corrected; the reason is kept."""
        reopen_tournament(self.subject, by, reason=reason)
