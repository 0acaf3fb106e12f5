"""Every address that has a name, and a festival with a value for each part of each."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.urls import URLResolver, get_resolver
from django.utils import timezone

from integrations.webhooks import registration
from ledger.models import Receipt
from ledger.receipts import make_receipt
from people.actors import Actor
from people.announcements import announce
from people.check_in import new_slips
from people.models import Entry
from tests.desk.page_access import group_of
from tests.support import factories
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.models import OtherGame, Squad, Table

GROUPS = group_of()


@dataclass(frozen=True)
class Page:
    """An address with a name, its group, and what stands in it."""

    name: str
    route: str
    group: str
    view: Any

    @property
    def arguments(self) -> list[str]:
        """The names of what stands in it."""
        return re.findall(r"<(?:\w+:)?(\w+)>", self.route)

    def path(self, values: dict[str, Any]) -> str:
        """Its path."""
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(values[found[1]]), self.route)


def pages(resolver: Any = None, route: str = "", space: str = "") -> list[Page]:
    """Every address of the active language's pages but the API's, the operators' and the practice table's."""
    found: list[Page] = []
    for entry in (resolver or get_resolver()).url_patterns:
        path = route + str(entry.pattern)
        if isinstance(entry, URLResolver):
            if entry.namespace not in ("api", "no-api", "admin"):
                found += pages(entry, path, f"{entry.namespace}:" if entry.namespace else space)
        elif entry.name or not path.startswith("t/practice/"):
            name = f"{space}{entry.name}"
            found.append(Page(name, path, GROUPS.get(name, ""), entry.callback))
    return found


def make_values(slug: str, **event: Any) -> dict[str, Any]:
    """A festival, and a value of it for every part of every address."""
    organizer = factories.make_account(f"di-{slug}")
    made = factories.make_event(organizer, slug=slug, name=f"Palio di {slug}", **event)
    factories.make_field(made)
    tournament = factories.drawn_tournament(made, name=f"Torneo di {slug}")
    game = factories.games_of(tournament)[0]
    cards = {"kind": "tournament", "id": str(tournament.pk)}
    race = {"kind": "other", "name": "Corsa nei sacchi"}
    set_up_palio(made, Actor.command(), {"disciplines": [cards, race]})
    entry = Entry.objects.filter(team__event=made)[0]
    make_receipt(made.pk)
    return {
        "event": made,
        "organizer": organizer,
        "event_slug": slug,
        "event_id": made.pk,
        "subject": made.pk,
        "tournament_slug": tournament.slug,
        "tournament_id": tournament.pk,
        "team_id": entry.team_id,
        "entry_id": entry.pk,
        "pairing_id": factories.make_pairing(made)[0].pk,
        "match_id": game.match_id,
        "game_id": game.game_id,
        "table_id": game.match.table_id,
        "squad_id": Squad.objects.filter(stage__tournament=tournament)[0].pk,
        "code": Table.objects.get(pk=game.match.table_id).code,
        "webhook_id": registration.register(
            made, Actor.command(), "https://example.org/", ["result.entered"]
        )[0].pk,
        "announcement_id": announce(
            made, Actor.command(), {"it": "Ciao"}, timezone.now() + timedelta(hours=1)
        ).pk,
        "discipline_id": OtherGame.objects.get(palio__event=made).pk,
        "root": Receipt.objects.filter(scope=made.pk)[0].root,
        "token_id": uuid4(),
        "slip": new_slips([entry], Actor.command())[0].code,
        "number": 1,
        "line": 2,
        "screen": 1,
        "reader": "organizers",
        "preset": "palio",
    }
