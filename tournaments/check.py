"""Verify that nothing was altered, and build every projection again from facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games import logbook
from games.engine import Refusal, audit, dump, load
from games.engine import replay as replay_events
from games.models import Game
from games.outcome import Outcome
from games.stored import stored_log
from ledger import outbox, read
from ledger import verify as verify_ledger
from people.models import Event
from tournaments import due, match_facts, projection, standing
from tournaments.decisions import lock, lock_games
from tournaments.models import (
    DrawnRound,
    Match,
    MatchGame,
    MatchSide,
    Outlook,
    Palio,
    Squad,
    SquadMember,
    Stage,
    Standing,
    StandingsVersion,
    Tournament,
)
from tournaments.palio import check as overall_check
from tournaments.palio import decisions as overall_decisions
from tournaments.palio import due as overall_due
from tournaments.palio import standing as overall

# What `picture` compares, by its kinds.
ROWS = {
    "settings": gettext_lazy("the settings"),
    "stages": gettext_lazy("the draw"),
    "rounds": gettext_lazy("the rounds"),
    "squads": gettext_lazy("who plays together"),
    "squad members": gettext_lazy("who plays together"),
    "matches": gettext_lazy("where and when they meet"),
    "confirmations": gettext_lazy("what was confirmed or disputed"),
    "sides": gettext_lazy("who meets whom"),
    "match games": gettext_lazy("the games of a meeting"),
    "games": gettext_lazy("the results of games"),
    "seats": gettext_lazy("who sits where"),
    "versions of the standings": gettext_lazy("the standings of the day"),
    "standings": gettext_lazy("the standings"),
}


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that doesn't hold: where, and what, in the reader's language."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def verify(event: Event | None = None) -> Iterator[Wrong]:
    """Everything that is wrong with an event, or with all: chains and receipts, legality of every game, and
    projections that differ from what the facts say. Changes nothing.
    """
    for finding in verify_ledger.verify(event.pk if event else None):
        where = _("stream %(id)s") % {"id": finding.stream} if finding.stream else _("the ledger")
        yield Wrong(where, str(finding))
    tournaments = Tournament.objects.all() if event is None else event.tournaments.all()
    for tournament in tournaments.select_related("event"):
        yield from _wrong_games(tournament)
        yield from _wrong_rows(tournament)
    for palio in palios(event):
        yield from _wrong_palio(palio)


def _wrong_games(tournament: Tournament) -> Iterator[Wrong]:
    for row in Game.objects.filter(group=tournament.pk).order_by("pk"):
        if not _what_is_wrong(row):
            continue
        # Somebody may have written between the reading of the row and of its log: once more, with it locked.
        with transaction.atomic():
            held = Game.objects.select_for_update(no_key=True).filter(pk=row.pk).first()
            found = _what_is_wrong(held) if held is not None else []
        for what in found:
            yield Wrong(_("game %(id)s") % {"id": row.pk}, what)


def _what_is_wrong(row: Game) -> list[str]:
    against_log = _differs_from_log(row)
    return [*([] if against_log is None else [against_log]), *_broken(row)]


def _differs_from_log(row: Game) -> str | None:
    try:
        log = stored_log(row.pk)
        state = replay_events(log) if log else None
    except Refusal as refusal:
        return _("the stored log is not legal: %(refusal)s") % {"refusal": refusal}
    if row.version != len(log):
        versions = {"version": row.version, "lines": len(log)}
        return _("the row is at version %(version)d, the log has %(lines)d lines") % versions
    if state is not None and (
        row.snapshot != dump(state) or Outcome.of_row(row) != Outcome.of_log(log, state)
    ):
        return _("the stored state differs from the replayed log")
    return None


def _broken(row: Game) -> Iterator[str]:
    """Every invariant of a game that the stored state breaks, whatever its log says."""
    if row.snapshot is None:
        return
    try:
        found = audit(load(row.snapshot))
    except Exception as error:
        # What was altered where it is stored can be anything, so whatever stands in the way is the finding.
        yield _("the stored state can't be read: %(error)r") % {"error": error}
        return
    for broken in found:
        names = {
            "code": broken.code,
            "sentence": broken.sentence(get_language() or "en"),
            "detail": broken.detail,
        }
        yield _("the stored state breaks %(code)s (%(detail)s). %(sentence)s") % names


def _wrong_rows(tournament: Tournament) -> Iterator[Wrong]:
    """Compare by building again and rolling back."""
    where = _("tournament %(id)s") % {"id": tournament.pk}
    with transaction.atomic():
        try:
            lock_games(lock(tournament))
            # A result that nobody has computed from yet is late, not wrong.
            if outbox.take(due.TOPIC, tournament.pk):
                standing.compute(tournament.pk)
            before = picture(tournament)
            rebuild_tournament(tournament)
            after = picture(tournament)
        except Exception as error:
            # Facts that were tampered with can be anything, so whatever stands in the way is the finding.
            yield Wrong(where, _("it can't be built again from its facts: %(error)s") % {"error": error})
            return
        finally:
            transaction.set_rollback(True)
    for name in before:
        if before[name] != after[name]:
            yield Wrong(where, _("%(rows)s: not as the facts say") % {"rows": ROWS[name]})


def _wrong_palio(palio: Palio) -> Iterator[Wrong]:
    """The same for the overall table."""
    where = _("palio %(id)s") % {"id": palio.pk}
    with transaction.atomic():
        try:
            overall_decisions.lock(palio)
            if outbox.take(overall_due.TOPIC, palio.pk):
                overall.compute(palio.pk)
            before = overall_check.picture(palio)
            overall_check.rebuild_palio(palio)
            after = overall_check.picture(palio)
        except Exception as error:
            yield Wrong(where, _("it can't be built again from its facts: %(error)s") % {"error": error})
            return
        finally:
            transaction.set_rollback(True)
    for name in before:
        if before[name] != after[name]:
            yield Wrong(where, _("%(rows)s: not as the facts say") % {"rows": overall_check.ROWS[name]})


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


def rebuild_tournament(tournament: Tournament) -> None:
    """Build one tournament's rows again: decisions, games, and every version of its standings."""
    tournament = lock(tournament)
    lock_games(tournament)
    tournament.status = Tournament.Status.SET_UP
    for fact in read.facts(tournament.pk):
        projection.project(tournament, fact)
    _rebuild_standings(tournament)
    # Not one of the projections that are compared: it is made anew by the task that looks ahead.
    Outlook.objects.filter(tournament=tournament).delete()
    standing.compute(tournament.pk)


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
        known = [fact for fact in decisions if fact.sequence <= version.heads[str(tournament.pk)]]
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


