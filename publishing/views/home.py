"""The front page: the published events."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from people.access import anyone, requires
from people.models import Event


@requires(anyone)
def home(request: HttpRequest) -> HttpResponse:
    """The events that are published, the newest first."""
    return render(request, "publishing/home.html", {"events": Event.objects.filter(is_published=True)})
