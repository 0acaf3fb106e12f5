"""Locks of a tournament, its games and a palio, held until the transaction ends."""

from typing import TypeVar
from uuid import UUID

from django.db import transaction

from games.models import Game
from tournaments.models import Palio, Tournament

S = TypeVar("S", Tournament, Palio)


def lock(subject: S) -> S:
    """The tournament or palio as it is now, locked until the transaction ends."""
    # Not the event with it: whoever changes people needn't wait for decisions.
    rows = type(subject)._default_manager.select_for_update(no_key=True, of=("self",)).select_related("event")
    return rows.get(pk=subject.pk)


def is_locked(tournament_id: UUID) -> bool:
    """Whether another transaction has locked the tournament at this moment (or it isn't there); on SQLite
    nobody can tell.
    """
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True).order_by()
    with transaction.atomic():
        return not rows.filter(pk=tournament_id).values_list("pk", flat=True)


def lock_games(tournament_id: UUID) -> None:
    """Make whoever is entering a result finish first, and whoever comes later wait for the transaction's end.

    Who needs both calls it after `lock`.
    """
    list(Game.objects.select_for_update().filter(group=tournament_id).order_by("pk").values_list("pk"))
