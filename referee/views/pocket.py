"""The engine on the phone: the worker that it runs in, and its modules."""

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from people.access import anyone, requires
from referee.phone_files import RUNTIME
from referee.pocket import modules


@csp_update({"script-src": ["'wasm-unsafe-eval'"]})
@requires(anyone)
@require_safe
def engine(request: HttpRequest) -> HttpResponseBase:
    """The worker's script, which alone may run WebAssembly: a worker has a policy of its own.

    It stands below the service worker's address, so that it finds its parts without a network.
    """
    runtime, wasm = map(static, RUNTIME)
    context = {"runtime": runtime, "wasm": wasm, "modules": reverse("referee:engine-modules")}
    response = render(request, "referee/engine.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@requires(anyone)
@gzip_page
@require_safe
def engine_modules(request: HttpRequest) -> HttpResponseBase:
    """The modules as JSON, nothing of an event; whoever names its ETag hears that nothing has changed."""
    etag = f'"{modules.digest().hex()[:24]}"'
    answer = get_conditional_response(request, etag)
    if answer is None:
        answer = HttpResponse(modules.bundle(), content_type="application/json")
        answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    return answer
