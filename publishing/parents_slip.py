"""The parents' slip: when and where their child plays next, and how it went so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from people.display_names import NameBook, Viewer
from people.models import Entry
from publishing.match_display import PublicSide, ShownMatch, Verdict, shown
from tournaments.formats.catalogue import FORMATS
from tournaments.models import Match, MatchGame, Squad, Tournament
from tournaments.projections.rounds.course import Key
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now
from tournaments.queries.counted_table_rounds import RoundAway, rounds_away
from tournaments.queries.match_state import NOT_BEGUN
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import load_matches
from tournaments.queries.stage import may_play_on
from tournaments.queries.timetable.match_starts import hours_of_event


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
    def sides(self) -> int:
        """How many have a place at it: all but who wasn't there, and those against whom no result counts."""
        return 1 + sum(not (side.is_annulled or side.is_absent) for side in self.others)

    @property
    def shares_place(self) -> bool:
        """Whether another one at its table has the same place."""
        return any(side.place == self.own.place for side in self.others)

    @property
    def games_played(self) -> int:
        """How many of the own games are over and count, and were played."""
        if self.own.is_absent:
            return 0
        own = self.own.squad_id
        played = (game.sides for game in self.match.games if game.view.counts)
        return sum(any(side.squad_id == own for side in sides) for sides in played)

    @property
    def verdict(self) -> Verdict | None:
        """How the child's side came off; None before the match is over and counts."""
        return self.match.verdicts.get(self.own.squad_id)


@dataclass(frozen=True, slots=True)
class OwnSum:
    """How it went in a tournament: what is over, and the rounds without a table."""

    tournament: Tournament
    played: tuple[OwnMatch, ...]
    away: tuple[RoundAway, ...] = ()

    @property
    def adds_points(self) -> bool:
        """Whether points at tables of many are added up."""
        return any(each.match.view.adds_points for each in self.played) or bool(self.away)

    @property
    def low_is_good(self) -> bool:
        """Whether these are points of cards left in hand."""
        return any(each.match.view.counts_cards for each in self.played)

    @property
    def points(self) -> Fraction:
        """The points of all that is listed: those at tables of many, else one for each game won or shared."""
        if not self.adds_points:
            return Fraction(sum(each.own.points for each in self.played))
        at_tables = (each.own.table_points for each in self.played)
        return sum(filter(None, (*at_tables, *(each.points for each in self.away))), Fraction(0))

    @property
    def counts_games(self) -> bool:
        """Whether these are games of matches that are counted in games."""
        return all(each.match.view.counts_games for each in self.played)

    @property
    def games(self) -> int:
        """The own games that are over, in all."""
        return sum(each.games_played for each in self.played)


@dataclass(frozen=True, slots=True)
class Told:
    """All of it: `next` is the match that is on or the first, `later` what follows, `sums` what is over."""

    stand: Stand
    next: OwnMatch | None = None
    later: tuple[OwnMatch, ...] = ()
    sums: tuple[OwnSum, ...] = ()

    @property
    def has_several_tournaments(self) -> bool:
        """Whether the child's matches are of more than one tournament."""
        ahead = {each.tournament.pk for each in (*filter(None, (self.next,)), *self.later)}
        return len(ahead | {each.tournament.pk for each in self.sums}) > 1


def told_of(entry: Entry) -> Told:
    """What the slip of an entry tells; its team and event are loaded. At most twelve queries, and three for
    each tournament at tables of many and each in which it may have to wait for a draw.

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
    squads = Squad.objects.filter(stage__tournament__in=tournaments, members__entry=entry)
    seated = {
        tournament: (str(team), number)
        for tournament, team, number in squads.values_list("stage__tournament", "team", "number")
    }
    read_in = {
        each.pk: inputs_now(each)
        for each in tournaments
        if each.pk in seated and (_has_tables(each) or (not ahead and _may_wait(each)))
    }
    sums = tuple(_sums(tournaments, played, read_in, seated))
    if entry.status != Entry.Status.ENTERED:
        return Told(Stand.OUT, sums=sums)
    if ahead:
        return Told(Stand.NEXT, ahead[0], tuple(ahead[1:]), sums)
    if not tournaments:
        return Told(Stand.UNDRAWN)
    if not seated:
        return Told(Stand.RESERVE)
    waits = any(
        may_play_on(read_in[each.pk], seated[each.pk])
        for each in tournaments
        if each.pk in seated and _may_wait(each)
    )
    return Told(Stand.WAITS if waits else Stand.OVER, sums=sums)


def _has_tables(tournament: Tournament) -> bool:
    """Whether points at tables of many add up in a stage of it."""
    return any(FORMATS[stage["format"]].adds_points for stage in tournament.stage_settings)


def _may_wait(tournament: Tournament) -> bool:
    """Whether more of it may be drawn."""
    return tournament.status == Tournament.Status.PUBLISHED


def _sums(
    tournaments: Sequence[Tournament],
    played: Sequence[OwnMatch],
    read_in: Mapping[UUID, StandingsInputs],
    seated: Mapping[UUID, Key],
) -> Iterator[OwnSum]:
    """How it went in each of these tournaments where anything is over."""
    for tournament in tournaments:
        own = tuple(each for each in played if each.tournament == tournament)
        away: Sequence[RoundAway] = ()
        if _has_tables(tournament) and tournament.pk in seated:
            away = rounds_away(read_in[tournament.pk]).get(seated[tournament.pk], ())
        if own or away:
            yield OwnSum(tournament, own, tuple(away))


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
