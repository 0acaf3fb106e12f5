"""The bell ended it: count what is left in the hands, and see who has won."""

from urllib.parse import urlencode

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from referee.bell_count import card_values, count
from referee.card_count import with_points
from referee.game_decorators import leads_to_entry
from referee.pages import TableRequest, page
from referee.ranked_sides import places_by_bell
from referee.table_game import TableGame
from referee.views.game_result import about
from tournaments.models import Tournament
from tournaments.settings.bell import bell_rule
from tournaments.standings import BellVerdict


@leads_to_entry
def bell(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """The cards of each hand, then the points of those who are level; leads to the confirmation.

    What was counted stands in the address. Those who are level in both are told what the tournament's rule
    says; nothing is entered here.
    """
    tournament = found.match.stage.tournament
    if found.state.over or tournament.status != Tournament.Status.PUBLISHED:
        return redirect("referee:game", request.table.code, found.row.pk)
    counted = count(found, with_points(request.GET))
    verdict = counted.verdict
    if found.ranks_sides and verdict is not None and _ranks(verdict, bell_rule(tournament.settings)):
        filled = urlencode(places_by_bell(counted, len(found.match_game.sides)))
        address = reverse("referee:places", args=[request.table.code, found.row.pk])
        return redirect(f"{address}?reason=time&{filled}")
    if verdict is not None and verdict.winner is not None:
        address = reverse("referee:confirm", args=[request.table.code, found.row.pk])
        return redirect(f"{address}?{_ending(found, verdict, verdict.winner)}")
    is_level = verdict is not None and verdict.is_level
    is_asked = any(hand.points is not None for hand in counted.hands)
    context = {
        **about(found),
        "count": counted,
        "filled": counted.filled(),
        "rule": bell_rule(tournament.settings) if is_level else "",
        "values": card_values(found) if is_asked and not is_level else (),
    }
    return page(request, "bell", context, 422 if counted.has_wrong else 200)


def _ranks(verdict: BellVerdict[int], rule: str) -> bool:
    """Whether nothing more has to be counted, and nobody plays on, before the sides can be ranked."""
    return verdict.winner is not None or (verdict.is_level and rule != "one_more_card")


def _ending(found: TableGame, verdict: BellVerdict[int], winner: int) -> str:
    """What the confirmation is asked for: the winner by team. The seat goes with it if it was one hand alone,
    or if the team wouldn't say which side it was.
    """
    seat = winner if verdict.seat is None and found.names_seats else verdict.seat
    named = {} if seat is None else {"seat": seat}
    return urlencode({"reason": "time", "team": found.seat_teams[winner].pk, **named})
