"""Squads of a tournament: listed, taken out, brought back, taken in late."""

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.permissions import DRAWN_TOURNAMENT, SQUAD
from api.problems import InvalidInput
from api.rows import not_of_event, of_event
from api.schema import changes, decides, lists
from api.shapes.squads import (
    ForfeitsShape,
    NewSquadBody,
    ReinstatedTeamBody,
    RequestedByeBody,
    ReturnBody,
    SquadRemovalBody,
    SquadStateShape,
    SubstitutionBody,
    TeamRemovalBody,
)
from api.shapes.tournaments import TournamentShape
from api.squads import book_of_squads, squad_row
from api.views.tournaments import TournamentEndpoint
from people.access import declares, organizes, reads_event
from people.models import Entry, Team
from tournaments.commands.decision_recording import Caller
from tournaments.commands.squad_changes import (
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


@declares(organizes, DRAWN_TOURNAMENT)
class Squads(TournamentEndpoint):
    """The squads of a tournament, and its teams."""

    @declares(reads_event)
    @lists("squads_list", TAG, SquadStateShape, "List squads")
    def list_all(self) -> Response:
        """By team and number, with whether they still play."""
        rows = Squad.objects.filter(stage__tournament=self.subject, stage__number=1)
        names: dict[str, Any] = {}

        def load(squads: list[Squad]) -> list[dict[str, Any]]:
            names["names"] = book_of_squads(self.viewer, squads)
            return states(self.subject, squads)

        return self.page(
            rows.order_by("team__number", "number"), SquadStateShape, load=load, context=lambda _rows: names
        )

    @decides("squads_add", TAG, TournamentShape, NewSquadBody, "Take in a late squad")
    def add(self, by: Caller, entries: list[UUID], plan_anew: bool) -> None:
        """It plays from the next round on; refused where the format has no place for it any more.

        Where rounds at tables are planned in advance it takes a free seat in each that isn't begun.
        """
        rows = Entry.objects.filter(pk__in=entries, team__event=self.event).select_related("team")
        found = {entry.pk: entry for entry in rows}
        missing = [not_of_event(f"entries.{at}") for at, id in enumerate(entries) if id not in found]
        if missing:
            raise InvalidInput(missing)
        add_squad(self.subject, by, [found[id] for id in entries], asks_first=not plan_anew)

    @decides("tournaments_remove_team", TAG, TournamentShape, TeamRemovalBody, "Take a team out")
    def remove_team(self, by: Caller, team: UUID, **said: Any) -> None:
        """In a draw of mini-tournaments: what is open is won by the others, or by nobody if no result against
        the team counts. Elsewhere squads are removed.

        Done again with another reason or place, the removal is corrected.
        """
        remove_team(self.subject, by, of_event(Team.objects.all(), self.event, team, "team"), **said)

    @decides("tournaments_bring_back_team", TAG, TournamentShape, ReinstatedTeamBody, "Bring a team back")
    def bring_back_team(self, by: Caller, team: UUID) -> None:
        """It has its place again; games that were forfeited are corrected one by one."""
        bring_back_team(self.subject, by, of_event(Team.objects.all(), self.event, team, "team"))


@declares(organizes, SQUAD)
class SquadDetail(TournamentEndpoint):
    """One squad."""

    subject: Squad

    @property
    def tournament(self) -> Tournament:
        """The squad's tournament."""
        return self.subject.stage.tournament

    @decides("squads_remove", TAG, TournamentShape, SquadRemovalBody, "Take a squad out")
    def remove(self, by: Caller, plan_anew: bool, **said: Any) -> None:
        """It isn't paired again, and what is drawn and open is won by its opponents, or by nobody if no
        result against it counts. Where rounds at tables are planned in advance, its seats stay empty.

        Done again with another reason or place, the removal is corrected.
        """
        remove_squad(self.tournament, by, self.subject, **said, asks_first=not plan_anew)

    @decides("squads_bring_back", TAG, TournamentShape, ReturnBody, "Bring a squad back")
    def bring_back(self, by: Caller, plan_anew: bool) -> None:
        """From the next round on; games that were forfeited are corrected one by one."""
        bring_back_squad(self.tournament, by, self.subject, asks_first=not plan_anew)

    @decides("squads_request_bye", TAG, TournamentShape, RequestedByeBody, "Ask to sit out a round")
    def request_bye(self, by: Caller, round: int) -> None:
        """It isn't paired in it, and has what the stage's option `asked_bye` gives."""
        request_bye(self.tournament, by, self.subject, round)

    @decides(
        "squads_withdraw_bye_request", TAG, TournamentShape, RequestedByeBody, "Play in a round after all"
    )
    def withdraw_bye_request(self, by: Caller, round: int) -> None:
        """As long as the round isn't drawn."""
        withdraw_bye_request(self.tournament, by, self.subject, round)

    @decides("squads_substitute", TAG, TournamentShape, SubstitutionBody, "Let a reserve take a place")
    def substitute(self, by: Caller, entry: UUID, reserve: UUID, reason: str) -> None:
        """In all games that aren't begun; what was begun stays as it was written."""
        rows = Entry.objects.select_related("team")
        out = of_event(rows, self.event, entry, "entry", "team__event")
        into = of_event(rows, self.event, reserve, "reserve", "team__event")
        substitute(self.tournament, by, self.subject, out, into, reason=reason)

    @changes("squads_forfeit", TAG, ForfeitsShape, "Forfeit a squad's open games", etag=False)
    def forfeit(self) -> Response:
        """In a draw of mini-tournaments: each is won by the other side, or by nobody if that has left, too.
        Doing it twice is doing it once.
        """
        given = forfeit_open_games(self.tournament, self.actor, self.subject)
        return Response(ForfeitsShape({"games": given}).data)


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
