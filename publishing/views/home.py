"""The front page, and what search engines are told."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import override

from people.access import anyone, requires
from people.models import Event
from publishing.answers import page


@requires(anyone)
def home(request: HttpRequest) -> HttpResponse:
    """The published events, the newest first; practice events are nobody's business here."""
    events = Event.objects.filter(is_published=True, is_practice=False)
    return page(request, None, "publishing/home.html", {"events": list(events)})


@requires(anyone)
def robots(request: HttpRequest) -> HttpResponse:
    """Search engines stay out of everything but the events whose organizers let them in."""
    let_in = Event.objects.filter(is_published=True, allow_search_engines=True).values_list("slug", flat=True)
    lines = ["User-agent: *"]
    for slug in let_in:
        for language in ("it", "en"):
            with override(language):
                lines.append(f"Allow: {reverse('publishing:event', args=[slug])}")
    lines.append("Allow: /static/")
    lines.append("Disallow: /")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
