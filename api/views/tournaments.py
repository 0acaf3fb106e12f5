"""Tournaments: set up, draw, publish, break ties, adjust, close."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import InvalidInput, Problem, field_problem
from api.schema import IDEMPOTENCY_KEY, decides, describes
from api.shapes.common import DecisionBody
from api.shapes.draws import DrawPreviewShape, preview_rows
from api.shapes.tournaments import (
    AdjustmentBody,
    DrawBody,
    LotsBody,
    NewTournamentBody,
    PlayOffBody,
    ReopenBody,
    SettingsBody,
    TournamentShape,
)
from api.subjects import EVENT, TOURNAMENT
from people.access import declares, organizes, reads_event
from people.models import Team
from people.refusals import Refused
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.draw import make_draw, preview_draw, publish_draw
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.commands.ties import decide_play_off, draw_lots
from tournaments.formats.model import MAX_SEED
from tournaments.models import Squad, Tournament

TAG = "tournaments"


class TournamentsQuery(serializers.Serializer[Any]):
    """Which tournaments."""

    status = serializers.ChoiceField(Tournament.Status.choices, required=False)


class SeedQuery(serializers.Serializer[Any]):
    """Which draw is to be shown."""

    seed = serializers.CharField(
        required=False, max_length=MAX_SEED, trim_whitespace=False, help_text="Without it one is made up."
    )


class TournamentEndpoint(Endpoint):
    """One tournament, and what every decision answers."""

    subject: Tournament

    def tournament(self, status: int = 200) -> Response:
        """The tournament as it is now."""
        row = Tournament.objects.prefetch_related("stages").get(pk=self.subject.pk)
        return self.answer(row, TournamentShape, status, organizes=self.is_organizer)


@declares(reads_event, EVENT)
class EventTournaments(Endpoint):
    """The tournaments of an event."""

    pagination_class = Pages

    @describes(
        "tournaments_list",
        TAG,
        {200: TournamentShape(many=True)},
        query=TournamentsQuery,
        summary="List tournaments",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Those of the event, by name."""
        rows = Tournament.objects.filter(event=self.event, **self.query()).prefetch_related("stages")
        return self.page(
            rows.order_by("name", "pk"),
            TournamentShape,
            context=lambda _tournaments: {"organizes": self.is_organizer},
        )

    @declares(organizes)
    @describes(
        "tournaments_create",
        TAG,
        {201: TournamentShape},
        request=NewTournamentBody,
        headers=[IDEMPOTENCY_KEY],
        summary="Set up a tournament",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """The `Idempotency-Key` becomes the tournament's id."""
        body = self.body(NewTournamentBody)
        try:
            made = create_tournament(
                self.event, self.actor, body["name"], body["settings"], tournament_id=self.client_id()
            )
        except Refused as refused:
            if refused.code in ("id-taken", "id-derived"):
                raise Problem(409, "client-id-reused", refused.sentence) from refused
            raise
        return self.answer(made, TournamentShape, 201, organizes=True)


@declares(reads_event, TOURNAMENT)
class TournamentDetail(TournamentEndpoint):
    """A tournament."""

    @describes("tournaments_read", TAG, {200: TournamentShape}, summary="Read a tournament", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """With its settings, status and stages."""
        return self.tournament()


@declares(organizes, TOURNAMENT)
class TournamentSettingsDetail(TournamentEndpoint):
    """The settings of a tournament."""

    @decides(
        "tournaments_change_settings", TAG, TournamentShape, SettingsBody, summary="Decide the settings anew"
    )
    def put(self, request: Request, **_kwargs: Any) -> Response:
        """A draw that was made but not published is dropped."""
        by, said = self.decision(SettingsBody)
        change_settings(self.subject, by, said.pop("settings"), **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class DrawPreview(TournamentEndpoint):
    """A draw before it is made."""

    @describes(
        "draws_preview",
        TAG,
        {200: DrawPreviewShape},
        query=SeedQuery,
        problems=[422],
        summary="Preview a draw",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Who would meet whom and when, who waits, who meets twice; stores nothing."""
        return Response(
            DrawPreviewShape(preview_rows(preview_draw(self.subject, self.query().get("seed")))).data
        )


@declares(organizes, TOURNAMENT)
class Draw(TournamentEndpoint):
    """The draw of a tournament."""

    @decides("draws_make", TAG, TournamentShape, DrawBody, summary="Make the draw")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Kept with its seed; made again before publication, it replaces the former one."""
        by, said = self.decision(DrawBody)
        make_draw(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class Publication(TournamentEndpoint):
    """Publishing the draw."""

    @decides("draws_publish", TAG, TournamentShape, DecisionBody, summary="Publish the draw")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """From then on everybody sees it and results can be entered."""
        by, said = self.decision(DecisionBody)
        publish_draw(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class Lots(TournamentEndpoint):
    """Lots drawn between tied teams."""

    @decides("tournaments_draw_lots", TAG, TournamentShape, LotsBody, summary="Draw lots")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Among the teams of every tie that decides placement points."""
        by, said = self.decision(LotsBody)
        draw_lots(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class PlayOffs(TournamentEndpoint):
    """Play-offs between tied teams."""

    @decides("tournaments_decide_play_off", TAG, TournamentShape, PlayOffBody, summary="Enter a play-off")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """The order in which those who were tied came out of it; entered again it is corrected."""
        by, said = self.decision(PlayOffBody)
        decide_play_off(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class Adjustments(TournamentEndpoint):
    """Points given or taken by decision."""

    @decides(
        "tournaments_adjust_points", TAG, TournamentShape, AdjustmentBody, summary="Adjust a team's points"
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Taken back by the opposite adjustment."""
        by, said = self.decision(AdjustmentBody)
        whose = self.squad_of(said.pop("squad")) if "squad" in said else None
        if whose is not None and "team" not in said:
            said["team"] = whose.team_id
        named = [said["team"]] if "team" in said else []
        team = Team.objects.filter(pk__in=named, event=self.event).first()
        if team is None:
            problem = field_problem("team", "unknown-team", _("The team isn't one of this event."))
            raise InvalidInput([problem])
        adjust_points(self.subject, by, **{**said, "team": team, "squad": whose})
        return self.tournament()

    def squad_of(self, id: UUID) -> Squad:
        """The squad of that id in the first stage."""
        squad = Squad.objects.filter(pk=id, stage__tournament=self.subject, stage__number=1).first()
        if squad is None:
            problem = field_problem("squad", "unknown-squad", _("There is no such squad in this tournament."))
            raise InvalidInput([problem])
        return squad


@declares(organizes, TOURNAMENT)
class Closing(TournamentEndpoint):
    """Ending a tournament."""

    @decides("tournaments_close", TAG, TournamentShape, DecisionBody, summary="Close a tournament")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Its standings are final, and a receipt over all facts of the event is made."""
        by, said = self.decision(DecisionBody)
        close_tournament(self.subject, by, **said)
        return self.tournament()


@declares(organizes, TOURNAMENT)
class Reopening(TournamentEndpoint):
    """Opening a closed tournament again."""

    @decides("tournaments_reopen", TAG, TournamentShape, ReopenBody, summary="Reopen a tournament")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """So that results can be corrected; the reason is kept."""
        by, said = self.decision(ReopenBody)
        reopen_tournament(self.subject, by, **said)
        return self.tournament()
