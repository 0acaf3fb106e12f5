"""Throw projections away and build them again from facts."""

from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from games import logbook
from games.models import Game
from ledger import read
from people.models import Event
from tournaments import match_facts, projection, standing
from tournaments.decisions import lock, lock_games
from tournaments.drawn_rows import taking_the_place_of_others
from tournaments.models import Outlook, Palio, Standing, Tournament
from tournaments.palio import check as overall_check


def rebuild(event: Event | None = None) -> int:
    """Throw the projections of an event, or of all, away and build them again; returns how many
    tournaments.
    """
    tournaments = Tournament.objects.all() if event is None else event.tournaments.all()
    count = 0
    for tournament in tournaments.select_related("event"):
        with transaction.atomic():
            rebuild_tournament(tournament)
        count += 1
    for palio in palios(event):
        with transaction.atomic():
            overall_check.rebuild_palio(palio)
    return count


def palios(event: Event | None = None) -> QuerySet[Palio]:
    """The palio of an event, or those of all."""
    rows = Palio.objects.select_related("event")
    return rows if event is None else rows.filter(event=event)


def rebuild_tournament(tournament: Tournament) -> set[UUID]:
    """Build one tournament's rows again: decisions, games, and every version of its standings.

    Returns the ids of all matches and games that were ever drawn.
    """
    tournament = lock(tournament)
    lock_games(tournament)
    tournament.status = Tournament.Status.SET_UP
    with taking_the_place_of_others() as drawn:
        Game.objects.filter(
            Q(group=tournament.pk) | Q(match_game__match__stage__tournament=tournament)
        ).delete()
        tournament.stages.all().delete()
        for fact in read.facts(tournament.pk):
            projection.project(tournament, fact)
    _rebuild_standings(tournament)
    # Not one of the projections that are compared: it is made anew by the task that looks ahead.
    Outlook.objects.filter(tournament=tournament).delete()
    standing.compute(tournament.pk)
    return drawn


def _rebuild_standings(tournament: Tournament) -> None:
    """Compute the rows of every version again, from the facts up to the heads that it read."""
    decisions = read.facts(tournament.pk)
    games = standing.drawn_games(tournament)
    versions = list(tournament.standings_versions.order_by("number"))
    # Only games that were begun are read, and also one that isn't drawn any more; so with matches of which
    # something was confirmed or disputed.
    begun = {UUID(stream) for version in versions for stream in version.heads} - {tournament.pk}
    spoken_of = read.of_kind(begun, match_facts.STREAM_KIND)
    histories = {game: logbook.outcomes(game) for game in sorted(begun - spoken_of)}
    said = {match: match_facts.confirmations(match) for match in sorted(spoken_of)}
    for version in versions:
        known = [fact for fact in decisions if fact.sequence <= version.heads.get(str(tournament.pk), 0)]
        outcomes = {
            game: logbook.outcome_at(history, version.heads.get(str(game), 0))
            for game, history in histories.items()
        }
        confirmed = {
            game
            for match, facts in said.items()
            for sequence, game, at in facts
            if sequence <= version.heads.get(str(match), 0) and at == version.heads.get(str(game))
        }
        read_in = standing.inputs(known, games, outcomes, confirmed)
        ranked = read_in.rank()
        version.rows.all().delete()
        for name, value in standing.summary(read_in, ranked).items():
            setattr(version, name, value)
        version.save()
        Standing.objects.bulk_create(standing.standing_rows(version, read_in, ranked))
