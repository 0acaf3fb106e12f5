"""The answer to the question whether real results are entered on another day than the event's."""

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from people.event_days import today
from people.models import Pairing
from referee.access import at_table
from referee.pages import TableRequest
from referee.post_only import sent_only


@at_table()
@sent_only("referee:table")
def other_day(request: TableRequest) -> HttpResponseBase:
    """Yes: this phone isn't asked again today. Goes on where it was asked (`next`)."""
    if request.actor.pairing is not None:
        Pairing.objects.filter(pk=request.actor.pairing.pk).update(other_day=today(request.event))
    wanted = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) and wanted.startswith("/"):
        return redirect(wanted)
    return redirect("referee:table", request.table.code)
