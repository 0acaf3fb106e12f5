"""An event with two tournaments and a sack race, as the tests of its palio need it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from people.actors import Actor
from people.models import Event, Team
from tests.support import factories
from tests.support.computed_tournaments import play
from tournaments.commands.close import close_tournament
from tournaments.commands.decision_recording import Caller
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.models import OverallStanding, OverallVersion, Palio, Tournament

ACTOR = Actor.command()


@dataclass
class Day:
    """The event, its palio over cards, dice and a race (which weighs double), and its three teams."""

    event: Event
    palio: Palio
    cards: Tournament
    dice: Tournament
    race: UUID
    teams: list[Team]

    @property
    def table(self) -> list[tuple[int, str, str]]:
        """The newest table: place, team, total."""
        version = newest(self.palio)
        rows = OverallStanding.objects.filter(version=version).select_related("team").order_by("position")
        return [(row.place, row.team.short_name, row.total) for row in rows]

    def finish(self, tournament: Tournament, *order: str) -> None:
        """Play a tournament to its end and close it; whoever comes first in `order` wins."""
        play(tournament, order)
        tournament.refresh_from_db()
        close_tournament(tournament, ACTOR)

    def run(self, *order: str, client_id: UUID | None = None, **more: Any) -> None:
        """Enter the race: the teams in the order in which they came in."""
        by_name = {team.short_name: team.pk for team in self.teams}
        places = [(by_name[name], place) for place, name in enumerate(order, start=1)]
        absent = [(pk, None) for name, pk in by_name.items() if name not in order]
        enter_placements(
            self.palio, Caller(ACTOR, client_id=client_id), self.race, [*places, *absent], **more
        )


def newest(palio: Palio) -> OverallVersion:
    """The newest version of the overall table."""
    return palio.overall_versions.order_by("-number")[0]


def make_day(organizer: Any = None, **rules: Any) -> Day:
    """A day on which nothing is played yet."""
    event = factories.make_event(organizer, slug="festa", name="Festa")
    teams = factories.make_field(event, 3, 1)
    cards = factories.drawn_tournament(event, name="Carte")
    dice = factories.drawn_tournament(event, name="Dadi")
    palio = set_up_palio(
        event,
        ACTOR,
        {
            "disciplines": [
                {"id": str(cards.pk), "kind": "tournament"},
                {"id": str(dice.pk), "kind": "tournament"},
                {"kind": "other", "name": "Corsa nei sacchi", "weight": "2"},
            ],
            **rules,
        },
    )
    return Day(event, palio, cards, dice, palio.other_games.get().pk, teams)
