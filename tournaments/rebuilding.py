"""Throw projections away and build them again from facts."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from games import logbook
from games.models import Game
from games.outcome import Outcome
from ledger import read
from people.models import Event
from tournaments import match_facts, projection, standing
from tournaments.decisions import lock, lock_games
from tournaments.drawn_rows import taking_the_place_of_others
from tournaments.models import Outlook, Palio, Standing, StandingsVersion, Tournament
from tournaments.palio import check as overall_check

History = list[tuple[int, Outcome]]
"""A game's outcomes, each with the sequence from which on it is that."""
BATCH = 500


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
    """Compute the rows of every version again, from the facts up to the heads that it read.

    From one version to the next little has changed, so all that hasn't is taken along.
    """
    decisions = read.facts(tournament.pk)
    games = standing.drawn_games(tournament)
    versions = list(tournament.standings_versions.order_by("number"))
    histories, said = _read_by(tournament, versions)
    Standing.objects.filter(version__tournament=tournament).delete()
    reached: dict[UUID, int] = {}
    outcomes: dict[UUID, Outcome] = {}
    known: standing.KnownResults = {}
    rows: list[Standing] = []
    for version in versions:
        heads = version.heads
        for game, history in histories.items():
            sequence = heads.get(str(game), 0)
            if reached.get(game) != sequence:
                reached[game] = sequence
                outcomes[game] = logbook.outcome_at(history, sequence)
        confirmed = {
            game
            for match, facts in said.items()
            for sequence, game, at in facts
            if sequence <= heads.get(str(match), 0) and at == heads.get(str(game))
        }
        decided = [fact for fact in decisions if fact.sequence <= heads.get(str(tournament.pk), 0)]
        read_in = standing.inputs(decided, games, outcomes, confirmed, known)
        ranked = read_in.rank()
        summary = standing.summary(read_in, ranked)
        if any(getattr(version, name) != value for name, value in summary.items()):
            for name, value in summary.items():
                setattr(version, name, value)
            version.save(update_fields=list(summary))
        rows += standing.standing_rows(version, read_in, ranked)
    Standing.objects.bulk_create(rows, batch_size=BATCH)


def _read_by(
    tournament: Tournament, versions: Sequence[StandingsVersion]
) -> tuple[dict[UUID, History], dict[UUID, list[tuple[int, UUID, int]]]]:
    """The outcomes of all games that versions have read, and what was confirmed in matches.

    Only games that were begun are read, and also one that isn't drawn any more. Most versions read a game to
    the end that it has now, of which its row, just built again, has the outcome; where one stopped before,
    the log is replayed.
    """
    stops: dict[UUID, set[int]] = defaultdict(set)
    for version in versions:
        for stream, sequence in version.heads.items():
            stops[UUID(stream)].add(sequence)
    stops.pop(tournament.pk, None)
    spoken_of = read.of_kind(stops, match_facts.STREAM_KIND)
    ended = {row.pk: row for row in standing.games_as_they_stand(tournament.pk)}
    histories: dict[UUID, History] = {}
    for game in sorted(stops.keys() - spoken_of):
        row = ended.get(game)
        if row is not None and stops[game] == {row.version}:
            histories[game] = [(row.version, Outcome.of_row(row))]
        else:
            histories[game] = logbook.outcomes(game)
    return histories, {match: match_facts.confirmations(match) for match in sorted(spoken_of)}
