"""Ids that come from outside: which of them something has already, and which it may be given later.

A row's id and its stream's are one, and streams of all kinds share one table. So an id that somebody else's
game, match or phone has, or will have, mustn't become that of a tournament.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final
from uuid import UUID

from django.apps import apps
from django.db.models import UUIDField

_BATCH: Final = 500
_DERIVED: Final = 5
"""The version of ids that follow from others: of squads, matches and games, also of rounds to come."""


def is_derived(id: UUID) -> bool:
    """Whether it has the form of the ids of squads, matches and games."""
    return id.version == _DERIVED


def taken(ids: Iterable[UUID]) -> Iterator[UUID]:
    """Those that a row of any model or a stream has; one query for 500."""
    # All whose rows have UUIDs of their own; those that take another row's name no further one.
    models = [model for model in apps.get_models() if isinstance(model._meta.pk, UUIDField)]
    listed = iter(set(ids))
    while portion := list(islice(listed, _BATCH)):
        first, *rest = (
            model._base_manager.filter(pk__in=portion).order_by().values_list("pk", flat=True)
            for model in models
        )
        yield from first.union(*rest)
