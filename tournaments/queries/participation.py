"""Participants of tournaments: who played, told from games and from placements by hand."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Q

from games.logbook import state_of
from games.models import Game, Seat
from tournaments.formats.catalogue import FORMATS
from tournaments.models import Palio, SquadMember, Tournament
from tournaments.projections.standings_inputs import courses_now

_PLAYED: Final = ("played", "result", "time")
"""How a game ends that somebody played; a forfeit, or an abandoned game that nobody won, may have seen no
card.
"""
_BY_HAND: Final = [key for key, choice in FORMATS.items() if not choice.is_played]


@dataclass(frozen=True, slots=True)
class Participants:
    """Entries and teams by id: who `played` at least one game, and who is `drawn` but played none yet."""

    entries: frozenset[UUID]
    teams: frozenset[UUID]
    drawn: frozenset[UUID]


def participants_of(tournaments: Collection[Tournament], palio: Palio | None = None) -> Participants:
    """Who played in any of these tournaments or, by team alone, in another game of the palio.

    Five queries, one more with a palio, and two for each tournament whose places are entered by hand.

    A game counts that came to a result, was abandoned with a winner, or in which cards were dealt. Who
    was replaced before a game began has no seat in it. Where places are entered by hand, those who were
    placed played.
    """
    games = Game.objects.filter(group__in=[each.pk for each in tournaments])
    ended = Q(is_over=True) & (Q(closed_by__in=_PLAYED) | Q(closed_by="abandoned", winner_team__isnull=False))
    played = set(games.filter(ended).values_list("pk", flat=True))
    others = games.filter(version__gt=0).exclude(ended)
    played |= {game.pk for game in others if state_of(game).deal > 0}
    seats = Seat.objects.filter(game__group__in=[each.pk for each in tournaments])
    entries: set[UUID] = set()
    teams: set[UUID] = set()
    for game, entry, team in seats.values_list("game", "entry", "team"):
        if game in played:
            entries.add(entry)
            teams.add(team)
    members = SquadMember.objects.filter(squad__stage__tournament__in=tournaments)
    by_hand = Tournament.objects.filter(stages__format__in=_BY_HAND, pk__in=[each.pk for each in tournaments])
    placed = {squad for each in by_hand.distinct() for squad in _placed_squads(each)}
    drawn = set()
    for squad, entry, team in members.values_list("squad", "entry", "squad__team"):
        drawn.add(entry)
        if squad in placed:
            entries.add(entry)
            teams.add(team)
    if palio is not None:
        teams |= set(palio.other_placings.values_list("team", flat=True))
    return Participants(frozenset(entries), frozenset(teams), frozenset(drawn - entries))


def _placed_squads(tournament: Tournament) -> set[UUID]:
    """The squads that were given a place by hand and aren't gone."""
    return {
        course.squad_id(side)
        for course in courses_now(tournament)
        if not course.choice.is_played
        for pairing, _outcome in course.progress.played()
        for side in pairing.sides
        if side not in course.progress.gone
    }
