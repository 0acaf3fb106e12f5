"""The palio over several disciplines of an event."""

from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT
from api.rows import team_of
from api.schema import decides, reads
from api.shapes.palio import (
    JokerBody,
    OverallLotsBody,
    OverallShape,
    PalioBody,
    PalioShape,
    PlacementsBody,
)
from people.access import declares, organizes, reads_event
from people.refusals import Refused
from tournaments.commands.decision_recording import Caller
from tournaments.commands.palio_facts import palio_of
from tournaments.commands.palio_jokers import play_joker, withdraw_joker
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.commands.ties import draw_overall_lots
from tournaments.models import Palio
from tournaments.queries.palio import disciplines, overall_table
from tournaments.settings.palio import PalioRules

TAG = "palio"


@declares(organizes, EVENT)
class PalioDetail(Endpoint):
    """The palio of one event."""

    def palio(self) -> Palio:
        """The event's palio, or 404 `no-palio`."""
        return palio_of(self.event)

    def current(self) -> Response:
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

    @declares(reads_event)
    @reads("palio_read", TAG, PalioShape, "Read the palio")
    def read(self) -> None:
        """Its rules, disciplines, jokers, and places in other games; 404 `no-palio` where there is none."""

    @decides("palio_set_up", TAG, PalioShape, PalioBody, "Set up the palio, or decide its rules anew")
    def set_up(self, by: Caller, rules: dict[str, Any], **said: Any) -> None:
        """The event's teams take part. What was said of a discipline that is left out goes with it."""
        set_up_palio(self.event, by, rules, **said)

    @decides("palio_play_joker", TAG, PalioShape, JokerBody, "Play a joker")
    def play_joker(self, by: Caller, team: UUID, discipline: UUID) -> None:
        """The team's points in the discipline count twice; refused once it has begun."""
        play_joker(self.palio(), by, team_of(self.event, team), discipline)

    @decides("palio_withdraw_joker", TAG, PalioShape, JokerBody, "Withdraw a joker")
    def withdraw_joker(self, by: Caller, team: UUID, discipline: UUID) -> None:
        """As long as its discipline hasn't begun."""
        withdraw_joker(self.palio(), by, team_of(self.event, team), discipline)

    @decides("palio_enter_placements", TAG, PalioShape, PlacementsBody, "Enter the places of another game")
    def enter_placements(
        self, by: Caller, discipline: UUID, places: list[dict[str, Any]], **said: Any
    ) -> None:
        """Entered again they are corrected, with a reason."""
        entered = [(each["team"], each["place"]) for each in places]
        enter_placements(self.palio(), by, discipline, entered, **said)

    @decides("palio_draw_lots", TAG, PalioShape, OverallLotsBody, "Draw lots for the overall table")
    def draw_lots(self, by: Caller, **said: Any) -> None:
        """Once all disciplines are decided."""
        draw_overall_lots(self.palio(), by, **said)

    @declares(reads_event)
    @reads("palio_read_standings", TAG, OverallShape, "Read the overall table")
    def read_standings(self) -> Response:
        """Provisional until all disciplines are decided: only those that are count."""
        table = overall_table(self.event)
        if table is None:
            raise Refused("no-palio", _("This event has no overall table."), status=404)
        return self.answer(table, OverallShape)
