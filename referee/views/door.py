"""The referees' entrance: a table's code is typed, or a known phone is led to its next table."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from people.access import anyone, requires
from referee.access import refuse_guessing
from referee.pages import door as door_page
from tournaments.commands.table_cards import find_card, normalized


@requires(anyone)
@require_safe
def door(request: HttpRequest) -> HttpResponseBase:
    """Ask for the code; with `?code=` go to its table. Who is a referee here sees where one is needed."""
    typed = request.GET.get("code", "")
    if not normalized(typed):
        return door_page(request)
    card = find_card(typed)
    if refused := refuse_guessing(request, typed, card):
        return refused
    if card is None:
        return door_page(request, typed, 404)
    # An old code leads to the page that says so.
    return redirect("referee:table", card.table.code if card.is_current else normalized(typed))
