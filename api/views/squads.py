"""Squads of a tournament: listed, taken out, brought back, taken in late."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import InvalidInput, field_problem
from api.schema import decides, describes
from api.shapes.common import DecisionBody
from api.shapes.entries import NothingBody
from api.shapes.squads import (
    ForfeitsShape,
    NewSquadBody,
    ReinstatedTeamBody,
    RemovalBody,
    RequestedByeBody,
    SquadStateShape,
    SubstitutionBody,
    TeamRemovalBody,
)
from api.shapes.tournaments import TournamentShape
from api.squads import book_of_squads, squad_row
from api.subjects import DRAWN_TOURNAMENT, SQUAD
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes, reads_event
from people.models import Entry, Event, Team
from tournaments.commands.squads import (
    add_squad,
    bring_back_squad,
    bring_back_team,
    remove_squad,
    remove_team,
    request_bye,
    withdraw_bye_request,
)
from tournaments.commands.substitute import forfeit_open_games, substitute
from tournaments.models import Squad, Tournament
from tournaments.projections.standings_inputs import inputs_now

TAG = "squads"


@declares(reads_event, DRAWN_TOURNAMENT)
class Squads(TournamentEndpoint):
    """The squads of a tournament."""

    pagination_class = Pages

    @describes("squads_list", TAG, {200: SquadStateShape(many=True)}, summary="List squads")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """By team and number, with whether they still play."""
        rows = Squad.objects.filter(stage__tournament=self.subject, stage__number=1)
        names: dict[str, Any] = {}

        def load(squads: list[Squad]) -> list[dict[str, Any]]:
            names["names"] = book_of_squads(self.viewer, squads)
            return states(self.subject, squads)

        return self.page(
            rows.order_by("team__number", "number"), SquadStateShape, load=load, context=lambda _rows: names
        )

    @declares(organizes)
    @decides("squads_add", TAG, TournamentShape, NewSquadBody, summary="Take in a late squad")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It plays from the next round on; refused where the format has no place for it any more."""
        by, said = self.decision(NewSquadBody)
        wanted = said.pop("entries")
        rows = Entry.objects.filter(pk__in=wanted, team__event=self.event).select_related("team")
        found = {entry.pk: entry for entry in rows}
        missing = [
            field_problem(f"entries.{at}", "of-another-event", _("There is no such row in this event."))
            for at, entry in enumerate(wanted)
            if entry not in found
        ]
        if missing:
            raise InvalidInput(missing)
        add_squad(self.subject, by, [found[entry] for entry in wanted], **said)
        return self.tournament()


class SquadEndpoint(Endpoint):
    """One squad."""

    subject: Squad

    def tournament(self) -> Response:
        """Its tournament as it is now."""
        row = Tournament.objects.prefetch_related("stages").get(pk=self.subject.stage.tournament_id)
        return self.answer(row, TournamentShape, organizes=self.is_organizer)


@declares(organizes, SQUAD)
class SquadRemoval(SquadEndpoint):
    """A squad that plays no further."""

    @decides("squads_remove", TAG, TournamentShape, RemovalBody, summary="Take a squad out")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It isn't paired again, and what is drawn and open is won by its opponents, or by nobody if no
        result against it counts.

        Done again with another reason or place, the removal is corrected.
        """
        by, said = self.decision(RemovalBody)
        remove_squad(self.subject.stage.tournament, by, self.subject, **said)
        return self.tournament()


@declares(organizes, SQUAD)
class SquadReturn(SquadEndpoint):
    """A squad that plays again."""

    @decides("squads_bring_back", TAG, TournamentShape, DecisionBody, summary="Bring a squad back")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """From the next round on; games that were forfeited are corrected one by one."""
        by, said = self.decision(DecisionBody)
        bring_back_squad(self.subject.stage.tournament, by, self.subject, **said)
        return self.tournament()


@declares(organizes, SQUAD)
class RequestedBye(SquadEndpoint):
    """A round of a Swiss that a squad sits out by request."""

    @decides("squads_request_bye", TAG, TournamentShape, RequestedByeBody, summary="Ask to sit out a round")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It isn't paired in it, and has what the stage's option `asked_bye` gives."""
        by, said = self.decision(RequestedByeBody)
        request_bye(self.subject.stage.tournament, by, self.subject, said.pop("round"), **said)
        return self.tournament()


