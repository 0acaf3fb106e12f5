"""Commands: give a place to a reserve, give it back, forfeit games that nobody can play; who was replaced."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ledger import read
from ledger.models import Fact
from people.actors import Actor
from people.models import Entry, Event
from people.refusals import Refused
from tournaments.commands.confirm import confirm_decided
from tournaments.commands.decision_recording import OpenDecision, command, expect_status
from tournaments.commands.removed_squad_games import (
    FORFEIT,
    NO_SHOW,
    give_struck_games,
    strike_walkovers,
    struck_games,
)
from tournaments.commands.results import enter_result
from tournaments.facts import earlier
from tournaments.facts.locks import lock, lock_games
from tournaments.facts.reasons import CAME_AFTER_ALL, REPLACED_REASONS, check_reason
from tournaments.models import MatchGame, Squad, SquadMember, Stage, Tournament
from tournaments.projections.removed_squads import Removals


@dataclass(frozen=True, slots=True)
class Replacement:
    """A place that somebody lost to another: `entry` waits, `holder` has it in `squad` of the last stage.

    `is_begun`: the holder has begun a game there, so the place isn't given back.
    """

    tournament: Tournament
    squad: Squad
    entry: UUID
    holder: UUID
    is_begun: bool


def replacements_in(event: Event) -> dict[UUID, list[Replacement]]:
    """Who was replaced in a tournament that is being played and has no place in it now, by entry. One query
    where nobody was, five otherwise.
    """
    rows = Fact.objects.filter(
        type="entry_substituted",
        stream__in=Tournament.objects.filter(event=event, status=Tournament.Status.PUBLISHED).values("pk"),
    )
    places: defaultdict[UUID, list[_SharedPlace]] = defaultdict(list)
    for fact in read.stored_facts(rows.order_by("stream", "sequence")):
        _hand_on(places[fact.stream], fact.body)
    if not places:
        return {}
    tournaments = Tournament.objects.filter(pk__in=places).select_related("event").in_bulk()
    last = {
        stage.tournament_id: stage for stage in Stage.objects.filter(tournament__in=places).order_by("number")
    }
    squads = {
        (squad.stage_id, squad.team_id, squad.number): squad
        for squad in Squad.objects.filter(stage__in=last.values()).prefetch_related("members")
    }
    playing = {
        (squad.stage_id, member.entry_id): squad.pk
        for squad in squads.values()
        for member in squad.members.all()
    }
    holders = {place.entries[-1] for each in places.values() for place in each}
    begun = _begun_by(holders, tournaments)
    found = defaultdict(list)
    for pk, lost in places.items():
        for place in lost:
            *waiting, holder = place.entries
            squad = squads.get((last[pk].pk, place.team, place.squad))
            if squad is None or playing.get((last[pk].pk, holder)) != squad.pk:
                continue
            is_begun = (pk, holder, place.team, place.squad) in begun
            for entry in waiting:
                if (last[pk].pk, entry) not in playing:
                    found[entry].append(Replacement(tournaments[pk], squad, entry, holder, is_begun))
    return dict(found)


@dataclass(slots=True)
class _SharedPlace:
    """A place in a squad that changed hands: who had it, first one first; the last has it."""

    team: UUID
    squad: int
    entries: list[UUID]


def _hand_on(places: list[_SharedPlace], body: Mapping[str, Any]) -> None:
    """Take one substitution in; a place that goes back to somebody is as it was before that one left."""
    team, out, into = (UUID(body[name]) for name in ("team", "out", "in"))
    for place in places:
        if (place.team, place.squad, place.entries[-1]) == (team, body["squad"], out):
            break
    else:
        place = _SharedPlace(team, body["squad"], [out])
        places.append(place)
    if into in place.entries:
        del place.entries[place.entries.index(into) + 1 :]
    else:
        place.entries.append(into)


def _begun_by(entries: Iterable[UUID], tournaments: Iterable[UUID]) -> set[tuple[UUID, UUID, UUID, int]]:
    """Where these entries have begun a game: tournament, entry, and team and number of the squads there."""
    rows = MatchGame.objects.filter(
        match__stage__tournament__in=tournaments, game__version__gt=0, game__seats__entry__in=entries
    )
    return set(
        rows.values_list(
            "match__stage__tournament",
            "game__seats__entry",
            "match__sides__squad__team",
            "match__sides__squad__number",
        )
    )


def reserves_for(squad: Squad) -> list[Entry]:
    """Who of the team could take a place in this squad: entered, and in no squad of the stage; by number."""
    playing = SquadMember.objects.filter(squad__stage=squad.stage_id).values("entry")
    entries = Entry.objects.filter(team=squad.team_id, status=Entry.Status.ENTERED, person__isnull=False)
    return list(entries.exclude(pk__in=playing).select_related("team", "person").order_by("number"))


def _substitution(squad: Squad, out: Entry, into: Entry, reason: str) -> dict[str, Any]:
    return {
        "stage": str(squad.stage_id),
        "team": str(squad.team_id),
        "squad": squad.number,
        "out": str(out.pk),
        "in": str(into.pk),
        "reason": reason,
    }


@command(
    "entry_substituted", Tournament.Status.PUBLISHED, locks_event=True, locks_games=True, sent=_substitution
)
def substitute(
    decision: OpenDecision,
    tournament: Tournament,
    squad: Squad,
    out: Entry,
    into: Entry,
    reason: str,
) -> None:
    """`into` sits where `out` sat, in every game of the stage that isn't begun and in all that are drawn yet.

    What was begun stays as it was written. Nobody else's games change, so the draw holds. With the reason
    `CAME_AFTER_ALL` a place goes back to who was replaced; that is refused once who has it has begun a game.
    """
    check_reason(reason, REPLACED_REASONS)
    last = (
        Stage.objects.filter(tournament=tournament).order_by("-number").values_list("pk", flat=True).first()
    )
    if squad.stage_id != last:
        raise Refused("stage-over", _("This squad plays in a stage that is over."))
    if not SquadMember.objects.filter(squad=squad, entry=out).exists():
        raise Refused("not-in-squad", _("Who is to be replaced isn’t in this squad."), status=422)
    if into.pk not in {entry.pk for entry in reserves_for(squad)}:
        raise Refused(
            "no-reserve",
            _("Only somebody of the same team who is entered and doesn’t play yet can take the place."),
            status=422,
        )
    if reason == CAME_AFTER_ALL:
        _expect_can_go_back(tournament, out, into)
    waiting = MatchGame.objects.filter(
        match__stage=squad.stage_id, match__sides__squad=squad, game__version=0, game__seats__entry=out.pk
    )
    games = sorted({str(game) for game in waiting.values_list("game", flat=True)})
    decision.record(_substitution(squad, out, into, reason) | {"games": games})


def _expect_can_go_back(tournament: Tournament, holder: Entry, entry: Entry) -> None:
    places = [
        place
        for place in replacements_in(tournament.event).get(entry.pk, ())
        if place.tournament == tournament and place.holder == holder.pk
    ]
    if not places:
        raise Refused("not-replaced", _("This isn’t the one who took the place of the other."))
    if any(place.is_begun for place in places):
        raise Refused("games-begun", _("Who has the place has begun a game already, and keeps it."))


@transaction.atomic
def forfeit_open_games(tournament: Tournament, actor: Actor, squad: Squad) -> int:
    """Give the games that a squad of a draw of mini-tournaments has still to play to the others; how many.

    Nobody wins a game against somebody who doesn't take part either, nor one with a side against whom no
    result counts. What was struck for that before, and counts now, is given, too. A squad that didn't turn up
    has won nothing by walkover against another one that isn't there. A game that is set aside stays as it is.
    It counts at once. Done twice, nothing is left to do.
    """
    tournament = lock(tournament)
    expect_status(tournament, Tournament.Status.PUBLISHED)
    lock_games(tournament.pk)
    removed = Removals.of(earlier.decisions(tournament.pk))
    team = str(squad.team_id)
    given: set[UUID] = set()
    never_came = _has_not_turned_up(squad, removed)
    is_absent = partial(_is_incomplete if never_came else _is_gone, removed=removed)
    if not removed.annuls_one_of([(team, squad.number)]):
        given |= give_struck_games(struck_games(squad.pk), actor, squad.pk, is_absent)
    if never_came:
        given |= strike_walkovers(actor, squad.pk, is_absent)
    open_ = (
        MatchGame.objects.filter(match__stage=squad.stage_id, match__sides__squad=squad)
        .filter(game__is_over=False, game__fault__isnull=True)
        .select_related("match", "game")
        .prefetch_related("match__sides__squad__members__entry")
        .order_by("match__round", "match__wave", "number")
        .distinct()
    )
    for game in open_:
        sides = {side.number: side.squad for side in game.match.sides.all()}
        playing = [sides[number] for number in game.sides]
        if squad not in playing:
            continue
        others = [seat for seat, each in enumerate(playing) if each != squad and not _is_gone(each, removed)]
        if removed.annuls_one_of((str(each.team_id), each.number) for each in playing):
            others = []
        enter_result(game, actor, seat=others[0] if others else None, reason=FORFEIT)
        given.add(game.game_id)
    confirm_decided(tournament, actor, given)
    return len(given)


def _is_gone(squad: Squad, removed: Removals) -> bool:
    """Whether the squad or its team was removed, or nobody of it takes part any more."""
    team = str(squad.team_id)
    if team in removed.teams or (team, squad.number) in removed.squads:
        return True
    return all(member.entry.status != Entry.Status.ENTERED for member in squad.members.all())


def _is_incomplete(squad: Squad, removed: Removals) -> bool:
    """Whether the squad or its team was removed, or somebody of it doesn't take part any more."""
    return _is_gone(squad, removed) or any(
        member.entry.status != Entry.Status.ENTERED for member in squad.members.all()
    )


def _has_not_turned_up(squad: Squad, removed: Removals) -> bool:
    """Whether the squad doesn't play since it didn't turn up, or somebody of it didn't."""
    team = str(squad.team_id)
    removal = removed.squads.get((team, squad.number)) or removed.teams.get(team)
    if removal is not None:
        return removal.reason == NO_SHOW
    return squad.members.filter(entry__status=Entry.Status.ABSENT).exists()
