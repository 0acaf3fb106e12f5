"""Rows that the desk's addresses name: tournaments, teams, entries, games, phones and others of an event."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from integrations.models import Webhook
from people.models import Entry, Event
from tournaments.models import Match, MatchGame, Tournament


def tournaments_of(event: Event) -> QuerySet[Tournament]:
    """All tournaments of an event, with their clocks."""
    return event.tournaments.select_related("event", "clock")


class NotDrawnError(Http404):
    """The event's draws, as they are now, have no match or game of this id."""


def entries_of(event: Event) -> QuerySet[Entry]:
    """All entries of an event, with their teams and persons."""
    return Entry.objects.filter(team__event=event).select_related("team", "person")


def matches_of(event: Event) -> QuerySet[Match]:
    """All matches of an event, with their tables and tournaments."""
    rows = Match.objects.filter(stage__tournament__event=event)
    return rows.select_related("table", "stage__tournament__event")


def find_match_row(event: Event, match_id: UUID) -> Match:
    """A match of the event; raises NotDrawnError where no draw has it."""
    row = matches_of(event).filter(pk=match_id).first()
    if row is None:
        raise NotDrawnError
    return row


def _games_of(event: Event) -> QuerySet[MatchGame]:
    rows = MatchGame.objects.filter(match__stage__tournament__event=event)
    return rows.select_related("game", "match__table", "match__stage__tournament__event")


ROWS: Final[Mapping[str, tuple[str, str, Callable[[Event], QuerySet[Any]]]]] = {
    "tournament_slug": ("tournament", "slug", tournaments_of),
    "team_id": ("team", "pk", lambda event: event.teams.select_related("event")),
    "entry_id": ("entry", "pk", lambda event: entries_of(event).select_related("team__event")),
    "game_id": ("game", "game_id", _games_of),
    "pairing_id": ("pairing", "pk", lambda event: event.pairings.select_related("referee", "event")),
    "announcement_id": ("announcement", "pk", lambda event: event.announcements.select_related("event")),
    "webhook_id": ("webhook", "pk", lambda event: Webhook.objects.filter(event=event)),
}
"""By argument of an address: the view's argument, the column that has its value, and the rows."""


def find_rows(event: Event, address: Mapping[str, Any]) -> dict[str, Any]:
    """A view's arguments: the row for each argument of the address that names one, the others as they are.

    Raises Http404 where there is no such row; for a game it is NotDrawnError.
    """
    found = {}
    for argument, value in address.items():
        if argument in ROWS:
            name, column, rows_of = ROWS[argument]
            try:
                found[name] = get_object_or_404(rows_of(event), **{column: value})
            except Http404 as missing:
                raise NotDrawnError if argument == "game_id" else missing from missing
        else:
            found[argument] = value
    return found


def find_by_id(rows: QuerySet[Any], text: str) -> Any:
    """The one row of an id that a form has written, or 404."""
    try:
        return get_object_or_404(rows, pk=UUID(text))
    except ValueError as error:
        raise Http404 from error
