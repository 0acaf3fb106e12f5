"""The shared clock, set from the board."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.page import expected_version, organizer_post, refused
from ledger.errors import ConflictError
from people.access import EventRequest
from people.number_parsing import whole_number
from people.refusals import Refused
from tournaments.commands import clock as actions
from tournaments.countdown import Phase
from tournaments.models import Clock, Tournament
from tournaments.queries.clocks import clock_of
from tournaments.settings.tournament import MAX_MINUTES

MORE = 60
"""What one press gives, in seconds."""

DONE = {
    "start": gettext_lazy("The clock is running."),
    "pause": gettext_lazy("The clock is paused."),
    "resume": gettext_lazy("The clock goes on."),
    "add": gettext_lazy("There is a minute more."),
    "length": gettext_lazy("The clock is set anew."),
    "ring": gettext_lazy("The bell has been rung."),
    "away": gettext_lazy("The clock is put away."),
}
NOW = {
    Phase.STOPPED: gettext_lazy("No clock is running."),
    Phase.RUNNING: gettext_lazy("The clock is running, with %(left)s left."),
    Phase.PAUSED: gettext_lazy("The clock is paused, with %(left)s left."),
    Phase.RUNG: gettext_lazy("The bell has rung."),
}


@organizer_post
def clock(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Do what a button of the board says, if the clock is still as it was when the board was made."""
    what = request.POST.get("do", "")
    if what not in DONE:
        raise BadRequest("a form without a known button")
    try:
        _do(request, tournament, what, expected_version(request))
    except (Refused, ConflictError) as refusal:
        now = clock_of(tournament)
        return refused(request, refusal, [str(NOW[now.phase]) % {"left": now.left}])
    messages.success(request, str(DONE[what]))
    return HttpResponseRedirect(f"{reverse('desk:board', args=[request.event.slug])}#clock-{tournament.slug}")


def _do(request: EventRequest, tournament: Tournament, what: str, version: int) -> None:
    actor = request.actor
    plain: dict[str, Callable[..., Clock]] = {
        "pause": actions.pause_clock,
        "resume": actions.resume_clock,
        "ring": actions.ring_bell,
        "away": actions.put_clock_away,
    }
    if what == "start":
        round, wave = _wave(request)
        actions.start_clock(
            tournament, actor, seconds=_seconds(request), round=round, wave=wave, expected_version=version
        )
    elif what == "add":
        actions.add_time(tournament, actor, MORE, expected_version=version)
    elif what == "length":
        actions.set_length(tournament, actor, _seconds(request), expected_version=version)
    else:
        plain[what](tournament, actor, expected_version=version)


def _seconds(request: EventRequest) -> int:
    """The minutes that were filled in, as seconds."""
    minutes = whole_number(request.POST.get("minutes", "").strip(), MAX_MINUTES)
    if not minutes:
        expected = _("A whole number from %(low)d to %(high)d is expected.") % {"low": 1, "high": MAX_MINUTES}
        raise Refused("wrong-minutes", _("How many minutes?") + " " + expected, status=422)
    return minutes * 60


def _wave(request: EventRequest) -> tuple[int | None, int | None]:
    """The round and wave that were chosen; nothing chosen is whatever is played now."""
    text = request.POST.get("at", "")
    if not text:
        return None, None
    round, _dot, wave = text.partition(".")
    chosen = whole_number(round), whole_number(wave)
    if None in chosen:
        raise BadRequest("a form with a round that can't be")
    return chosen
