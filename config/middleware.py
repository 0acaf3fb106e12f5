"""Headers of every answer, and its line in the log."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from structlog.contextvars import clear_contextvars

from config import metrics
from config.logs import route_of
from people import request_ids

OUT = "noindex, nofollow"
# Asked for every few seconds by machines, or by every page: only at the level DEBUG.
OFTEN = ("alive", "ready", "work", "static")

logger = logging.getLogger("tendone.request")


class RequestLineMiddleware:
    """Gives each request an id, which the answer bears (`X-Request-ID`), and writes one line about it.

    A proxy may give the id, where there is one. The line says who asked (an id and its kind) only if that was
    found out anyway, and names the route: addresses hold codes.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and write down how it was answered."""
        begun = perf_counter()
        clear_contextvars()
        request_id = given_id(request) or request_ids.new()
        request_ids.begin(request_id)
        response = self.get_response(request)
        response[request_ids.HEADER] = request_id
        seconds = perf_counter() - begun
        route = answered_by(request, response)
        if settings.METRICS_ADDRESS:
            metrics.request(route, method_of(request), response.status_code, seconds, code_of(response))
        often = route in OFTEN or route.startswith("live:")
        level = logging.DEBUG if often and response.status_code < 400 else logging.INFO
        if logger.isEnabledFor(level):
            logger.log(level, "request", extra=told(request, response, route, seconds))
        clear_contextvars()
        return response


def given_id(request: HttpRequest) -> str | None:
    """What a proxy calls the request; nobody else is believed."""
    given = request.headers.get(request_ids.HEADER, "") if settings.TRUSTED_PROXIES else ""
    return request_ids.accepted(given)


def answered_by(request: HttpRequest, response: HttpResponseBase) -> str:
    """The name of the route, or of what answered before any was looked for."""
    if getattr(request, "resolver_match", None) is not None:
        return route_of(request)
    if getattr(response, "is_published", False):
        return "published"
    if request.path_info.startswith(settings.STATIC_URL) and response.status_code < 400:
        return "static"
    return "unknown"


def told(request: Any, response: HttpResponseBase, route: str, seconds: float) -> dict[str, Any]:
    """The fields of a request's line."""
    fields: dict[str, Any] = {
        "method": method_of(request),
        "route": route,
        "status": response.status_code,
        "duration_ms": round(seconds * 1e3, 1),
    }
    if (event := getattr(request, "event", None)) is not None:
        fields["event_id"] = str(event.pk)
    if (actor := getattr(request, "known_actor", None)) is not None:
        fields |= {"actor": str(actor.kind)} | ({"actor_id": str(actor.id)} if actor.id else {})
    return fields


def method_of(request: HttpRequest) -> str:
    """One of the methods that there are; whatever else somebody sends is one more."""
    return request.method if request.method in METHODS else "other"


def code_of(response: Any) -> str | None:
    """The code of a problem of the API."""
    data = getattr(response, "data", None)
    found = data.get("code") if response.status_code >= 400 and isinstance(data, dict) else None
    return found if isinstance(found, str) else None


METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class SearchEnginesMiddleware(MiddlewareMixin):
    """Keeps search engines out of every page, file, feed and answer that doesn't let them in by itself.

    One that may be found says so by `for_search_engines`, as `publishing.responses` does where the organizer
    allows it; what somebody forgets to think of stays out.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Mark an answer."""
        if not getattr(response, "for_search_engines", False):
            response["X-Robots-Tag"] = OUT
        return response


FORBIDDEN_FEATURES = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb"),
)
"""What a browser could offer a page and no page of ours asks for; nobody who got into one could either."""

PROTECTIONS = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FORBIDDEN_FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
    # What doesn't say itself that it may be kept is asked for anew by whoever sits here next.
    "Cache-Control": "private, no-store",
}
"""Headers of every answer that doesn't have its own."""


class ProtectionMiddleware(MiddlewareMixin):
    """Adds to what Django's own middleware says to browsers for safety.

    See docs/development/threat-model.md.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Protect an answer."""
        for name, value in PROTECTIONS.items():
            response.headers.setdefault(name, value)
        return response
