"""Proxies before the service: who asks, and whether by HTTPS, as the outermost of ours was asked."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

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
