"""Decorators of views about one game at a table, which get the game in place of its id."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.logbook import expect_followed
from referee.access import at_table
from referee.answers import unreadable
from referee.batches import UnreadableBatchError
from referee.day_check import on_the_day
from referee.game_lookup import find_table_game
from referee.post_only import sent_only
from referee.table_game import TableGame

View = Callable[..., HttpResponseBase]


def with_game(view: View) -> View:
    """Look the game up; where what was sent can't be read, say so and lead back to its page."""

    @wraps(view)
    def checked(request: Any, game_id: UUID) -> HttpResponseBase:
        try:
            return view(request, find_table_game(request, game_id))
        except UnreadableBatchError:
            return unreadable(request, reverse("referee:game", args=[request.table.code, game_id]))

    return checked


def leads_to_entry(view: View) -> Any:
    """A page that leads to an entry. On another day than the event's it is asked whether that is meant. Of a
    game that is set aside it is said that nothing can be entered.
    """

    @wraps(view)
    def checked(request: Any, found: TableGame) -> HttpResponseBase:
        expect_followed(found.row)
        return view(request, found)

    return at_table()(on_the_day(require_safe(with_game(checked))))


def takes_entry(view: View) -> Any:
    """An address that only takes what a form sends; who opens it by itself is led to the game."""
    return at_table()(sent_only("referee:game")(with_game(view)))
