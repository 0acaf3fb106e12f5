"""Delete an event whole: its facts, its rows, its people. What stays is a tombstone with the last receipt."""

from django.db import transaction

from games.models import Game
from ledger.deletion import delete_scope
from ledger.models import Tombstone
from people.erasures import intend, recorded
from people.models import Event
from tournaments.models import Palio, Tournament


def delete_event(event: Event) -> Tombstone:
    """Delete everything of an event in one transaction; nothing can be written to it afterwards.

    The names go into the record of erasures: an earlier backup that is put back brings the event, but none of
    them. Those of a practice event are made up.
    """
    with recorded(event.pk) as erasure, transaction.atomic():
        # In the order in which writers lock, so that whoever is writing finishes first.
        list(Palio.objects.select_for_update().filter(event=event).values_list("pk"))
        list(Tournament.objects.select_for_update().filter(event=event).order_by("pk").values_list("pk"))
        list(Game.objects.select_for_update().filter(scope=event.pk).order_by("pk").values_list("pk"))
        if not event.is_practice:
            erasure.persons = list(event.persons.values_list("pk", flat=True))
            erasure.referees = list(event.referees.values_list("pk", flat=True))
            erasure.is_everybody = True
        tombstone = delete_scope(event.pk)
        Game.objects.filter(scope=event.pk).delete()
        event.delete()
        intend(erasure)
    return tombstone
