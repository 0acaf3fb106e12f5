"""Middleware: who asks, the headers of every answer and its line in the log, published pages."""

import logging
import re
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bind_contextvars, clear_contextvars

from config import metrics
from people import request_ids
from people.actors import Actor
from people.pairings import pairing_of_request
from publishing import page_store
from publishing.errors import NOT_ALLOWED, error_response
from publishing.response_marks import marks_of
from publishing.responses import published_answer

OUT = "noindex, nofollow"
GIVEN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
# Asked for every few seconds by machines, or by every page: only at the level DEBUG.
OFTEN = ("alive", "ready", "work", "static")

logger = logging.getLogger("tendone.request")


FOR = "HTTP_X_FORWARDED_FOR"
PROTO = "HTTP_X_FORWARDED_PROTO"


def outermost(written: str, proxies: int) -> str:
    """What the outermost of so many proxies wrote into a header to which each adds at its end.

    What stands before that, anybody may have written. Where there are fewer entries, one of the proxies
    passed on what it was given, as is usual with the scheme.
    """
    entries = [entry.strip() for entry in written.split(",")]
    return entries[max(len(entries) - proxies, 0)]


class ProxiesMiddleware(MiddlewareMixin):
    """Puts the address of who asks into `REMOTE_ADDR`, and the scheme alone into `X-Forwarded-Proto`.

    `TRUSTED_PROXIES` says how many proxies stand in a row before the service; without any, both headers are
    whatever the client wrote, and nobody reads them.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Make the request what it was when the outermost proxy got it."""
        if settings.TRUSTED_PROXIES:
            if FOR in request.META:
                request.META["REMOTE_ADDR"] = outermost(request.META[FOR], settings.TRUSTED_PROXIES)
            if PROTO in request.META:
                request.META[PROTO] = outermost(request.META[PROTO], settings.TRUSTED_PROXIES)


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
        # What a proxy calls the request, nobody else being believed; else a fresh id that can be read out.
        given = request.headers.get(request_ids.HEADER, "") if settings.TRUSTED_PROXIES else ""
        request_id = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(6)
        bind_contextvars(**{request_ids.FIELD: request_id})
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


def answered_by(request: HttpRequest, response: HttpResponseBase) -> str:
    """The name of the route, or of what answered before any was looked for."""
    if (match := getattr(request, "resolver_match", None)) is not None:
        return str(match.view_name)
    if marks_of(response).is_published:
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
    """The method of a request; `other` for whatever isn't in `METHODS`."""
    return request.method if request.method in METHODS else "other"


def code_of(response: Any) -> str | None:
    """The code of a problem of the API."""
    data = getattr(response, "data", None)
    found = data.get("code") if response.status_code >= 400 and isinstance(data, dict) else None
    return found if isinstance(found, str) else None


METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


FORBIDDEN_FEATURES = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb"),
)
"""Features of a browser that no page of ours uses; a stranger's script in a page couldn't use them either."""

PROTECTIONS = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FORBIDDEN_FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
    # What doesn't say itself that it may be kept is asked for anew by whoever sits here next.
    "Cache-Control": "private, no-store",
}
"""Headers of every answer that doesn't have its own."""


class ProtectionMiddleware(MiddlewareMixin):
    """Adds to what Django's own middleware says to browsers for safety, see docs/development/threat-model.md.

    Keeps search engines out of every page, file, feed and answer that doesn't let them in by itself. One that
    may be found says so by a mark (`publishing.response_marks`), as `publishing.responses` does where the
    organizer allows it; what somebody forgets to think of stays out.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Protect an answer."""
        for name, value in PROTECTIONS.items():
            response.headers.setdefault(name, value)
        if not marks_of(response).for_search_engines:
            response["X-Robots-Tag"] = OUT
        return response


class PublishedPagesMiddleware:
    """Answers with the page of the store, where there is one; else it passes the request on.

    It comes before sessions and accounts: such an answer costs no query and no rendering.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if settings.DEBUG:
            # Whoever changes a view or a template wants to see that change.
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The published page, or the answer of what comes after."""
        if request.method in ("GET", "HEAD") and not request.META.get("QUERY_STRING"):
            # Refuses hosts that aren't the service's, as all other pages do.
            request.get_host()
            page = page_store.get(request.path_info)
            if page is not None:
                return published_answer(request, page)
        return self.get_response(request)


def actor_of_request(request: Any) -> Actor:
    """Who asks: the signed-in account, also on a paired phone; else the paired phone, or nobody known."""
    if request.user.is_authenticated:
        return Actor.of_account(request.user)
    pairing = pairing_of_request(request)
    return Actor.of_pairing(pairing) if pairing else Actor.public()


class ActorMiddleware(MiddlewareMixin):
    """Sets `request.actor`; costs no query on pages that never ask. Once one has, `request.known_actor` is
    there, too.
    """

    def process_request(self, request: Any) -> None:
        """Leave the actor on the request."""

        def find() -> Actor:
            request.known_actor = actor_of_request(request)
            found: Actor = request.known_actor
            return found

        request.actor = SimpleLazyObject(find)


class NotAllowedMiddleware:
    """Gives a page to Django's empty 405, for an address that is opened by a method that it doesn't take."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; a 405 becomes a page."""
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        shown = error_response(request, NOT_ALLOWED)
        shown["Allow"] = response["Allow"]
        return shown
