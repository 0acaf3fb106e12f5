"""Effects on the draws: of somebody who leaves, told before it is done, and of who comes after all."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from desk.page import names
from desk.planned_rounds_text import leaving
from desk.stage_squads import players_of
from games.models import Seat
from people.display_names import NameBook
from people.models import Entry, Event
from tournaments.commands.substitute import Replacement, replacements_in, reserves_for
from tournaments.facts import earlier
from tournaments.models import Match, MatchGame, Squad, Tournament
from tournaments.projections.rounds.course import DrawnStages
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.match_views import MatchProgress, MatchView, SideView
from tournaments.queries.matches import load_matches
from tournaments.standings import RemovedPlace

Concerned = tuple[MatchView, tuple[str, ...]]
"""A match that somebody can't play, and the others in it by name."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What it does in one tournament.

    `kind`: `nothing` (not drawn, or closed, or not in the draw), `redraw` (drawn and not published),
    `squad` (drawn round by round: the squad can leave) or `games` (mini-tournaments: games are forfeited).
    `places`: what can become of the squad's place if it leaves; `leaves`: what becomes of its tables then,
    where more than two meet.
    """

    tournament: Tournament
    kind: str
    squad: Squad | None = None
    with_whom: tuple[str, ...] = ()
    matches: tuple[Concerned, ...] = ()
    reserves: tuple[tuple[UUID, str], ...] = ()
    places: tuple[RemovedPlace, ...] = ()
    leaves: str = ""


def effects_of(entry: Entry) -> list[Effect]:
    """Of each tournament of the event, in the order in which they were set up."""
    event = entry.team.event
    book = names(event)
    tournaments = event.tournaments.select_related("event").order_by("created_at")
    return [_effect(each, entry, book) for each in tournaments]


def _effect(tournament: Tournament, entry: Entry, book: NameBook) -> Effect:
    squad = (
        Squad.objects.filter(stage__tournament=tournament, members__entry=entry)
        .select_related("stage", "team")
        .order_by("-stage__number")
        .first()
    )
    if squad is None or tournament.status not in Tournament.DRAWN_NOT_CLOSED:
        return Effect(tournament, "nothing")
    if tournament.status == Tournament.Status.DRAWN:
        return Effect(tournament, "redraw", squad)
    places: tuple[RemovedPlace, ...] = ()
    leaves = ""
    is_by_round = tournament.choice.is_by_round
    if is_by_round:
        now = inputs_now(tournament)
        course = now.courses[-1]
        key = (str(squad.team_id), squad.number)
        places = now.places_offered(key)
        gone = {course.squad_id(number) for number in course.progress.gone}
        if squad.stage_id != course.stage or squad.pk in gone:
            return Effect(tournament, "nothing")
        number = course.number_of(key)
        leaves = "" if number is None else leaving(course, number)
    views = load_matches(Match.objects.filter(stage=squad.stage, sides__squad=squad))
    still_met = ((view, _still_met(view, squad)) for view in views)
    open_ = tuple(
        (view, tuple(players_of(side, book) for side in sides)) for view, sides in still_met if sides
    )
    others = squad.members.exclude(entry=entry).order_by("position").values_list("entry", flat=True)
    return Effect(
        tournament,
        "squad" if is_by_round else "games",
        squad,
        tuple(book[each] for each in others),
        open_,
        tuple(
            (each.pk, f"{each.team.short_name} {each.number} · {book[each.pk]}")
            for each in reserves_for(squad)
        ),
        places,
        leaves,
    )


def _still_met(view: MatchView, squad: Squad) -> list[SideView]:
    """The other sides of a match against whom a squad has a game that isn't over."""
    own = {at for at, side in enumerate(view.sides) if side.squad_id == squad.pk}
    met = {
        at
        for game in view.games
        if game.is_needed and game.progress is not MatchProgress.DONE and own.intersection(game.sides)
        for at in game.sides
    }
    return [view.sides[at] for at in sorted(met - own)]


