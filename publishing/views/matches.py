"""Matches: a round with its waves and tables, the matches of a team, and one match."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse

from people.models import Team
from people.naming import NameBook, Viewer
from publishing.answers import page
from publishing.freshness import live
from publishing.notes import notes
from publishing.rounds import byes
from publishing.sides import ShownMatch, shown, shown_waves
from publishing.subjects import Subject, shows_tournament
from tournaments.models import Match
from tournaments.reading import (
    Progress,
    RoundView,
    WaveView,
    in_rounds,
    load_matches,
    match_view,
)
from tournaments.rounds.words import Title, length_of, titles

MOST_TEAMS = 32_767
"""What a database takes for a team's number."""


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round that can be chosen, with its title where it has one."""

    number: int
    is_done: bool
    title: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A round on the page: its title where it has one, who has a bye, and its waves."""

    number: int
    title: Title | None
    byes: list[str]
    waves: list[tuple[WaveView, list[ShownMatch]]]


@shows_tournament
def matches(request: HttpRequest, subject: Subject, number: int | None = None) -> HttpResponse:
    """One round; the first that isn't done if none is asked for, and the last one at the end."""
    return _matches(request, subject, number, None)


@shows_tournament
def team_matches(request: HttpRequest, subject: Subject, number: int) -> HttpResponse:
    """All matches of the team of this number."""
    team = subject.event.teams.filter(number=number).first() if number <= MOST_TEAMS else None
    if team is None:
        raise Http404
    return _matches(request, subject, None, team)


def _matches(request: HttpRequest, subject: Subject, number: int | None, team: Team | None) -> HttpResponse:
    context: dict[str, Any] = {
        **live("tournament", subject.tournament.pk),
        "tournament": subject.tournament,
        "is_shown": subject.is_shown,
        "here": "matches",
        "clock": subject.clock,
    }
    if subject.is_shown:
        called = titles(subject.tournament)
        chosen = Match.objects.filter(stage__tournament=subject.tournament)
        if subject.tournament.is_by_round:
            # A match may be decided before all its games are played, which only the whole of it tells.
            played = in_rounds(load_matches(chosen))
            links = [_link(each.number, each.progress is Progress.DONE, called) for each in played]
            round_ = None if team else _round(number, links)
            loaded = _chosen(played, round_, team)
        else:
            links = _rounds(subject)
            round_ = None if team else _round(number, links)
            chosen = chosen.filter(sides__squad__team=team) if team else chosen.filter(round=round_ or 0)
            loaded = in_rounds(load_matches(chosen))
        names = NameBook(Viewer.public(subject.event))
        resting = byes(subject.event, subject.tournament, [round_]) if round_ else {}
        context |= {
            "rounds": links,
            "round": round_,
            "team": team,
            "parts": [
                Part(
                    each.number,
                    called.get(each.number),
                    resting.get(each.number, []),
                    shown_waves([each], names),
                )
                for each in loaded
            ],
        }
    return page(request, subject.event, "publishing/matches.html", context)


def _chosen(rounds: list[RoundView], number: int | None, team: Team | None) -> list[RoundView]:
    """The round of that number, or else the matches of a team."""
    if team is None:
        return [each for each in rounds if each.number == number]
    return in_rounds(
        match
        for each in rounds
        for wave in each.waves
        for match in wave.matches
        if any(side.team == team for side in match.sides)
    )


@shows_tournament
def match(request: HttpRequest, subject: Subject, match_id: UUID) -> HttpResponse:
    """One match: its sides, its games, the points."""
    fresh = live("match", match_id)
    found = match_view(match_id) if subject.is_shown else None
    if found is None or found.tournament != subject.tournament:
        raise Http404
    entries = [entry.pk for side in found.sides for entry in side.entries]
    names = NameBook(Viewer.public(subject.event), entries)
    match = shown(found, names)
    context = {
        **fresh,
        "tournament": subject.tournament,
        "match": match,
        "notes": notes(subject.tournament, found, match.sides),
        "title": titles(subject.tournament).get(found.round),
        "length": length_of(found.drawn_in),
        "here": "match",
    }
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


def _link(number: int, is_done: bool, called: dict[int, Title]) -> RoundLink:
    return RoundLink(number, is_done, called[number].title if number in called else "")


def _round(asked: int | None, rounds: list[RoundLink]) -> int | None:
    """The round asked for; else the first that isn't done, and the last one at the end. None if there is
    none.
    """
    if asked is not None:
        if asked not in {each.number for each in rounds}:
            raise Http404
        return asked
    open_ = (each.number for each in rounds if not each.is_done)
    return next(open_, rounds[-1].number if rounds else None)
