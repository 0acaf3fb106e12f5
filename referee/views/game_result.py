"""A game by its result: who won, then exactly what is about to be entered."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from games.engine import Refusal, event_to_json
from games.engine.events import GameClosed, HandShown
from games.engine.state import SHOW
from games.engine.transitions.closing import unshown
from referee.batches import SentBatch
from referee.bell_count import cards_of as bell_cards
from referee.card_count import CountedHand, carried, counted_hands, counter
from referee.ending_from_address import counts, ending_of
from referee.game_decorators import leads_to_entry
from referee.offers import can_be
from referee.pages import TableRequest, page
from referee.ranked_sides import ranked_sides
from referee.sentences import entry_text
from referee.table_game import TableGame
from tournaments.models import Tournament
from tournaments.queries.confirmation import may_confirm
from tournaments.queries.matches import is_decided_by_confirmed
from tournaments.settings.bell import bell_rule
from tournaments.settings.confirmation import ORGANIZER, Check, confirmation_rule


@leads_to_entry
def game(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """Who won? A game whose cards are written down goes on with its cards."""
    if found.is_by_cards and not found.state.over and found.is_needed:
        return redirect("referee:cards", request.table.code, found.row.pk)
    return game_page(request, found)


def game_page(
    request: TableRequest, found: TableGame, refusal: Refusal | None = None, status: int = 200
) -> HttpResponse:
    """The page of a game's result."""
    waits = found.check is Check.WAITING
    context = {
        "why": found.why(refusal),
        "has_rung": not found.state.over and found.rang(),
        "is_needed": found.is_needed,
        "is_decided": not found.is_needed and is_decided_by_confirmed(found.match_game),
        "may_confirm": waits and may_confirm(found.match_game, request.actor),
        "is_for_the_desk": confirmation_rule(found.match.stage.tournament.settings) == ORGANIZER,
    }
    if found.ranks_sides and not found.state.over:
        context |= _ranking(found, "result", {})
    return page(request, "game", {**about(found), **context}, status)


def _ranking(found: TableGame, reason: str, query: Mapping[str, str]) -> dict[str, Any]:
    """What the form needs in which the places at a table are entered."""
    return {
        "ranked": ranked_sides(found, query),
        "ranking": json.dumps({"type": "game_closed", "reason": reason, "winner": None}),
        "reason": reason,
        "counts_points": found.state.ruleset.counts_points,
    }


@leads_to_entry
def places(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """Who came where, by `?reason=` (none: played to the end), as far as the address fills it in.

    With `?by=points` the points of each are asked for, which give the places.
    """
    reason = request.GET.get("reason", "result")
    if found.state.over or not found.ranks_sides or reason not in ("result", "time"):
        return redirect("referee:game", request.table.code, found.row.pk)
    by_points = request.GET.get("by") == "points" and found.state.ruleset.counts_points
    here = [seat for seat in range(len(found.seat_teams)) if seat not in found.absent_seats]
    seated = found.seated(here) if by_points else []
    context = {
        **about(found),
        **_ranking(found, reason, request.GET),
        "seated": seated,
        "absent": sorted(found.people.absent),
    }
    return page(request, "places", context)


def about(found: TableGame) -> dict[str, Any]:
    """What the templates of one game need."""
    tournament = found.match.stage.tournament
    return {
        "table_game": found,
        "game": found.match_game,
        "match_id": found.match.pk,
        "tournament": tournament,
        "clock": found.clock,
        "is_open": tournament.status == Tournament.Status.PUBLISHED,
        "shares": bell_rule(tournament.settings) == "point_each",
        "client_id": uuid4(),
    }


@leads_to_entry
def end(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """The other ends: by the bell, because one side isn't there, or broken off."""
    if found.state.over:
        return redirect("referee:game", request.table.code, found.row.pk)
    return page(request, "end", about(found))


@leads_to_entry
def confirm(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """Exactly what is about to be entered: `?reason=`, `?team=` (none: nobody wins) and perhaps `?seat=`."""
    ending = ending_of(found, request.GET)
    if found.state.over or ending is None or not can_be(found.state, ending):
        return redirect("referee:game", request.table.code, found.row.pk)
    team = next((team for team in found.teams if str(team.pk) == request.GET.get("team")), None)
    batch = SentBatch(found.row.version, ((uuid4(), event_to_json(ending)),))
    counted = counted_hands(found, ending, request.GET) if counts(found, ending) else []
    sides = len(found.match_game.sides)
    winner = None if ending.winner is None else ending.winner % sides
    sides_of = [(hand, hand.seat % sides) for hand in counted]
    context = {
        **about(found),
        "ending": entry_text(ending, found.people).parts,
        "team": team,
        "others": [other for other in found.teams if other != team],
        "reason": ending.reason,
        "players": found.seats_of(team) if team and not found.names_seats else [],
        "winner": found.people.names[ending.winner]
        if found.names_seats and ending.winner is not None
        else "",
        "seat": ending.winner,
        "counted": [
            (hand, side, found.asks_absent and side != winner, side in found.people.absent)
            for hand, side in sides_of
        ],
        "lacking": _lacking(ending, counted),
        "carried": urlencode(carried(request.GET, "hand-")),
        "fields": batch.fields(),
    }
    return page(request, "confirm", context)


@leads_to_entry
def count(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """The cards that are left with seat `?of=`, tapped one after another (`?card=`), and what they count.

    Where the game waits for hands to be shown it enters one. Else it leads back, with the cards of the hand
    in the address. That is to the bell's count (`?bell=`), or to the confirmation of the end that the address
    names.
    """
    query = request.GET
    if found.state.over:
        seats: dict[int, int | None] = {}
    elif "bell" in query:
        seats = {seat: bell_cards(query, seat) for seat in range(len(found.seat_teams))}
        seats = {seat: cards for seat, cards in seats.items() if cards is not None}
    elif found.state.phase == SHOW:
        seats = dict.fromkeys(unshown(found.state))
    else:
        ending = ending_of(found, query)
        is_counted = ending is not None and counts(found, ending)
        hands = counted_hands(found, ending, query) if ending is not None and is_counted else []
        seats = {each.seat: None for each in hands if each.query}
    of = next((seat for seat in seats if str(seat) == query.get("of")), None)
    if of is None:
        return redirect("referee:game", request.table.code, found.row.pk)
    given = counter(found, of, query, seats[of])
    context: dict[str, Any] = {**about(found), "counter": given}
    if "bell" not in query and found.state.phase == SHOW:
        batch = SentBatch(found.row.version, ((uuid4(), event_to_json(HandShown(of, given.cards))),))
        return page(request, "count", {**context, "is_shown": True, "fields": batch.fields()})
    to, names = ("bell", ("cards-", "points-")) if "bell" in query else ("confirm", ())
    others = [pair for pair in carried(query, *names) if pair[0] not in (given.field, f"points-{of}")]
    address = reverse(f"referee:{to}", args=[request.table.code, found.row.pk])
    return page(request, "count", {**context, "fields": others, "to": address, "query": urlencode(others)})


def _lacking(ending: GameClosed, counted: Sequence[CountedHand]) -> str:
    """Why hands that were counted give nobody points yet: `winner` (it isn't said whose they are), `hands`
    (others aren't counted), or nothing.
    """
    if ending.reason != "result" or any(each.value for each in counted):
        return ""
    if not any(each.hand for each in counted):
        return ""
    return "winner" if ending.winner is None else "hands"