@declares(organizes, SQUAD)
class RequestedByeWithdrawal(SquadEndpoint):
    """A request to sit out a round that is taken back."""

    @decides(
        "squads_withdraw_bye_request",
        TAG,
        TournamentShape,
        RequestedByeBody,
        summary="Play in a round after all",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """As long as the round isn't drawn."""
        by, said = self.decision(RequestedByeBody)
        round_ = said.pop("round")
        withdraw_bye_request(self.subject.stage.tournament, by, self.subject, round_, **said)
        return self.tournament()


@declares(organizes, DRAWN_TOURNAMENT)
class TeamRemoval(TournamentEndpoint):
    """A team that plays no further."""

    @decides("tournaments_remove_team", TAG, TournamentShape, TeamRemovalBody, summary="Take a team out")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """In a draw of mini-tournaments: what is open is won by the others, or by nobody if no result against
        the team counts. Elsewhere squads are removed.

        Done again with another reason or place, the removal is corrected.
        """
        by, said = self.decision(TeamRemovalBody)
        remove_team(self.subject, by, team_in(self.event, said.pop("team")), **said)
        return self.tournament()


@declares(organizes, DRAWN_TOURNAMENT)
class TeamReturn(TournamentEndpoint):
    """A team that plays again."""

    @decides(
        "tournaments_bring_back_team", TAG, TournamentShape, ReinstatedTeamBody, summary="Bring a team back"
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It has its place again; games that were forfeited are corrected one by one."""
        by, said = self.decision(ReinstatedTeamBody)
        bring_back_team(self.subject, by, team_in(self.event, said.pop("team")), **said)
        return self.tournament()


@declares(organizes, SQUAD)
class SquadSubstitution(SquadEndpoint):
    """A reserve who takes a place."""

    @decides(
        "squads_substitute", TAG, TournamentShape, SubstitutionBody, summary="Let a reserve take a place"
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """In all games that aren't begun; what was begun stays as it was written."""
        by, said = self.decision(SubstitutionBody)
        out, into = (self._entry(said.pop(name), name) for name in ("entry", "reserve"))
        substitute(self.subject.stage.tournament, by, self.subject, out, into, **said)
        return self.tournament()

    def _entry(self, wanted: UUID, field: str) -> Entry:
        rows = Entry.objects.filter(team__event=self.event).select_related("team")
        entry = rows.filter(pk=wanted).first()
        if entry is None:
            detail = _("There is no such row in this event.")
            raise InvalidInput([field_problem(field, "of-another-event", detail)])
        return entry


@declares(organizes, SQUAD)
class SquadForfeits(SquadEndpoint):
    """The games that a squad can't play."""

    @describes(
        "squads_forfeit",
        TAG,
        {200: ForfeitsShape},
        request=NothingBody,
        summary="Forfeit a squad's open games",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """In a draw of mini-tournaments: each is won by the other side, or by nobody if that has left, too.
        Doing it twice is doing it once.
        """
        self.body(NothingBody)
        given = forfeit_open_games(self.subject.stage.tournament, self.actor, self.subject)
        return Response(ForfeitsShape({"games": given}).data)


def team_in(event: Event, wanted: UUID) -> Team:
    """The event's team of this id; InvalidInput where there is none."""
    found = Team.objects.filter(event=event, pk=wanted).first()
    if found is None:
        detail = _("There is no such row in this event.")
        raise InvalidInput([field_problem("team", "of-another-event", detail)])
    return found


def states(tournament: Tournament, squads: list[Squad]) -> list[dict[str, Any]]:
    """Squads of the first stage with the stages that they came into, since when they play, and whether they
    do; four queries.
    """
    now = inputs_now(tournament)
    courses = now.courses
    stages: dict[tuple[str, int], list[int]] = {}
    since: dict[tuple[str, int], int] = {}
    gone = set()
    for course in courses:
        for one in course.progress.contestants:
            key = course.key(one.number)
            stages.setdefault(key, []).append(course.number)
            since.setdefault(key, one.since)
            if one.number in course.progress.gone:
                gone.add(key)
    return [
        {
            **squad_row(squad),
            "team": squad.team_id,
            "stages": stages.get(key, [1]),
            "since": since.get(key, 1),
            "is_gone": key in gone or key in now.removals.squads,
            "removal": removal.to_json() if removal else None,
        }
        for squad in squads
        for key in ((str(squad.team_id), squad.number),)
        for removal in (now.removals.squads.get(key),)
    ]
