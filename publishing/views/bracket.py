"""The bracket: who meets whom in a knockout, and how it went so far."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from publishing.brackets import brackets
from publishing.responses import stamped_page
from publishing.subjects import PageSubject, shows_tournament


@shows_tournament
def bracket(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The brackets that are drawn; five queries, one for a reader who already has them."""
    if not subject.tournament.has_bracket:
        raise Http404
    return stamped_page(
        request, subject.event, subject.stamp, "publishing/bracket.html", lambda: _context(subject)
    )


def _context(subject: PageSubject) -> dict[str, Any]:
    return {
        "tournament": subject.tournament,
        "is_shown": subject.is_shown,
        "here": "bracket",
        "clock": subject.clock,
        "brackets": brackets(subject),
    }
