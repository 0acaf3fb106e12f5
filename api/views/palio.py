"""The palio over several disciplines of an event."""

from types import SimpleNamespace
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.problems import InvalidInput, field_problem
from api.schema import decides, describes
from api.shapes.palio import (
    JokerBody,
    OverallLotsBody,
    OverallShape,
    PalioBody,
    PalioShape,
    PlacementsBody,
)
from api.subjects import EVENT
from people.access import declares, organizes, reads_event
from people.models import Team
from people.refusals import Refused
from tournaments.commands.palio_decisions import palio_of
from tournaments.commands.palio_jokers import play_joker, withdraw_joker
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.commands.ties import draw_overall_lots
from tournaments.models import Palio
from tournaments.queries.palio import disciplines, overall_table
from tournaments.settings.palio import PalioRules

TAG = "palio"


class PalioEndpoint(Endpoint):
    """The palio of one event, and what every decision answers."""

    def palio(self) -> Palio:
        """The event's palio, or 404 `no-palio`."""
        return palio_of(self.event)

    def as_it_is(self) -> Response:
        """The palio as it is now."""
        palio = self.palio()
        shown = SimpleNamespace(
            palio=palio,
            rules=PalioRules.from_json(palio.rules),
            disciplines=disciplines(palio),
            jokers=palio.jokers.all(),
            placements=palio.other_placings.all(),
        )
        return self.answer(shown, PalioShape)

    def team(self, said: dict[str, Any]) -> Team:
        """The team that a body names, taken out of it."""
        team = Team.objects.filter(pk=said.pop("team"), event=self.event).first()
        if team is None:
            problem = field_problem("team", "unknown-team", _("The team isn't one of this event."))
            raise InvalidInput([problem])
        return team


@declares(reads_event, EVENT)
class PalioDetail(PalioEndpoint):
    """The palio of an event."""

    @describes("palio_read", TAG, {200: PalioShape}, summary="Read the palio", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Its rules, disciplines, jokers, and places in other games; 404 `no-palio` where there is none."""
        return self.as_it_is()

    @declares(organizes)
    @decides("palio_set_up", TAG, PalioShape, PalioBody, summary="Set up the palio, or decide its rules anew")
    def put(self, request: Request, **_kwargs: Any) -> Response:
        """The event's teams take part. What was said of a discipline that is left out goes with it."""
        by, said = self.decision(PalioBody)
        set_up_palio(self.event, by, said.pop("rules"), **said)
        return self.as_it_is()


@declares(organizes, EVENT)
class PalioJokers(PalioEndpoint):
    """The jokers of teams."""

    @decides("palio_play_joker", TAG, PalioShape, JokerBody, summary="Play a joker", problems=[404])
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """The team's points in the discipline count twice; refused once it has begun."""
        by, said = self.decision(JokerBody)
        play_joker(self.palio(), by, self.team(said), said.pop("discipline"), **said)
        return self.as_it_is()


@declares(organizes, EVENT)
class PalioJokerWithdrawal(PalioEndpoint):
    """Jokers taken back."""

    @decides("palio_withdraw_joker", TAG, PalioShape, JokerBody, summary="Withdraw a joker", problems=[404])
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """As long as its discipline hasn't begun."""
        by, said = self.decision(JokerBody)
        withdraw_joker(self.palio(), by, self.team(said), said.pop("discipline"), **said)
        return self.as_it_is()


@declares(organizes, EVENT)
class PalioPlacements(PalioEndpoint):
    """The places in other games."""

    @decides(
        "palio_enter_placements",
        TAG,
        PalioShape,
        PlacementsBody,
        summary="Enter the places of another game",
        problems=[404],
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Entered again they are corrected, with a reason."""
        by, said = self.decision(PlacementsBody)
        places = [(each["team"], each["place"]) for each in said.pop("places")]
        enter_placements(self.palio(), by, said.pop("discipline"), places, **said)
        return self.as_it_is()


@declares(organizes, EVENT)
class PalioLots(PalioEndpoint):
    """Lots drawn between teams that are level over all disciplines."""

    @decides(
        "palio_draw_lots",
        TAG,
        PalioShape,
        OverallLotsBody,
        summary="Draw lots for the overall table",
        problems=[404],
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Once all disciplines are decided."""
        by, said = self.decision(OverallLotsBody)
        draw_overall_lots(self.palio(), by, **said)
        return self.as_it_is()


@declares(reads_event, EVENT)
class PalioStandings(PalioEndpoint):
    """The overall table."""

    @describes("palio_read_standings", TAG, {200: OverallShape}, summary="Read the overall table", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Provisional until all disciplines are decided: only those that are count."""
        table = overall_table(self.event)
        if table is None:
            raise Refused("no-palio", _("This event has no overall table."), status=404)
        return self.answer(table, OverallShape)
