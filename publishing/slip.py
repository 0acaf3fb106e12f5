"""The parents' slip: when and where their child plays next, and how it went so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from people.display_names import NameBook, Viewer
from people.models import Entry
from publishing.match_display import PublicSide, ShownMatch, Verdict, shown
from tournaments.models import Match, MatchGame, Squad, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.match_state import NOT_BEGUN
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import load_matches
from tournaments.queries.stage import may_play_on
from tournaments.queries.timetable.hours import hours_of_event


class Stand(StrEnum):
    """How things stand for the child."""

    PRIVATE = "private"
    OUT = "out"
    UNDRAWN = "undrawn"
    RESERVE = "reserve"
    NEXT = "next"
    WAITS = "waits"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """One of the child's matches: when it begins if that is known, the own side and the others."""

    match: ShownMatch
    own: PublicSide
    others: tuple[PublicSide, ...]
    begins_at: datetime | None

    @property
    def tournament(self) -> Tournament:
        """In which tournament."""
        return self.match.view.tournament

    @property
    def is_playing(self) -> bool:
        """Whether it was begun, of one that isn't over."""
        return self.match.view.state not in NOT_BEGUN

    @property
    def games_played(self) -> int:
        """How many of the own games are over and count."""
        own = self.own.squad_id
        played = (game.sides for game in self.match.games if game.view.counts)
        return sum(any(side.squad_id == own for side in sides) for sides in played)

    @property
    def verdict(self) -> Verdict | None:
        """How the child's side came off; None before the match is over and counts."""
        return self.match.verdicts.get(self.own.squad_id)


@dataclass(frozen=True, slots=True)
class Told:
    """All of it: `next` is the match that is on or the first, `later` what follows, `played` what is over."""

    stand: Stand
    next: OwnMatch | None = None
    later: tuple[OwnMatch, ...] = ()
    played: tuple[OwnMatch, ...] = ()

    @property
    def has_several_tournaments(self) -> bool:
        """Whether the child's matches are of more than one tournament."""
        listed = (*filter(None, (self.next,)), *self.later, *self.played)
        return len({each.tournament.pk for each in listed}) > 1

    @property
    def points(self) -> int:
        """The games that the child's side won, in all."""
        return sum(each.own.points for each in self.played)

    @property
    def counts_games(self) -> bool:
        """Whether these are games of matches that are counted in games."""
        return all(each.match.view.counts_games for each in self.played)

    @property
    def games(self) -> int:
        """The own games that are over, in all."""
        return sum(each.games_played for each in self.played)


def told_of(entry: Entry) -> Told:
    """What the slip of an entry tells; its team and event are loaded. At most eleven queries, and three for
    each tournament in which it may have to wait for a draw.

    Nothing but what the public sees already, put together for one child.
    """
    event = entry.team.event
    if not event.is_published:
        return Told(Stand.PRIVATE)
    tournaments = list(event.tournaments.filter(status__in=Tournament.PUBLIC).select_related("event"))
    own = _own_matches(entry, tournaments)
    played = tuple(each for each in own if each.match.view.progress is MatchProgress.DONE)
    ahead = [each for each in own if each.match.view.progress is not MatchProgress.DONE]
    ahead.sort(key=_order)
    if entry.status != Entry.Status.ENTERED:
        return Told(Stand.OUT, played=played)
    if ahead:
        return Told(Stand.NEXT, ahead[0], tuple(ahead[1:]), played)
    if not tournaments:
        return Told(Stand.UNDRAWN)
    squads = Squad.objects.filter(stage__tournament__in=tournaments, members__entry=entry)
    seated = {
        tournament: (str(team), number)
        for tournament, team, number in squads.values_list("stage__tournament", "team", "number")
    }
    if not seated:
        return Told(Stand.RESERVE)
    waits = any(
        may_play_on(inputs_now(each), seated[each.pk])
        for each in tournaments
        if each.status == Tournament.Status.PUBLISHED and each.pk in seated
    )
    return Told(Stand.WAITS if waits else Stand.OVER, played=played)


def _own_matches(entry: Entry, tournaments: Sequence[Tournament]) -> list[OwnMatch]:
    """Those in which the entry sits, or sat before somebody took its place."""
    event = entry.team.event
    sitting = MatchGame.objects.filter(game__seats__entry=entry.pk, match__stage__tournament__in=tournaments)
    views = load_matches(Match.objects.filter(pk__in=sitting.values("match")))
    ids = {each.pk for view in views for side in view.sides for each in side.entries}
    names = NameBook(Viewer.public(event), ids)
    hours = hours_of_event(event)
    found = []
    for view in views:
        squad = next((side.squad_id for side in view.sides if entry in side.entries), None)
        if squad is None:
            # Another is to sit in it now, and what was entered before wasn't played.
            continue
        match = shown(view, names)
        own = next(side for side in match.sides if side.squad_id == squad)
        others = tuple(side for side in match.sides if side is not own)
        found.append(OwnMatch(match, own, others, hours[view.id].begins_at if view.id in hours else None))
    return found


def _order(each: OwnMatch) -> tuple[bool, bool, float, int, int]:
    """What is on first, then by the hour; what has none comes after, in the order of play."""
    begins = each.begins_at
    view = each.match.view
    return (not each.is_playing, begins is None, begins.timestamp() if begins else 0, view.round, view.wave)
