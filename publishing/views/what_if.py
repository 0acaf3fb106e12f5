"""The what-if page: a form, and the standings that would follow. Nothing is stored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from people.refusals import Refused
from publishing.errors import ErrorPage, error_response
from publishing.responses import page
from publishing.subjects import PageSubject, shows_tournament
from tournaments.models import Tournament
from tournaments.queries.what_if import standings_if

NOT_ITS_SIDE = ErrorPage(
    400,
    _("That team doesn’t play in this game"),
    _("A game can only be won by one of those who play it."),
    _("Go back and choose again."),
)


@shows_tournament
def what_if(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The games that are next with who is thought to win them (`?<game>=<team>`); six queries."""
    tournament = subject.tournament
    context: dict[str, Any] = {"tournament": tournament, "here": "what-if"}
    if tournament.status == Tournament.Status.PUBLISHED and tournament.choice.ranks_teams:
        try:
            context["what_if"] = standings_if(tournament, request.GET.dict())
        except Refused:
            return error_response(request, NOT_ITS_SIDE)
    return page(request, subject.event, "publishing/what_if.html", context)
