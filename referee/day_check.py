"""Another day than the event's: who wants to write at a table is asked before, once a day.

What was tapped already is taken in any case: a phone that was out of reach sends it the next day.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponseBase

from people.event_days import is_on, today
from referee.pages import TableRequest, page
from tournaments.models import Tournament


def on_the_day(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Ask before a page that leads to an entry is shown, where the event isn't on and something can be
    entered. An organizer, who sets the days, isn't asked.
    """

    @wraps(view)
    def checked(request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.practice is None and is_asked(request):
            is_before = today(request.event) < request.event.starts_on
            return page(request, "other_day", {"event": request.event, "is_before": is_before})
        return view(request, *args, **kwargs)

    return checked


def is_asked(request: TableRequest) -> bool:
    """Whether this phone has to say that it means it; a query on another day alone."""
    event, pairing = request.event, request.actor.pairing
    if pairing is None or event.is_practice or is_on(event) or pairing.other_day == today(event):
        return False
    return event.tournaments.filter(status=Tournament.Status.PUBLISHED).exists()
