"""From an address to the row that it names and the event that this row belongs to, in one query."""

from operator import attrgetter
from typing import Any, cast

from django.db.models import Model
from django.http import Http404

from integrations.models import Webhook
from people.access import organizes
from people.actors import Actor
from people.models import Announcement, Entry, Event, Pairing, Referee, Team
from tournaments.models import Match, MatchGame, Squad, Table, Tournament


def nothing_here() -> Http404:
    """The same answer for what isn't there and for what the caller may not know of."""
    return Http404()


class Subject:
    """Finds the row of an address. As a callable it is a `find_event` of `people.access`.

    `argument` is the name in the address, `lookup` the column that it names, `event` the dotted way from
    the row to its event (empty where the row is the event), `related` what else is read along. `drawn` is
    the dotted way to the tournament (empty where the row is one) for rows that only the organizer sees
    before the draw is published, None for all others.
    """

    def __init__(
        self,
        model: type[Model],
        argument: str,
        event: str = "",
        lookup: str = "pk",
        *,
        related: str = "",
        drawn: str | None = None,
    ) -> None:
        self.model = model
        self.argument = argument
        self.event = event
        self.lookup = lookup
        self.drawn = drawn
        self.related = [*related.split(), *([event.replace(".", "__")] if event else [])]

    def find(self, **kwargs: Any) -> tuple[Any, Event]:
        """The row and its event, or 404."""
        rows = self.model._default_manager.filter(**{self.lookup: kwargs[self.argument]}).order_by("pk")
        row = (rows.select_related(*self.related) if self.related else rows).first()
        if row is None:
            raise nothing_here()
        event = cast(Event, attrgetter(self.event)(row) if self.event else row)
        return row, event

    def is_hidden(self, row: Any, actor: Actor, event: Event) -> bool:
        """Whether the row belongs to a draw that isn't published yet, and the actor isn't the organizer."""
        if self.drawn is None:
            return False
        tournament: Tournament = attrgetter(self.drawn)(row) if self.drawn else row
        return tournament.status not in Tournament.PUBLIC and not organizes.test(actor, event)

    def __call__(self, **kwargs: Any) -> Event:
        """The event alone."""
        return self.find(**kwargs)[1]


EVENT = Subject(Event, "event_id")
TEAM = Subject(Team, "team_id", "event")
ENTRY = Subject(Entry, "entry_id", "team.event", related="person")
REFEREE = Subject(Referee, "referee_id", "event")
PAIRING = Subject(Pairing, "pairing_id", "event", related="referee")
ANNOUNCEMENT = Subject(Announcement, "announcement_id", "event")
WEBHOOK = Subject(Webhook, "webhook_id", "event")
TABLE = Subject(Table, "table_id", "event")
TOURNAMENT = Subject(Tournament, "tournament_id", "event")
DRAWN_TOURNAMENT = Subject(Tournament, "tournament_id", "event", drawn="")
CLOCK = Subject(Tournament, "tournament_id", "event", related="clock", drawn="")
SQUAD = Subject(Squad, "squad_id", "stage.tournament.event", drawn="stage.tournament")
MATCH = Subject(Match, "match_id", "stage.tournament.event", drawn="stage.tournament")
GAME = Subject(
    MatchGame,
    "game_id",
    "match.stage.tournament.event",
    "game_id",
    related="game",
    drawn="match.stage.tournament",
)
