"""Delete an event whole: its facts, its rows, its people. What stays is a tombstone with the last receipt."""

from django.db import transaction

from games.models import Game
from ledger.deletion import delete_scope
from ledger.models import Tombstone
from people.models import Event
from tournaments.models import Palio, Tournament


@transaction.atomic
def delete_event(event: Event) -> Tombstone:
    """Delete everything of an event in one transaction; nothing can be written to it afterwards."""
    # In the order in which writers lock, so that whoever is writing finishes first.
    list(Palio.objects.select_for_update().filter(event=event).values_list("pk"))
    list(Tournament.objects.select_for_update().filter(event=event).order_by("pk").values_list("pk"))
    list(Game.objects.select_for_update().filter(scope=event.pk).order_by("pk").values_list("pk"))
    tombstone = delete_scope(event.pk)
    Game.objects.filter(scope=event.pk).delete()
    event.delete()
    return tombstone
