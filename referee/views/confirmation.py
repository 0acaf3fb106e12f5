"""A result that somebody else has entered: it is right, or it isn't."""

from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger.errors import ClientIdReusedError, ConflictError
from people.refusals import Refused
from referee.access import at_table
from referee.answers import unreadable
from referee.batches import UnreadableBatchError, client_id_of, version_of
from referee.form_posts import sent_only
from referee.game_lookup import sitting
from referee.pages import TableRequest, page, problem
from referee.views.game import about
from tournaments.commands import confirm as checking
from tournaments.settings.confirmation import DISPUTES, Check


@at_table()
@sent_only("referee:game")
def confirm_result(request: TableRequest, game_id: UUID) -> HttpResponseBase:
    """It is right: from now on it counts."""
    return _say(request, game_id)


@at_table()
@require_http_methods(["GET", "HEAD", "POST"])
def dispute(request: TableRequest, game_id: UUID) -> HttpResponseBase:
    """It isn't right: what is wrong with it, each a tap; the desk then settles it."""
    if request.method == "POST":
        return _say(request, game_id, request.POST.get("reason", ""))
    found = sitting(request, game_id)
    if found.check is not Check.WAITING:
        return redirect("referee:game", request.table.code, game_id)
    return page(request, "dispute", {**about(found), "reasons": DISPUTES.items()})


def _say(request: TableRequest, game_id: UUID, reason: str | None = None) -> HttpResponseBase:
    found = sitting(request, game_id)
    back = reverse("referee:game", args=[request.table.code, game_id])
    try:
        version, key = version_of(request.POST), client_id_of(request.POST)
        sent = (found.match_game, request.actor)
        if reason is None:
            checking.confirm(*sent, expected_version=version, client_id=key)
        else:
            checking.dispute(*sent, reason, expected_version=version, client_id=key)
    except UnreadableBatchError:
        return unreadable(request, back)
    except Refused as refused:
        return problem(request, _("Not stored"), str(refused), refused.status, back)
    except (ConflictError, ClientIdReusedError):
        now = sitting(request, game_id)
        text = _("The result has changed meanwhile. There is now: %(now)s. Look at it, and say it again.")
        return problem(request, _("Not stored"), text % {"now": str(now.asked).rstrip(".")}, 409, back)
    return redirect("referee:match", request.table.code, found.match.pk)
