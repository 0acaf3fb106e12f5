"""The keys of the desk: what can be done without a mouse."""

from django.http import HttpResponse
from django.shortcuts import render

from people.access import EventRequest, requires, signed_in


@requires(signed_in)
def keys(request: EventRequest) -> HttpResponse:
    """All of them, and the switch that turns letters off."""
    return render(request, "desk/keys.html", {"here": "keys"})
