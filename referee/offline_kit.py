"""The kit of a table for a phone without a network: its games, their seats and their possible ends.

A page's script only lays this out: which ends there are, how they are told and what they enter is said here.
What was written down elsewhere meanwhile, the phone learns when the network is back.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from games.engine import dump, event_to_json
from games.engine.events import GameClosed
from ledger.read import stored_ids
from people.models import Team
from referee.bell_count import card_values
from referee.ending_from_address import counts, ending_of
from referee.game_lookup import find_table_games
from referee.offline_recorder import recorder
from referee.pages import TableRequest, writer
from referee.ranked_sides import ranked_sides
from referee.sentences import entry_text
from referee.table_game import TableGame
from rendering.components.component_inputs import look
from rendering.svg.team_banner import banner
from tournaments.formats.match_lengths import GameEnd, MatchKind
from tournaments.models import Tournament
from tournaments.projections.counted_ends import end_of, side_of_seat
from tournaments.queries.match_views import GameView, MatchProgress, MatchView
from tournaments.queries.matches import table_matches
from tournaments.queries.round_names import length_of
from tournaments.settings.bell import bell_rule, is_shared
from tournaments.settings.confirmation import NOBODY, ORGANIZER, Check, confirmation_rule

BY_HAND = ("result", "time", "forfeit", "abandoned")
"""The ends that a page offers, in its order."""
UNRANKED = ("forfeit", "abandoned")
"""Those that give nobody a place, where a game ranks its sides."""
MOST_NAMED = 100
"""So many entries of a phone are looked for: its last one of each game."""
MOST_DONE = 6
"""So many matches that are done stand in a kit: their results can be looked at and taken back."""


def table_kit(request: TableRequest) -> dict[str, Any]:
    """The kit of the request's table, as JSON: the matches that are of use without a network, and the
    versions of all games. `lacks`: of the entries that the phone names (`?last=`) those that aren't stored.

    The number of queries is the same for any number of games.
    """
    matches = table_matches(request.table)
    useful = _useful(matches)
    found = {
        each.row.pk: each
        for each in find_table_games(request, [game.id for match in useful for game in match.games])
    }
    teams = {team.pk: team for each in found.values() for team in each.teams}
    return {
        "code": request.table.code,
        "event": str(request.event.pk),
        "where": _("Table %(number)s") % {"number": request.table.number},
        "writer": writer(request),
        "home": reverse("referee:table", args=[request.table.code]),
        "teams": {str(key): _team(team) for key, team in teams.items()},
        "matches": [_match(request, match, found) for match in useful],
        "versions": {str(game.id): game.version for match in matches for game in match.games},
        "lacks": _lacks(request),
        "is_over": _is_over(request),
    }


def _useful(matches: Sequence[MatchView]) -> list[MatchView]:
    """Those that aren't done, those whose results wait to be confirmed, and the one that was done last."""
    done = [match for match in matches if match.progress is MatchProgress.DONE]
    waiting = [match for match in done[:-1] if match.check in (Check.WAITING, Check.DISPUTED)]
    kept = {match.id for match in [*waiting, *done[-1:]][-MOST_DONE:]}
    return [match for match in matches if match.progress is not MatchProgress.DONE or match.id in kept]


def _lacks(request: TableRequest) -> list[str]:
    """What was saved once and is gone, since the service was put back to an earlier state. A query if any is
    named.
    """
    named = set()
    for text in request.GET.getlist("last")[:MOST_NAMED]:
        with suppress(ValueError):
            named.add(UUID(text))
    return sorted(str(each) for each in named - stored_ids(named)) if named else []


def _is_over(request: TableRequest) -> bool:
    """Whether every tournament of the event is closed: what the phone has kept isn't needed any more."""
    statuses = set(Tournament.objects.filter(event=request.event).values_list("status", flat=True))
    return statuses == {Tournament.Status.CLOSED}


def _team(team: Team) -> dict[str, Any]:
    return {"name": team.short_name, "banner": banner(*look(team), "shield", ""), "look": look(team)}


def _match(request: TableRequest, match: MatchView, found: Mapping[UUID, TableGame]) -> dict[str, Any]:
    return {
        "id": str(match.id),
        "address": reverse("referee:match", args=[request.table.code, match.id]),
        "name": match.tournament.name,
        "where": _("Table %(number)s · %(title)s")
        % {"number": request.table.number, "title": match.round_name}
        if match.round_title
        else _("Table %(number)s · round %(round)s") % {"number": request.table.number, "round": match.round},
        "confirmed_by": _confirmed_by(match.tournament),
        "bell": _bell(match.tournament, found[match.games[0].id]),
        "series": "" if match.ranks_sides else length_of(match.drawn_in),
        "kind": _kind(match.kind),
        "sides": len(match.sides),
        "games": [_game(request, found[game.id], game) for game in match.games],
    }


def _kind(kind: MatchKind | None) -> dict[str, Any] | None:
    """What ends a match; None where all its games are played."""
    if kind is None or kind.plays_all:
        return None
    return {"length": kind.length.value, "games": kind.games, "decisive": kind.decisive}


