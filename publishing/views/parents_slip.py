"""The parent's slip: its page behind the private code, and where the code is typed.

Whoever has the code may see the page, and nobody else can find it. Answers are kept by nobody, and tell no
other site where one came from. No code is written into our logs. A code that is typed is sent in a form's
body.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from people.access import anyone, requires
from people.check_in import as_written, entry_for
from people.client_network import place_of
from people.display_names import name_for_family
from people.models import Entry
from people.rate_limits import RateLimitedError
from publishing.live_marks import live
from publishing.parents_slip import told_of

_PRIVATE = {
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}


@requires(anyone)
@require_safe
def slip(request: HttpRequest, slip: str) -> HttpResponseBase:
    """What the slip of this code tells."""
    entry = _entry(request, slip, 404)
    if isinstance(entry, HttpResponse):
        return entry
    event = entry.team.event
    fresh = live("outcomes", event.pk)
    context = {
        **fresh,
        "event": event,
        "entry": entry,
        "name": name_for_family(entry),
        "told": told_of(entry),
        "path": request.get_full_path(),
    }
    with timezone.override(event.time_zone):
        return _private(render(request, "publishing/slip.html", context))


@requires(anyone)
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest) -> HttpResponseBase:
    """Where a code is typed off a slip."""
    if request.method != "POST":
        return _door(request)
    typed = as_written(request.POST.get("code", ""))
    entry = _entry(request, typed, 422, typed)
    return entry if isinstance(entry, HttpResponse) else _private(redirect("slip:slip", typed))


def _entry(request: HttpRequest, code: str, status: int, typed: str = "") -> Entry | HttpResponse:
    """The entry whose slip has this code; else the page that asks for a code, with this status."""
    try:
        entry = entry_for(code, place_of(request))
    except RateLimitedError as refused:
        answer = _door(request, str(refused), refused.status)
        answer["Retry-After"] = str(refused.wait)
        return answer
    unknown = _(
        "No slip has this code. Look at it once more; if it is right, it doesn’t count any more: ask the "
        "desk."
    )
    return entry or _door(request, unknown, status, typed)


def _door(request: HttpRequest, error: str = "", status: int = 200, typed: str = "") -> HttpResponse:
    context = {"error": error, "typed": typed}
    answer = _private(render(request, "publishing/slip_door.html", context, status=status))
    # Without any referrer a browser sends forms from nowhere, and these are refused as another site's.
    answer["Referrer-Policy"] = "same-origin"
    return answer


def _private(response: HttpResponse) -> HttpResponse:
    for name, value in _PRIVATE.items():
        response[name] = value
    # Django writes the address of what isn't found into the log: here the address is the secret.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response
