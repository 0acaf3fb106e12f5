"""A result that somebody else has entered: it is right, or it isn't."""

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger.errors import ClientIdReusedError, ConflictError
from people.refusals import Refused
from referee.access import at_table
from referee.batches import client_id_of, version_of
from referee.game_decorators import takes_entry, with_game
from referee.game_lookup import find_table_game
from referee.pages import TableRequest, page, problem
from referee.table_game import TableGame
from referee.views.game_result import about
from tournaments.commands import confirm as checking
from tournaments.settings.confirmation import DISPUTES, Check


@takes_entry
def confirm_result(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """It is right: from now on it counts."""
    return _say(request, found)


@at_table()
@require_http_methods(["GET", "HEAD", "POST"])
@with_game
def dispute(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """It isn't right: what is wrong with it, each a tap; the desk then settles it."""
    if request.method == "POST":
        return _say(request, found, request.POST.get("reason", ""))
    if found.check is not Check.WAITING:
        return redirect("referee:game", request.table.code, found.row.pk)
    return page(request, "dispute", {**about(found), "reasons": DISPUTES.items()})


def _say(request: TableRequest, found: TableGame, reason: str | None = None) -> HttpResponseBase:
    back = reverse("referee:game", args=[request.table.code, found.row.pk])
    version, key = version_of(request.POST), client_id_of(request.POST)
    sent = (found.match_game, request.actor)
    try:
        if reason is None:
            checking.confirm(*sent, expected_version=version, client_id=key)
        else:
            checking.dispute(*sent, reason, expected_version=version, client_id=key)
    except Refused as refused:
        return problem(request, _("Not stored"), str(refused), refused.status, back)
    except (ConflictError, ClientIdReusedError):
        now = find_table_game(request, found.row.pk)
        text = _("The result has changed meanwhile. There is now: %(now)s. Look at it, and say it again.")
        return problem(request, _("Not stored"), text % {"now": str(now.asked).rstrip(".")}, 409, back)
    return redirect("referee:match", request.table.code, found.match.pk)
