"""The pages of the guides, for organizers and for referees."""

from django.http import Http404, HttpRequest, HttpResponse

from people.access import anyone, requires
from publishing import user_guides
from publishing.responses import page
from rendering.text.active_language import reader_language


@requires(anyone)
def guide(request: HttpRequest, reader: str) -> HttpResponse:
    """The guide for organizers or for referees, with its contents; no query."""
    if reader not in user_guides.FILES:
        raise Http404
    shown = user_guides.guide(reader, reader_language())
    return page(request, None, "publishing/guide.html", {"guide": shown, "reader": reader})
