"""Mini-tournaments: a round with its waves and tables, the matches of a team, and one match."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse

from people.models import Team
from people.naming import NameBook, Viewer
from publishing.answers import page
from publishing.sides import shown, shown_waves
from publishing.subjects import Subject, shows_tournament
from tournaments.models import Match
from tournaments.reading import in_rounds, load_matches, match_view


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round that can be chosen."""

    number: int
    is_done: bool


@shows_tournament
def matches(request: HttpRequest, subject: Subject) -> HttpResponse:
    """One round (`?round=`, else the one that is on), or a team's matches (`?team=` with its number)."""
    context: dict[str, Any] = {
        "tournament": subject.tournament,
        "is_shown": subject.is_shown,
        "here": "matches",
        "clock": subject.clock,
    }
    if subject.is_shown:
        rounds = _rounds(subject)
        team = _team(request, subject)
        chosen = Match.objects.filter(stage__tournament=subject.tournament)
        if team is not None:
            chosen = chosen.filter(sides__squad__team=team)
        else:
            context["round"] = _round(request, rounds)
            chosen = chosen.filter(round=context["round"])
        names = NameBook(Viewer.public(subject.event))
        context |= {
            "rounds": rounds,
            "team": team,
            "parts": [(each.number, shown_waves([each], names)) for each in in_rounds(load_matches(chosen))],
        }
    return page(request, subject.event, "publishing/matches.html", context)


@shows_tournament
def match(request: HttpRequest, subject: Subject, match_id: UUID) -> HttpResponse:
    """One mini-tournament: its sides, its three games, the points."""
    found = match_view(match_id) if subject.is_shown else None
    if found is None or found.tournament != subject.tournament:
        raise Http404
    entries = [entry.pk for side in found.sides for entry in side.entries]
    names = NameBook(Viewer.public(subject.event), entries)
    context = {"tournament": subject.tournament, "match": shown(found, names), "here": "match"}
    return page(request, subject.event, "publishing/match.html", context)


def _rounds(subject: Subject) -> list[RoundLink]:
    still_open = Count("match_games", filter=Q(match_games__game__is_over=False))
    counted = (
        Match.objects.filter(stage__tournament=subject.tournament)
        .values("round")
        .annotate(still_open=still_open)
        .order_by("round")
    )
    return [RoundLink(row["round"], not row["still_open"]) for row in counted]


def _round(request: HttpRequest, rounds: list[RoundLink]) -> int:
    """The round asked for; else the first that isn't done, and the last one at the end."""
    if "round" in request.GET:
        asked = request.GET["round"]
        known = {str(each.number): each.number for each in rounds}
        if asked not in known:
            raise Http404
        return known[asked]
    return next((each.number for each in rounds if not each.is_done), rounds[-1].number)


def _team(request: HttpRequest, subject: Subject) -> Team | None:
    if "team" not in request.GET:
        return None
    asked = request.GET["team"]
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
    team = subject.event.teams.filter(number=int(asked)).first() if is_number else None
    if team is None:
        raise Http404
    return team
