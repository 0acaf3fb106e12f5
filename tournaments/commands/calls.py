"""Calling a match to its table, and taking that back. Rows and their trail, no facts."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.versioned_rows import read_row, store_row
from tournaments.models import Call, Match
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import progress_of

MOST_TIMES = 99


@transaction.atomic
def call_match(match: Match, actor: Actor, *, expected_version: int | None = None) -> Call:
    """Note that the players of a match were called, now; again as often as need be.

    Raises `Refused` where nobody waits for it any more (a game of it was begun), and `ConflictError` where
    somebody else has called since `expected_version`.
    """
    call = read_row(match.stage.tournament, Call(match=match.pk), expected_version)
    if progress_of([match.pk]).get(match.pk) is not MatchProgress.WAITING:
        raise Refused("match-begun", _("They are playing already, or have played."))
    return store_row(call, actor, {"called_at": timezone.now(), "times": min(MOST_TIMES, call.times + 1)})


@transaction.atomic
def take_call_back(match: Match, actor: Actor, *, expected_version: int | None = None) -> Call:
    """Note that they weren't called after all; `Refused` if they weren't anyway."""
    call = read_row(match.stage.tournament, Call(match=match.pk), expected_version)
    if call.called_at is None:
        raise Refused("not-called", _("They haven’t been called."))
    return store_row(call, actor, {"called_at": None, "times": 0})