@dataclass(frozen=True, slots=True)
class LostPlace:
    """A place that somebody has lost to another, who is told by `holder_name`."""

    replacement: Replacement
    holder_name: str


def lost_places(entry: Entry) -> list[LostPlace]:
    """The places of this entry that others have now, by tournament; none where it plays."""
    lost = replacements_in(entry.team.event).get(entry.pk, [])
    if not lost:
        return []
    holders = Entry.objects.filter(pk__in=[each.holder for each in lost])
    called = {
        pk: f"{short_name} {number}"
        for pk, short_name, number in holders.values_list("pk", "team__short_name", "number")
    }
    book = names(entry.team.event, called)
    return [
        LostPlace(each, f"{called[each.holder]} · {book[each.holder]}")
        for each in sorted(lost, key=lambda each: each.tournament.created_at)
    ]


@dataclass(frozen=True, slots=True)
class MissedMatch:
    """What somebody has missed in a tournament: the matches with games that were forfeited, and how many
    games these are. Also whether the squad isn't drawn any more.
    """

    tournament: Tournament
    matches: tuple[Concerned, ...]
    games: int
    has_left: bool


def missed_by(entry: Entry) -> list[MissedMatch]:
    """Of each running tournament in which this entry has forfeited games, or its squad has left."""
    squads = Squad.objects.filter(
        members__entry=entry, stage__tournament__status=Tournament.Status.PUBLISHED
    ).select_related("stage__tournament__event")
    newest = {squad.stage.tournament_id: squad for squad in squads.order_by("stage__number")}
    book = names(entry.team.event)
    found = [_missed(squad, entry, book) for squad in newest.values()]
    return sorted(
        (each for each in found if each.games or each.has_left), key=lambda each: each.tournament.created_at
    )


def _missed(squad: Squad, entry: Entry, book: NameBook) -> MissedMatch:
    tournament = squad.stage.tournament
    has_left = tournament.choice.is_by_round and DrawnStages.of(earlier.decisions(tournament.pk)).is_gone(
        (str(squad.team_id), squad.number)
    )
    forfeits = _forfeits(tournament.event).filter(entry=entry.pk)
    games = MatchGame.objects.filter(game__in=forfeits.values("game"), match__stage__tournament=tournament)
    views = load_matches(Match.objects.filter(match_games__in=games).distinct())
    return MissedMatch(
        tournament,
        tuple(
            (view, tuple(players_of(side, book) for side in view.sides if entry not in side.entries))
            for view in views
        ),
        games.count(),
        has_left,
    )


def who_forfeited(event: Event) -> set[UUID]:
    """The entries that have lost a game by forfeit in the running tournaments; one query."""
    return set(_forfeits(event).values_list("entry", flat=True))


def _forfeits(event: Event) -> QuerySet[Seat]:
    """Who sat, or was to sit, in games that were forfeited and that the own team hasn't won."""
    running = event.tournaments.filter(status=Tournament.Status.PUBLISHED)
    lost = Seat.objects.filter(game__closed_by="forfeit", game__group__in=running.values("pk"))
    return lost.exclude(game__winner_team=F("team"))


def told_of_late(event: Event) -> list[str]:
    """What becomes of somebody who is entered now, in each tournament that is drawn already; one query."""
    drawn = _("“%(name)s” is drawn without it: draw anew before you publish.")
    return [
        (drawn if each.status == Tournament.Status.DRAWN else _(each.choice.late)) % {"name": each.name}
        for each in event.tournaments.filter(status__in=Tournament.DRAWN_NOT_CLOSED).order_by("created_at")
    ]


def chosen(effects: list[Effect], said: Mapping[str, str]) -> list[tuple[Effect, str]]:
    """What was chosen for each tournament where something is: `keep`, `leave`, or a reserve's id."""
    return [
        (effect, said.get(f"do-{effect.tournament.pk}", "keep"))
        for effect in effects
        if effect.kind in ("squad", "games")
    ]
