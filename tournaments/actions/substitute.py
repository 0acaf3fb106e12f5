"""A reserve takes the place of somebody who doesn't play on; games that nobody can play are forfeited."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ledger import read
from people.actors import Actor
from people.entries import lock_event
from people.models import Entry
from tournaments.decisions import check_reason, decide, expect_status, lock, lock_games, repeated
from tournaments.models import MatchGame, Squad, SquadMember, Stage, Tournament
from tournaments.refusals import Refused
from tournaments.removals import GONE_REASONS, Removals
from tournaments.results import enter_result


def reserves_for(squad: Squad) -> list[Entry]:
    """Who of the team could take a place in this squad: entered, and in no squad of the stage; by number."""
    playing = SquadMember.objects.filter(squad__stage=squad.stage_id).values("entry")
    entries = Entry.objects.filter(team=squad.team_id, status=Entry.Status.ENTERED, person__isnull=False)
    return list(entries.exclude(pk__in=playing).select_related("team", "person").order_by("number"))


@transaction.atomic
def substitute(
    tournament: Tournament,
    actor: Actor,
    squad: Squad,
    out: Entry,
    into: Entry,
    reason: str,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """`into` sits where `out` sat, in every game of the stage that isn't begun and in all that are drawn yet.

    What was begun stays as it was written. Nobody else's games change, so the draw holds.
    """
    tournament = lock(tournament)
    lock_event(tournament.event)
    said = {
        "stage": str(squad.stage_id),
        "team": str(squad.team_id),
        "squad": squad.number,
        "out": str(out.pk),
        "in": str(into.pk),
        "reason": reason,
    }
    if repeated(tournament, "entry_substituted", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    check_reason(reason, GONE_REASONS)
    lock_games(tournament)
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
    waiting = MatchGame.objects.filter(
        match__stage=squad.stage_id, match__sides__squad=squad, game__version=0, game__seats__entry=out.pk
    )
    games = sorted({str(game) for game in waiting.values_list("game", flat=True)})
    decide(
        tournament,
        "entry_substituted",
        said | {"games": games},
        actor,
        expected_version=expected_version,
        client_id=client_id,
        client_body=said,
    )
    return tournament


@transaction.atomic
def forfeit_open_games(tournament: Tournament, actor: Actor, squad: Squad) -> int:
    """Give the games that a squad of a draw of mini-tournaments has still to play to the others; how many.

    A game against somebody who doesn't take part either is won by nobody. Done twice, nothing is left to do.
    """
    tournament = lock(tournament)
    expect_status(tournament, Tournament.Status.PUBLISHED)
    lock_games(tournament)
    open_ = (
        MatchGame.objects.filter(match__stage=squad.stage_id, match__sides__squad=squad, game__is_over=False)
        .select_related("match", "game")
        .prefetch_related("match__sides__squad__members__entry")
        .order_by("match__round", "match__wave", "number")
        .distinct()
    )
    removed = Removals.of(read.facts(tournament.pk))
    given = 0
    for game in open_:
        sides = {side.number: side.squad for side in game.match.sides.all()}
        playing = [sides[number] for number in game.sides]
        if squad not in playing:
            continue
        others = [seat for seat, each in enumerate(playing) if each != squad and not _is_gone(each, removed)]
        enter_result(game, actor, seat=others[0] if others else None, reason="forfeit")
        given += 1
    return given


def _is_gone(squad: Squad, removed: Removals) -> bool:
    """Whether the squad or its team was removed, or nobody of it takes part any more."""
    team = str(squad.team_id)
    if team in removed.teams or (team, squad.number) in removed.squads:
        return True
    return all(member.entry.status != Entry.Status.ENTERED for member in squad.members.all())
