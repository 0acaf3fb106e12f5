"""A table: the match that is on, its games, and the next one when it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from people.access import anyone, writes_results
from people.models import Team
from referee.access import at_table
from referee.game_lookup import find_table_game
from referee.moved_match import ElsewhereError
from referee.next_tables import led_tables
from referee.pages import TableRequest, page, phone_page, viewer
from referee.rung_bell import rang_for
from referee.side_names import side_names
from referee.table_game import TableGame
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings
from tournaments.queries.clocks import clock_of
from tournaments.queries.confirmation import may_confirm
from tournaments.queries.match_views import GameView, MatchProgress, MatchView, match_on
from tournaments.queries.matches import match_view, open_matches, table_matches
from tournaments.queries.round_names import length_of
from tournaments.settings.confirmation import ORGANIZER, Check, confirmation_rule

MOST_TO_CONFIRM = 6
"""So many results that wait are looked at: the next ones come when these are done."""


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game of the match with its sides, each its team and what stands beside the banner, and who won."""

    view: GameView
    sides: tuple[tuple[Team, str], ...]
    winner: str


@at_table(anyone)
@require_safe
def table(request: TableRequest) -> HttpResponseBase:
    """The match that is on, for who may write; else what is public and how to be let in."""
    if request.path != reverse("referee:table", args=[request.table.code]):
        return redirect("referee:table", request.table.code)
    if not writes_results.test(request.actor, request.event):
        return phone_page(request)
    request.writes = True
    to_do = open_matches(request.table)
    current = match_on(to_do)
    if current is not None:
        return _match(request, current, to_do)
    matches = table_matches(request.table)
    last = matches[-1] if matches else None
    context = {
        "why": _why_idle(request, matches),
        "last_match": last,
        "led": led_tables(request.event, request.actor.pairing, request.table.number),
        "to_confirm": _to_confirm(request, matches),
    }
    return page(request, "idle", context)


def _why_idle(request: TableRequest, matches: list[MatchView]) -> str:
    """Why nothing is on: `done`, `next-round` (one is still to be drawn), `closed`, `draft` (a draw that
    isn't published) or `empty`.
    """
    if matches:
        return "next-round" if _awaits_round(matches) else "done"
    statuses = set(
        Tournament.objects.filter(stages__matches__table=request.table).values_list("status", flat=True)
    )
    if statuses == {Tournament.Status.CLOSED}:
        return "closed"
    return "draft" if statuses else "empty"


def _awaits_round(matches: list[MatchView]) -> bool:
    """Whether a tournament that was played here has rounds that are still to be drawn."""
    tournaments = {each.tournament.pk: each.tournament for each in matches if each.tournament.follows_results}
    newest = (standings.newest(each) for each in tournaments.values())
    return any(version is not None and not version.is_all_drawn for version in newest)


@at_table()
@require_safe
def match(request: TableRequest, match_id: UUID) -> HttpResponseBase:
    """One match at this table, done or not."""
    practice = request.practice
    to_do = open_matches(request.table) if practice is None else [practice.match_view()]
    found = next((each for each in to_do if each.id == match_id), None)
    if found is None and practice is None:
        found = match_view(match_id)
    if found is None or found.table.event_id != request.event.pk:
        raise Http404
    if found.table != request.table:
        raise ElsewhereError(found.table, found.id)
    if found.tournament.status not in Tournament.PUBLIC:
        return page(request, "idle", {"why": "draft"})
    return _match(request, found, to_do)


def _match(request: TableRequest, found: MatchView, to_do: list[MatchView]) -> HttpResponse:
    following = found.next_game()
    latest = _latest(request, found)
    clock = clock_of(found.tournament) if request.practice is None else None
    called = side_names(found, viewer(request))
    context = {
        "match": found,
        "clock": clock,
        "has_rung": following is not None
        and clock is not None
        and rang_for(clock, found.id, found.round, found.wave),
        "is_closed": found.tournament.status == Tournament.Status.CLOSED,
        "series": length_of(found.drawn_in),
        "score": " – ".join(str(side.points) for side in found.sides),
        "sides": list(zip(found.sides, called, strict=True)),
        "games": [_shown(game, found, called) for game in found.games if game.is_listed],
        "following": following,
        "table_game": find_table_game(request, following.id) if following else None,
        "latest": latest,
        "nobody": _("nobody"),
        "next_match": match_on(to_do) if found.progress is MatchProgress.DONE else None,
        "to_confirm": _to_confirm(request, to_do),
        "waits": found.check is Check.WAITING,
        "is_for_the_desk": confirmation_rule(found.tournament.settings) == ORGANIZER,
    }
    return page(request, "match", context)


def _to_confirm(request: TableRequest, matches: list[MatchView]) -> list[MatchGame]:
    """The results at this table that this phone can confirm, in the order of play; no query as long as none
    waits.
    """
    waiting = [game.id for each in matches for game in each.games if game.check is Check.WAITING]
    rows = MatchGame.objects.select_related("game", "match__stage__tournament__event")
    found = rows.filter(game__in=waiting).order_by("match__stage__number", "match__round", "number")
    return [each for each in found[:MOST_TO_CONFIRM] if may_confirm(each, request.actor)]


def _shown(game: GameView, found: MatchView, called: Sequence[str]) -> ShownGame:
    sides = tuple((found.sides[side].team, called[side]) for side in game.sides)
    return ShownGame(game, sides, "" if game.winning_side is None else called[game.winning_side])


def _latest(request: TableRequest, found: MatchView) -> TableGame | None:
    """The game of this match that was written in last, if any was."""
    if request.practice is not None:
        return request.practice.latest()
    last = MatchGame.objects.filter(match=found.id, game__version__gt=0).order_by("-game__changed_at").first()
    return find_table_game(request, last.game_id) if last else None
