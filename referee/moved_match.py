"""Answers where a match or game can't be played at a table: it was moved, is gone, or can't be followed."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _

from people.refusals import id_is_taken
from referee.answers import not_saved, wants_json
from referee.pages import page, problem
from tournaments.commands.results import not_followed
from tournaments.models import Table


class ElsewhereError(Exception):
    """Asked for at one table, played at another of the same event; `game` None means the whole match."""

    def __init__(self, table: Table, match: UUID, game: UUID | None = None) -> None:
        super().__init__(f"at table {table.number}")
        self.table = table
        self.match = match
        self.game = game


def moved(request: Any, elsewhere: ElsewhereError) -> HttpResponse:
    """Where it is played now, and the way there."""
    now = {"now_at": elsewhere.table, "moved_match": elsewhere.match, "moved_game": elsewhere.game}
    return page(request, "moved", now)


def taken(request: Any) -> HttpResponse:
    """The id of the match or game is something else's, so nothing can be recorded for it."""
    text = id_is_taken()
    if wants_json(request):
        return not_saved("id-taken", text, 409)
    return problem(request, _("This can’t be entered now"), text, 409)


def not_playable(request: Any) -> HttpResponse:
    """The engine can't follow the game, so nothing can be entered."""
    refused = not_followed()
    if wants_json(request):
        return not_saved(refused.code, str(refused), refused.status)
    return problem(request, _("This can’t be entered now"), str(refused), refused.status)


def gone(request: Any) -> HttpResponse:
    """There is no such match or game in this event: the draw was changed since the page was opened."""
    title = _("This isn’t played any more")
    text = _(
        "The draw was changed after this page was opened, and this match is no part of it now. Nothing was "
        "stored. See what is on at the table; if a result is missing, tell the desk."
    )
    if wants_json(request):
        return not_saved("not-here", text, 404)
    return problem(request, title, text, 404)