def picture(tournament: Tournament) -> dict[str, Any]:
    """All projected rows of a tournament as comparable values, by kind, without the ids that are made up
    anew.
    """
    stages = Stage.objects.filter(tournament=tournament)
    matches = Match.objects.filter(stage__in=stages)
    versions = StandingsVersion.objects.filter(tournament=tournament)
    games = Game.objects.filter(group=tournament.pk).order_by("pk")
    return {
        "settings": list(
            Tournament.objects.filter(pk=tournament.pk).values_list("settings", "status", "version")
        ),
        "stages": list(
            stages.order_by("pk").values_list("pk", "number", "format", "seed", "method", "options", "match")
        ),
        "rounds": list(
            DrawnRound.objects.filter(stage__in=stages)
            .order_by("number")
            .values_list("stage", "number", "title", "values", "byes")
        ),
        "squads": list(
            Squad.objects.filter(stage__in=stages).order_by("pk").values_list("pk", "team", "number")
        ),
        "squad members": list(
            SquadMember.objects.filter(squad__stage__in=stages)
            .order_by("squad", "position")
            .values_list("squad", "entry")
        ),
        "matches": list(
            matches.order_by("pk").values_list(
                "pk", "stage", "round", "wave", "table__number", "drawn_wave", "drawn_table", "slot"
            )
        ),
        "confirmations": [
            *matches.filter(version__gt=0).order_by("pk").values_list("pk", "version"),
            *MatchGame.objects.filter(match__in=matches)
            .exclude(confirmed_version=0, disputed_version=0)
            .order_by("match", "number")
            .values_list("match", "number", "confirmed_version", "disputed_version", "dispute"),
        ],
        "sides": list(
            MatchSide.objects.filter(match__in=matches)
            .order_by("match", "number")
            .values_list("match", "number", "squad")
        ),
        "match games": list(
            MatchGame.objects.filter(match__in=matches)
            .order_by("match", "number")
            .values_list("match", "number", "sides", "game")
        ),
        "games": list(games.values_list("pk", "ruleset", "group", "scope", *logbook.PROJECTED)),
        "seats": list(
            games.order_by("pk", "seats__number").values_list(
                "pk", "seats__number", "seats__entry", "seats__team"
            )
        ),
        "versions of the standings": list(
            versions.order_by("number").values_list(
                "number",
                "heads",
                "games_played",
                "games_total",
                "rounds_played",
                "has_open_ties",
                "is_all_drawn",
                "groups",
                "order",
                "is_final",
                "receipt",
            )
        ),
        "standings": list(
            Standing.objects.filter(version__in=versions)
            .order_by("version__number", "position")
            .values_list(
                "version__number",
                "team",
                "squad",
                "position",
                "place",
                "is_tied",
                "games_won",
                "games_played",
                "metrics",
                "decided_by",
                "placement_points",
            )
        ),
    }
