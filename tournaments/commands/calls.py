"""Calling a match to its table, and taking that back. Rows and their trail, no facts."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.errors import ConflictError
from people import audit
from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.decisions import expect_status
from tournaments.facts.locks import lock
from tournaments.models import Call, Match, Tournament
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import progress_of

MOST_TIMES = 99


@transaction.atomic
def call_match(match: Match, actor: Actor, *, expected_version: int | None = None) -> Call:
    """Note that the players of a match were called, now; again as often as need be.

    Raises `Refused` where nobody waits for it any more (a game of it was begun), and `ConflictError` where
    somebody else has called since `expected_version`.
    """
    tournament, call = _locked(match, expected_version)
    if progress_of([match.pk]).get(match.pk) is not MatchProgress.WAITING:
        raise Refused("match-begun", _("They are playing already, or have played."))
    times = min(MOST_TIMES, (call.times if call else 0) + 1)
    return _put(match, tournament, call, actor, {"called_at": timezone.now(), "times": times})


@transaction.atomic
def take_call_back(match: Match, actor: Actor, *, expected_version: int | None = None) -> Call:
    """Note that they weren't called after all; `Refused` if they weren't anyway."""
    tournament, call = _locked(match, expected_version)
    if call is None or call.called_at is None:
        raise Refused("not-called", _("They haven’t been called."))
    return _put(match, tournament, call, actor, {"called_at": None, "times": 0})


def _locked(match: Match, expected_version: int | None) -> tuple[Tournament, Call | None]:
    # The tournament's row is the queue: at first there is no call to lock.
    tournament = lock(match.stage.tournament)
    expect_status(tournament, Tournament.Status.PUBLISHED)
    call = Call.objects.filter(pk=match.pk).first()
    version = call.version if call else 0
    if expected_version is not None and expected_version != version:
        raise ConflictError(match.pk, version)
    return tournament, call


def _put(
    match: Match, tournament: Tournament, call: Call | None, actor: Actor, values: dict[str, Any]
) -> Call:
    if call is None:
        call = Call(match=match.pk, tournament=tournament, version=1, **values)
        call.save(force_insert=True)
        audit.keep([audit.created(call, actor, tournament.event_id)])
    else:
        audit.change(call, actor, tournament.event_id, {**values, "version": call.version + 1})
    return call