def _confirmed_by(tournament: Tournament) -> str:
    """Who has to confirm a result before it counts, in a sentence; empty where nobody has to."""
    rule = confirmation_rule(tournament.settings)
    if rule == NOBODY:
        return ""
    if rule == ORGANIZER:
        return _("It counts once the desk has confirmed it.")
    return _(
        "It counts once a second person has confirmed it: another referee opens this table on their phone, "
        "or the desk does it."
    )


def _bell(tournament: Tournament, found: TableGame) -> dict[str, Any]:
    """What decides when the bell has rung: what each kind of card counts, and what holds for those who are
    level in that, too. `plays_on`: nothing can be entered for them yet.
    """
    rule = bell_rule(tournament.settings)
    level = {
        "no_point": _("Then nobody has the point."),
        "point_each": _("Then each of them has a point."),
        "one_more_card": _(
            "Then they play on, one card each. Count again after that, until somebody is ahead."
        ),
    }
    return {
        "values": [{"kind": row.name, "count": row.text} for row in card_values(found)],
        "level": level[rule],
        "plays_on": rule == "one_more_card",
    }


def _game(request: TableRequest, found: TableGame, view: GameView) -> dict[str, Any]:
    arguments = [request.table.code, found.row.pk]
    return {
        "id": str(found.row.pk),
        "address": reverse("referee:game", args=arguments),
        "enter": reverse("referee:enter", args=arguments),
        "put_right": reverse("referee:put-right", args=arguments),
        "number": found.match_game.number,
        "where": found.where,
        "where_in_full": found.where_in_full,
        "version": found.row.version,
        "is_over": found.row.is_over,
        # The match was read before the log, which may have ended since.
        "end": _end(end_of(view.winning_side, view.closed_by, is_shared=view.is_shared))
        if view.progress is MatchProgress.DONE
        else None,
        "snapshot": None if found.row.is_over or found.row.is_set_aside else dump(found.state),
        "by_cards": _is_by_cards(found),
        "asked": found.asked,
        "check": "" if found.check is Check.NOTHING else found.check.value,
        "disputed_for": found.dispute if found.check is Check.DISPUTED else "",
        "line": found.row.version if found.row.closed_by not in ("", "played") else None,
        "seats": [
            {"name": name, "plate": plate, "team": str(team.pk), "side": side_of_seat(view.sides, seat)}
            for seat, (name, plate, team) in enumerate(
                zip(found.people.names, found.seat_names, found.seat_teams, strict=True)
            )
        ],
        "endings": _endings(found),
        "ranked": _ranked(request, found),
        "recorder": recorder(found.state),
    }


def _ranked(request: TableRequest, found: TableGame) -> dict[str, Any] | None:
    """Who is asked for where a game ranks its sides, and whether points can be entered in place of places."""
    if not found.ranks_sides:
        return None
    return {
        "sides": [
            {
                "number": each.number,
                "name": each.name,
                "told": each.told,
                "is_absent": each.is_absent,
                "of_team": each.team.short_name if each.told != each.name else "",
                "team": str(each.team.pk),
            }
            for each in ranked_sides(found, {})
        ],
        "places": reverse("referee:places", args=[request.table.code, found.row.pk]),
        "counts_points": found.state.ruleset.counts_points,
    }


def _end(end: GameEnd) -> dict[str, Any]:
    """How a game counts for its match."""
    return {"winner": end.winner, "closed": end.closed.value}


def _end_by(found: TableGame, ending: GameClosed) -> GameEnd:
    """How the game counts if it ends so."""
    team = UUID(ending.team) if ending.team else None
    side = found.side_of(ending.winner, team)
    winner = None if side is None else found.match_game.sides[side]
    bell = bell_rule(found.match.stage.tournament.settings)
    return end_of(winner, ending.reason, is_shared=side is None and is_shared(bell, ending.reason, team))


def _is_by_cards(found: TableGame) -> bool:
    """Whether its cards are written down, or were until it was closed; without a look at its log."""
    state = found.state
    return found.is_begun if not state.over else state.dealer is not None or any(state.cut.values())


def _endings(found: TableGame) -> list[dict[str, Any]]:
    """Every end that the page of the game leads to: how its address names it, what it enters. A game that is
    over has them, too: its result may be taken back.
    """
    shares = bell_rule(found.match.stage.tournament.settings) == "point_each"
    nobody = _("both: a point each") if shares else _("nobody")
    seats = range(len(found.seat_teams))
    endings = []
    for reason in UNRANKED if found.ranks_sides else BY_HAND:
        choices = [(each.label, str(each.team.pk), each.query) for each in found.choices]
        if reason == "abandoned":
            choices = [("", "", "")]
        if reason == "time":
            choices.append((nobody, "", ""))
        for label, team, query in choices:
            ending = ending_of(found, {"reason": reason, **dict(parse_qsl(query))})
            if ending is None:
                continue
            endings.append(
                {
                    "reason": reason,
                    "query": query,
                    "label": label,
                    "team": team,
                    "told": str(entry_text(ending, found.people)),
                    "event": event_to_json(ending),
                    "end": _end(_end_by(found, ending)),
                    "points": seats if counts(found, ending, by_cards=_is_by_cards(found)) else [],
                    "points_needed": found.adds_points,
                    "asks_absent": found.asks_absent,
                    "absent": sorted(found.people.absent) if found.asks_absent else [],
                }
            )
    return endings
