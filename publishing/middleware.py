"""Published pages are answered before anybody is asked who reads them: no session, no query, no rendering."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from publishing import published_pages
from publishing.responses import published_answer


class PublishedPagesMiddleware:
    """Answers with the page of the store, where there is one; else it passes the request on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The published page, or what the others say."""
        if request.method in ("GET", "HEAD") and not request.META.get("QUERY_STRING"):
            # Refuses hosts that aren't the service's, as all other pages do.
            request.get_host()
            page = published_pages.get(request.path_info)
            if page is not None:
                return published_answer(request, page)
        return self.get_response(request)
