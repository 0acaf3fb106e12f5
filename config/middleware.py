"""What every answer of the service bears, whoever gives it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

OUT = "noindex, nofollow"


class SearchEnginesMiddleware:
    """Keeps search engines out of every page, file, feed and answer that doesn't let them in by itself.

    One that may be found says so by `for_search_engines`, as `publishing.answers` does where the organizer
    allows it; what somebody forgets to think of stays out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, and mark its answer."""
        response = self.get_response(request)
        if not getattr(response, "for_search_engines", False):
            response["X-Robots-Tag"] = OUT
        return response
