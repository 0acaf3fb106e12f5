"""A referee's own phone: as whom it writes, what it has entered, and how to give it back."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from people.access import anyone, requires
from people.actors import Actor
from people.display_names import referee_name
from people.event_days import pairing_ends
from people.models import Pairing
from people.pairings import revoke
from referee.pages import page
from referee.post_only import sent_only
from referee.views.pairing import without_secret
from tournaments.models import Table


@requires(anyone)
@require_safe
def phone(request: Any) -> HttpResponseBase:
    """As whom this phone writes, since when, at which event and at which table; or that it isn't paired.

    What it has entered stands on the phone alone: its script shows that here.
    """
    pairing = request.actor.pairing
    if pairing is None:
        return page(request, "my_phone", {"pairing": None})
    context = {"pairing": pairing, "referee": referee_name(pairing.referee), "here": _table_of(pairing)}
    context["ends"] = pairing_ends(pairing)
    with timezone.override(pairing.event.time_zone):
        return page(request, "my_phone", context)


@requires(anyone)
@sent_only("referee:phone", is_at_table=False)
def leave(request: Any) -> HttpResponseBase:
    """Give the pairing back, at once and for good; the next referee goes on at the table where it was."""
    pairing = request.actor.pairing
    if pairing is None:
        return redirect("referee:door")
    revoke(pairing, Actor.of_pairing(pairing))
    messages.success(request, _("This phone isn’t paired any more."))
    table = _table_of(pairing)
    return without_secret(redirect("referee:pair", table.code) if table else redirect("referee:door"))


def _table_of(pairing: Pairing) -> Table | None:
    """The table at which the phone was seen last."""
    if pairing.table_number is None:
        return None
    return Table.objects.filter(event=pairing.event_id, number=pairing.table_number).first()
