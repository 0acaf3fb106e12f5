"""The bracket: who meets whom in a knockout, and how it went so far."""

from django.http import Http404, HttpRequest, HttpResponse

from publishing.brackets import brackets
from publishing.responses import tournament_page
from publishing.subjects import PageSubject, shows_tournament


@shows_tournament
def bracket(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The brackets that are drawn; five queries, one for a reader who already has them."""
    if not subject.tournament.has_bracket:
        raise Http404
    return tournament_page(
        request, subject, "bracket", subject.stamp, lambda: {"brackets": brackets(subject)}
    )
