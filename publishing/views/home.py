"""The front page, and what search engines are told."""

from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from people.access import anyone, requires
from people.models import Event
from publishing.responses import page


@requires(anyone)
def home(request: HttpRequest) -> HttpResponse:
    """The published events, the newest first; straight to the one that is on, unless `?all` are asked for.

    Practice events are shown only as long as there is nothing else, so that a rehearsal looks like the day.
    """
    published = list(Event.objects.filter(is_published=True))
    events = [event for event in published if not event.is_practice] or published
    on = [event for event in events if is_on(event)]
    if len(on) == 1 and "all" not in request.GET:
        return HttpResponseRedirect(reverse("publishing:event", args=[on[0].slug]))
    return page(request, None, "publishing/home.html", {"events": events, "on": on})


def is_on(event: Event) -> bool:
    """Whether the event is held today, where it is held."""
    today = timezone.localdate(timezone=ZoneInfo(event.time_zone))
    return event.starts_on <= today <= event.ends_on


@requires(anyone)
def robots(request: HttpRequest) -> HttpResponse:
    """Search engines stay out of everything but the events whose organizers let them in."""
    let_in = Event.objects.filter(is_published=True, allow_search_engines=True).values_list("slug", flat=True)
    lines = ["User-agent: *"]
    for slug in let_in:
        for language, _name in settings.LANGUAGES:
            with override(language):
                lines.append(f"Allow: {reverse('publishing:event', args=[slug])}")
    lines.append("Allow: /static/")
    lines.append("Disallow: /")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@requires(anyone)
def mark(request: HttpRequest) -> HttpResponseRedirect:
    """The sign of the service where browsers look for it beside what isn't a page, such as a PDF."""
    return HttpResponseRedirect(static("img/mark.svg"))
