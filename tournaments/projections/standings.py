"""Standings as computed and stored: the thin shell around the pure `standings`."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import logbook
from games.outcome import Outcome
from ledger import outbox, receipts
from people.refusals import Refused
from tournaments.facts import earlier, outbox_topics, version_seals
from tournaments.models import MatchGame, Standing, StandingsVersion, Tournament
from tournaments.projections.round_end_places import RoundCourse, RoundEnds
from tournaments.projections.rounds.ranking import GroupTable
from tournaments.projections.standings_inputs import Entered, StandingsInputs, as_entered, inputs
from tournaments.settings.confirmation import NOBODY, confirmation_rule
from tournaments.standings import OverallRow, Row, still_held, unresolved_ties


@transaction.atomic
def compute(tournament_id: UUID) -> StandingsVersion | None:
    """Bring the standings up to date and return the current version; None before the draw is published.

    Twice, late or in any order it gives the same rows: a version is added only where something is due. A draw
    that can still be made anew has none: versions are never changed, and it has no results.
    """
    # Without an order: the usual one would join the event, and lock it with the tournament.
    rows = Tournament.objects.select_for_update(no_key=True).order_by()
    tournament = rows.filter(pk=tournament_id).first()
    if tournament is None:
        return None
    taken = outbox.take(outbox_topics.STANDINGS, tournament_id)
    latest = newest(tournament)
    if tournament.status in Tournament.PUBLIC and (taken or latest is None):
        latest = _version_of(tournament, latest, as_entered(tournament))
    if taken and tournament.status == Tournament.Status.PUBLISHED and tournament.follows_results:
        outbox.announce(outbox_topics.ADVANCE, tournament.pk, tournament.pk, tournament.version)
    if taken:
        outbox.announce(outbox_topics.SHOWN, tournament.event_id, tournament.pk, tournament.version)
    outbox.settle(taken)
    return latest


def newest(tournament: Tournament) -> StandingsVersion | None:
    """The version that was computed last; one query."""
    return tournament.standings_versions.order_by("-number").first()


def add_what_is_missing(tournament: Tournament) -> None:
    """Add the version that has to be there by the facts, whatever is due: for who builds everything again.

    Most of what is entered at a table changes no outcome, is never due, and makes no version.
    """
    if tournament.status in Tournament.PUBLIC:
        latest, entered = newest(tournament), as_entered(tournament)
        if latest is None or is_behind(tournament, latest, entered):
            _version_of(tournament, latest, entered)


def current(tournament: Tournament) -> StandingsVersion:
    """The standings, brought up to date; `Refused("not-drawn")` where there is nothing to order yet."""
    version = compute(tournament.pk)
    if version is None:
        raise Refused("not-drawn", _("The tournament isn't drawn yet."))
    return version


def is_behind(tournament: Tournament, latest: StandingsVersion, entered: Entered) -> bool:
    """Whether something has come since the latest version that calls for another.

    That is a decision, something that was said of a result, another outcome, or a correction of a confirmed
    one.
    """
    moved = {UUID(each) for each, _head in latest.heads.items() ^ _heads(tournament, entered).items()}
    games = moved & entered.outcomes.keys()
    if games != moved:
        return True
    read_to = {game: latest.heads.get(str(game), 0) for game in games}
    if any(
        logbook.outcome_at(logbook.outcomes(game), until) != entered.outcomes[game]
        for game, until in read_to.items()
    ):
        return True
    if confirmation_rule(tournament.settings) == NOBODY:
        return False
    confirmed = MatchGame.objects.filter(game__in=games, confirmed_version__gt=0)
    return any(read_to[game] == at for game, at in confirmed.values_list("game_id", "confirmed_version"))


def _version_of(
    tournament: Tournament, latest: StandingsVersion | None, entered: Entered
) -> StandingsVersion:
    """The version of what is entered: the latest, or a new one where facts have come since."""
    heads = _heads(tournament, entered)
    if latest is not None and latest.heads == heads:
        return latest
    decisions = earlier.decisions(tournament.pk, until=tournament.version)
    read_in = inputs(decisions, entered.outcomes, entered.confirmed, entered.written)
    return _store(tournament, latest, heads, read_in)


def _heads(tournament: Tournament, entered: Entered) -> dict[str, int]:
    return {str(tournament.pk): tournament.version} | entered.heads


def _store(
    tournament: Tournament, latest: StandingsVersion | None, heads: dict[str, int], read_in: StandingsInputs
) -> StandingsVersion:
    ranked = read_in.rank()
    receipt = ""
    if read_in.closed or _is_at_end_of_round(latest, heads, read_in):
        receipt = receipts.make_receipt(tournament.event_id).root
    course = RoundCourse(RoundEnds.from_json(latest.round_ends if latest else None))
    course.go_to(read_in, tournament.version, has_receipt=bool(receipt))
    number, before = (latest.number + 1, latest.seal) if latest else (1, version_seals.FIRST)
    now = timezone.now()
    version = StandingsVersion.objects.create(
        tournament=tournament,
        number=number,
        computed_at=now,
        heads=heads,
        receipt=receipt,
        seal=version_seals.seal(before, tournament.pk, number, now, heads, receipt),
        **summary(read_in, ranked, course),
    )
    compared = None if latest is None else _stored_places(latest, heads, read_in, course)
    if compared is None:
        compared = course.places_before(read_in)
    Standing.objects.bulk_create(standing_rows(version, read_in, ranked, compared))
    outbox_topics.standings_moved(tournament, version, latest)
    return version


def _stored_places(
    latest: StandingsVersion, heads: dict[str, int], read_in: StandingsInputs, course: RoundCourse
) -> Mapping[UUID, int] | None:
    """The places that those of a new version are compared with, from the rows of the latest version.

    None where these don't say them: where anything has come since but rounds, and games of rounds after the
    compared one. Ranking that round anew costs as much as all the rest.
    """
    number = course.compared_round(read_in)
    decided = latest.heads.get(str(latest.tournament_id), 0)
    read_then = [fact for fact in read_in.decisions if fact.sequence <= decided]
    written = {UUID(each) for each, _head in heads.items() ^ latest.heads.items()} - {latest.tournament_id}
    if (
        number < 1
        or any(fact.sequence > decided and fact.type != "round_drawn" for fact in read_in.decisions)
        or not all(course.is_after(number, each) for each in written)
    ):
        return None
    rows = latest.rows.order_by().values_list("squad_id", "team_id", "place", "movement")
    ends = RoundEnds.from_json(latest.round_ends)
    if number == ends.compared_round:
        return {squad or team: place + moved for squad, team, place, moved in rows if moved is not None}
    # A round that was drawn by then may count already, for who sits it out.
    if ends.is_at_end and number == ends.complete and course.decisions_then(read_in, number) == read_then:
        return {squad or team: place for squad, team, place, _movement in rows}
    return None


def _is_at_end_of_round(
    latest: StandingsVersion | None, heads: dict[str, int], read_in: StandingsInputs
) -> bool:
    """Whether a version from these heads gets the receipt of a complete round.

    The round has just become complete, or a result was corrected before another game was over.
    """
    rounds_played, games_played = read_in.rounds_played(), read_in.count().closed
    if latest is None or rounds_played != latest.rounds_played:
        return rounds_played > (latest.rounds_played if latest else 0)
    # Most results are of a round that goes on: they need no query.
    if not rounds_played or games_played > latest.games_played:
        return False
    versions = StandingsVersion.objects.filter(tournament=latest.tournament_id, rounds_played=rounds_played)
    ends = versions.exclude(receipt="").order_by("-number").values_list("games_played", "heads")
    games_then, read_to = ends.first() or (0, {})
    if games_then != games_played:
        return False
    over = {str(game): (game, outcome) for game, outcome in read_in.outcomes.items() if outcome.is_over}
    moved = over.keys() & {stream for stream, _head in heads.items() ^ read_to.items()}
    return any(_is_corrected(*over[each], read_to.get(each, 0)) for each in moved)


def _is_corrected(game: UUID, outcome: Outcome, until: int) -> bool:
    """Whether a game was over after `until` log events, with another outcome than this one."""
    then = logbook.outcome_at(logbook.outcomes(game), until)
    return then.is_over and then != outcome


def summary(read_in: StandingsInputs, ranked: list[Row[UUID]], course: RoundCourse) -> dict[str, Any]:
    """The fields of a version that are computed; `course` has come to it."""
    count = read_in.count()
    return {
        "games_played": count.closed,
        "games_total": len(count.results),
        "is_all_drawn": read_in.is_all_drawn(),
        "groups": [group_json(table) for table in read_in.groups()],
        "order": dict(read_in.order),
        "rounds_played": read_in.rounds_played(),
        "round_ends": course.ends.to_json(),
        "has_open_ties": bool(unresolved_ties(ranked)),
        "outdated": [str(match) for match in read_in.outdated()],
        "annulled": [str(squad) for squad in read_in.annulled()],
        "is_final": read_in.closed,
    }


def standing_rows(
    version: StandingsVersion,
    read_in: StandingsInputs,
    ranked: list[Row[UUID]],
    before: Mapping[UUID, int],
) -> list[Standing]:
    """The rows of a version, not yet saved; `before` are the places that these are compared with."""
    teams = read_in.team_of()
    count = read_in.count()
    removed = read_in.removed()
    adjusted: dict[UUID, list[list[Any]]] = defaultdict(list)
    for each in still_held(read_in.adjustments):
        adjusted[each.team].append([int(each.points), each.code])
    return [
        Standing(
            version=version,
            team_id=teams[row.team],
            squad_id=None if teams[row.team] == row.team else row.team,
            position=position,
            place=row.place,
            movement=before[row.team] - row.place if row.team in before else None,
            is_tied=bool(row.tied_with),
            games_won=count.games_won[row.team],
            games_played=count.games_closed[row.team],
            metrics=values_json(row),
            decided_by=decision_json(row),
            placement_points="" if row.placement_points is None else str(row.placement_points),
            adjustments=adjusted[row.team],
            removal=removed[row.team].to_json() if row.team in removed else None,
        )
        for position, row in enumerate(ranked, start=1)
    ]


def group_json(table: GroupTable) -> dict[str, Any]:
    """A group's table as a version keeps it; squads by id."""
    return {
        "name": table.name,
        "missing": table.missing,
        "rows": [
            {
                "squad": str(row.team),
                "place": row.place,
                "is_tied": bool(row.tied_with),
                "metrics": values_json(row),
                "decided_by": decision_json(row),
            }
            for row in table.rows
        ],
    }


def values_json(row: Row[UUID] | OverallRow[UUID]) -> list[list[str | None]]:
    """The metrics of a row as a version keeps them."""
    return [[metric, None if value is None else str(value)] for metric, value in row.values]


def decision_json(row: Row[UUID] | OverallRow[UUID]) -> dict[str, Any] | None:
    """What put a row above the next place, as a version keeps it; None where nothing did."""
    if row.decided_by is None:
        return None
    told = {
        "metric": row.decided_by.metric,
        "value": str(row.decided_by.value),
        "next_value": str(row.decided_by.next_value),
        "among": [str(team) for team in row.decided_by.among],
    }
    # Said only where it is so: rows of earlier versions never have it.
    return {**told, "missing": True} if row.decided_by.missing else told
