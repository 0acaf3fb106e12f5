"""Lookup of games by the requests of a referee's phone."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.http import Http404

from games.models import Seat
from people.display_names import NameBook
from people.models import Team
from referee.moved_match import ElsewhereError
from referee.pages import TableRequest, viewer
from referee.table_game import TableGame
from tournaments.models import MatchGame
from tournaments.queries.round_names import drawn_round, round_name


def find_table_game(request: TableRequest, game_id: UUID) -> TableGame:
    """The game of that id; four queries, none at the practice table.

    An entry belongs to its game, whatever table it was made at. Where a match was moved meanwhile, what is
    sent is taken. What is looked at raises ElsewhereError. Http404 if the event has no such game.
    """
    if request.practice is not None:
        return request.practice.table_game(game_id)
    found = find_table_games(request, [game_id])
    if not found:
        raise Http404
    match = found[0].match
    if match.table_id != request.table.pk and request.method != "POST":
        raise ElsewhereError(match.table, match.pk, game_id)
    return found[0]


def find_table_games(request: TableRequest, game_ids: Collection[UUID]) -> list[TableGame]:
    """Those of these games that are the event's, by number; four queries, however many they are."""
    rows: list[Any] = list(
        MatchGame.objects.select_related(
            "game", "match__stage__tournament__event", "match__stage__tournament__clock", "match__table"
        )
        .annotate(**drawn_round("match__stage", "match__round"))
        .filter(game_id__in=game_ids, match__stage__tournament__event=request.event)
        .order_by("number")
    )
    seats: dict[UUID, list[Seat]] = {row.game_id: [] for row in rows}
    for seat in Seat.objects.filter(game__in=seats).order_by("number"):
        seats[seat.game_id].append(seat)
    everybody = [seat for seated in seats.values() for seat in seated]
    teams = Team.objects.order_by().in_bulk({seat.team for seat in everybody})
    names = NameBook(viewer(request), [seat.entry for seat in everybody])
    return [TableGame(row, seats[row.game_id], teams, names, _round_title(row)) for row in rows]


def _round_title(row: Any) -> str:
    """What is played in the match of a row that has its round's title; empty where there is none."""
    if not row.round_title:
        return ""
    return round_name(row.match.round, row.round_title, row.round_values, row.match.slot)
