"""The referee's pages as an app on the phone: its manifest, and the worker that opens them offline."""

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from people.access import anyone, requires
from referee.phone_files import ASSETS, RUNTIME, edition
from rendering.text.active_language import reader_language

INK = "#17132a"


@requires(anyone)
@require_safe
def manifest(request: HttpRequest) -> HttpResponseBase:
    """What a phone calls the app, and how it looks there."""
    sizes = {"img/icon-192.png": "192x192", "img/icon-512.png": "512x512"}
    icons = [
        {"src": static(path), "sizes": size, "type": "image/png", "purpose": "any maskable"}
        for path, size in sizes.items()
    ]
    body = {
        "name": _("Tendone for referees"),
        "short_name": "Tendone",
        "lang": get_language(),
        "start_url": reverse("referee:door"),
        "scope": reverse("referee:door"),
        "display": "standalone",
        "background_color": INK,
        "theme_color": INK,
        "icons": [*icons, {"src": static("img/mark.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(body, content_type="application/manifest+json")


@requires(anyone)
@require_safe
def worker(request: HttpRequest) -> HttpResponseBase:
    """The service worker of the pages below its own address; a new one as soon as it keeps something else."""
    context = {
        "version": edition(reader_language()),
        "assets": [static(path) for path in ASSETS],
        "later": [reverse("referee:engine"), reverse("referee:engine-modules"), *map(static, RUNTIME)],
        "shell": reverse("referee:offline"),
    }
    response = render(request, "referee/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response
