"""Results that wait for the desk's word: confirmed one by one or together, and disputes that are settled."""

from collections.abc import Callable
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.outcome_text import now
from desk.page import client_id, done, expected_version, organizer_post, refused
from ledger.errors import ConflictError
from people.access import EventRequest
from tournaments.commands.confirm import confirm, confirm_several, keep
from tournaments.models import MatchGame, Tournament


@organizer_post
def confirm_result(request: EventRequest, game: MatchGame) -> HttpResponse:
    """One result is right, as the page has shown it."""
    return _say(request, game, confirm, _("Confirmed: it counts."))


@organizer_post
def keep_result(request: EventRequest, game: MatchGame) -> HttpResponse:
    """A disputed result is right as it is."""
    return _say(request, game, keep, _("The result stays, and counts."))


def _say(request: EventRequest, game: MatchGame, action: Callable[..., object], said: str) -> HttpResponse:
    try:
        action(game, request.actor, expected_version=expected_version(request), client_id=client_id(request))
    except ConflictError as conflict:
        return refused(request, conflict, now(game))
    return done(request, said, "match", game.match_id)


@organizer_post
def confirm_all(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """All results that the page has listed, each as it was then; what has changed since is left."""
    confirmed, left = confirm_several(tournament, request.actor, _read(request))
    told = ngettext("%(count)d result is confirmed.", "%(count)d results are confirmed.", len(confirmed))
    sentences = [told % {"count": len(confirmed)}]
    if left:
        changed = ngettext(
            "%(count)d has changed meanwhile: look at it.",
            "%(count)d have changed meanwhile: look at them.",
            len(left),
        )
        sentences.append(changed % {"count": len(left)})
    return done(request, " ".join(sentences), "board")


def _read(request: EventRequest) -> dict[UUID, int]:
    """The games of the form with the versions that were seen: `result` is `<game>:<version>`."""
    found = {}
    for text in request.POST.getlist("result"):
        game, _colon, version = text.partition(":")
        try:
            found[UUID(game)] = int(version)
        except ValueError as error:
            raise BadRequest("a result without its version") from error
    return found
