"""What a phone needs of a table to go on without a network: its games, who sits where, and how each can end.

A page's script only lays this out: which ends there are, how they are told and what they enter is said here.
What was written down elsewhere meanwhile, the phone learns when the network is back.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from drawings import banner
from games.engine import event_to_json
from people.models import Team
from referee.pages import TableRequest
from referee.sittings import Sitting, sittings
from referee.views.game import counts, ending_of
from referee.words import said
from tournaments.bell import bell_rule
from tournaments.models import Tournament
from tournaments.reading import MatchView, Progress, table_matches

BY_HAND = ("result", "time", "forfeit")
"""The ends that a page offers, in its order."""


def table_kit(request: TableRequest) -> dict[str, Any]:
    """The kit of the request's table, as JSON: the matches that aren't done, and the versions of all games.

    The number of queries is the same for any number of games.
    """
    matches = table_matches(request.table)
    waiting = [match for match in matches if match.progress is not Progress.DONE]
    found = {
        each.row.pk: each
        for each in sittings(request, [game.id for match in waiting for game in match.games])
    }
    teams = {team.pk: team for each in found.values() for team in each.teams}
    return {
        "code": request.table.code,
        "event": str(request.event.pk),
        "where": _("Table %(number)s") % {"number": request.table.number},
        "home": reverse("referee:table", args=[request.table.code]),
        "teams": {str(key): _team(team) for key, team in teams.items()},
        "matches": [_match(request, match, found) for match in waiting],
        "versions": {str(game.id): game.version for match in matches for game in match.games},
        "is_over": _is_over(request),
    }


def _is_over(request: TableRequest) -> bool:
    """Whether every tournament of the event is closed: what the phone has kept isn't needed any more."""
    statuses = set(Tournament.objects.filter(event=request.event).values_list("status", flat=True))
    return statuses == {Tournament.Status.CLOSED}


def _team(team: Team) -> dict[str, str]:
    colors = (team.color_one, team.color_two)
    return {"name": team.name, "banner": banner.banner(colors, team.division, team.emblem, "shield", "")}


def _match(request: TableRequest, match: MatchView, found: Mapping[UUID, Sitting]) -> dict[str, Any]:
    return {
        "id": str(match.id),
        "address": reverse("referee:match", args=[request.table.code, match.id]),
        "name": match.tournament.name,
        "where": _("Table %(number)s · round %(round)s")
        % {"number": request.table.number, "round": match.round},
        "games": [_game(request, found[game.id]) for game in match.games if game.is_needed],
    }


def _game(request: TableRequest, found: Sitting) -> dict[str, Any]:
    arguments = [request.table.code, found.row.pk]
    return {
        "id": str(found.row.pk),
        "address": reverse("referee:game", args=arguments),
        "enter": reverse("referee:enter", args=arguments),
        "number": found.match_game.number,
        "where": _("Table %(number)s · game %(game)s")
        % {"number": request.table.number, "game": found.match_game.number},
        "version": found.row.version,
        "is_over": found.state.over,
        "by_cards": found.is_begun and not found.state.over,
        "asked": found.asked,
        "seats": [
            {"name": name, "team": str(team.pk)}
            for name, team in zip(found.people.names, found.seat_teams, strict=True)
        ],
        "endings": [] if found.state.over else _endings(found),
    }


def _endings(found: Sitting) -> list[dict[str, Any]]:
    """Every end that the page of the game leads to: how its address names it, what it enters."""
    shares = bell_rule(found.match.stage.tournament.settings) == "point_each"
    nobody = _("both: a point each") if shares else _("nobody")
    endings = []
    for reason in BY_HAND:
        choices = [(each.label, str(each.team.pk), each.query) for each in found.choices]
        if reason == "time":
            choices.append((nobody, "", ""))
        for label, team, query in choices:
            ending = ending_of(found, {"reason": reason, **_fields(query)})
            if ending is None:
                continue
            endings.append(
                {
                    "reason": reason,
                    "query": query,
                    "label": label,
                    "team": team,
                    "told": str(said(ending, found.people)),
                    "event": event_to_json(ending),
                    "points": _points(found) if counts(found, ending) else [],
                    "points_needed": found.adds_points,
                }
            )
    return endings


def _fields(query: str) -> dict[str, str]:
    return dict(field.split("=", 1) for field in query.split("&") if field)


def _points(found: Sitting) -> Sequence[int]:
    """The seats whose points are asked for."""
    return range(len(found.seat_teams))
