"""A team's page: its matches and places over all tournaments of its event."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Subquery

from people.models import Event, Team
from publishing.counted_matches import AT_TABLES, inputs_at_tables, sat_out
from publishing.match_display import ShownMatch
from publishing.page_cache import is_at_once, shared
from publishing.standings_rows import PublicStandingsRow, RowNames, rows, squads_in
from publishing.subjects import event_parts, of_last_stage
from publishing.timetable import items_of, of_team, planned_of, shown_items
from tournaments.models import OverallStanding, OverallVersion, Tournament
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.standings import StandingsTable, newest_tables
from tournaments.standings import ADDED_UP

MOST_SQUADS = 5
"""So many of a team's squads are listed with their places; the others stand in the standings."""


@dataclass(frozen=True, slots=True)
class RankedTeam:
    """A tournament with the rows of a team in its standings: one, or the best of its squads."""

    tournament: Tournament
    rows: tuple[PublicStandingsRow, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class TeamRound:
    """Matches of a team in a round of a tournament."""

    tournament: Tournament
    number: int
    matches: tuple[ShownMatch, ...]

    @property
    def title(self) -> str:
        """What is played in it: the final, the third place, or both."""
        return ", ".join(dict.fromkeys(match.view.round_name for match in self.matches))


@dataclass(frozen=True, slots=True)
class Played:
    """A team's matches: those that are on, those still to come, and those that are over, the newest first."""

    on: tuple[TeamRound, ...]
    coming: tuple[TeamRound, ...]
    over: tuple[TeamRound, ...]


def tables_of(event: Event) -> dict[UUID, StandingsTable]:
    """The current standings of all of the event's tournaments; two queries, none for one more page."""
    return shared(("tables", event.pk), lambda: newest_tables(event))


def team_stamps(event: Event, team: Team | None = None) -> dict[int, str]:
    """What the page of each of the event's teams (or of one) stands on, by the team's number.

    Eleven queries for one team; twelve for all, however many there are.
    """
    teams = [team] if team is not None else list(event.teams.order_by("number"))
    tournaments: Any = event.tournaments.annotate(**event_parts()).order_by("pk")
    shown = list(tournaments.values_list("pk", "version", "status", "last_change", "looks", "announced"))
    stands: dict[UUID, list[Any]] = defaultdict(list)
    for pk, table in tables_of(event).items():
        for row in table.rows:
            points = [str(value) for metric, value in row.metrics if metric in ADDED_UP]
            state = (
                row.place,
                row.is_tied,
                points,
                row.games_won,
                row.movement,
                str(row.removal),
                row.adjustments,
            )
            shape = (table.version.is_final, bool(table.version.groups), bool(table.version.games_played))
            stands[row.team_id].append((pk, row.contestant_id, *state, *shape))
    for overall in _overall(event):
        stands[overall.team_id].append((overall.place, overall.is_tied, overall.total))
    rows = planned_of(event, list(event.tournaments.all()))
    played = {
        each.pk: [(row.match, row.hour, row.table, row.written, row.seen) for row in of_team(rows, each)]
        for each in teams
    }
    return {each.number: f"{each.pk} {shown} {stands[each.pk]} {played[each.pk]}" for each in teams}


def stamps_of_teams(event: Event) -> dict[int, str]:
    """The stamps of all of the event's teams; none is worked out again for one more page."""
    return shared(("teams", event.pk), lambda: team_stamps(event))


def stamp_of_team(team: Team) -> str:
    """The stamp of one team's page; eleven queries, none where all of them are made at once."""
    stamps = stamps_of_teams(team.event) if is_at_once() else team_stamps(team.event, team)
    return stamps[team.number]


def matches_of(team: Team) -> list[ShownMatch]:
    """All matches of a team by tournaments and rounds, in no language. Eleven queries; where pages are made
    at once one, and those for matches that no other page has shown.
    """
    event = team.event
    chosen = of_team(planned_of(event, list(event.tournaments.all())), team)
    return sorted(shown_items(event, items_of(event, chosen)), key=_in_order)


def _in_order(match: ShownMatch) -> tuple[Any, ...]:
    view = match.view
    begins_at = match.hour.begins_at if match.hour else None
    return view.tournament.name, view.tournament.pk, view.round, begins_at, view.wave, view.table.number


def _overall(event: Event) -> list[OverallStanding]:
    """The rows of the event's overall table; one query, none for one more page."""
    newest = OverallVersion.objects.filter(palio__event=event).order_by("-number").values("pk")[:1]
    rows = OverallStanding.objects.filter(version=Subquery(newest)).order_by("position")
    return shared(("overall", event.pk), lambda: list(rows))


def overall_of(team: Team) -> OverallStanding | None:
    """The team's row of the overall table, if there is one; one query."""
    return next((row for row in _overall(team.event) if row.team_id == team.pk), None)


def ranked(team: Team) -> list[RankedTeam]:
    """The tournaments whose draw is published with the team's rows; four queries at most, and three
    for each tournament at tables of many.
    """
    event = team.event
    public = event.tournaments.filter(status__in=Tournament.PUBLIC)
    drawn: Any = public.annotate(stage_format=of_last_stage("format"))
    tables = tables_of(event)
    squads = squads_in(event, tables.values())
    return [
        _ranked(each, team, tables[each.pk], squads) for each in drawn.order_by("name") if each.pk in tables
    ]


def _ranked(tournament: Any, team: Team, table: StandingsTable, squads: dict[UUID, str]) -> RankedTeam:
    version = table.version
    has_tables = AT_TABLES & {stage["format"] for stage in tournament.stage_settings}
    at_tables = shared(("at tables", version.pk), lambda: inputs_at_tables(version)) if has_tables else None
    away = sat_out(version, at_tables) if at_tables else None
    lines = rows(table, RowNames.of(table.rows, squads), tournament.stage_format or "", sat_out=away)
    mine = [line for line in lines if line.team == team]
    if table.version.groups and not table.version.is_final:
        # While groups are played there is no place among all.
        mine = []
    return RankedTeam(tournament, tuple(mine[:MOST_SQUADS]), max(0, len(mine) - MOST_SQUADS))


def played(matches: Sequence[ShownMatch]) -> Played:
    """A team's matches by how far they are, round by round."""

    def rounds(*progress: MatchProgress) -> list[TeamRound]:
        chosen = [match for match in matches if match.view.progress in progress]
        by_round = groupby(chosen, key=lambda match: (match.view.tournament, match.view.round))
        return [TeamRound(tournament, number, tuple(found)) for (tournament, number), found in by_round]

    return Played(
        tuple(rounds(MatchProgress.PLAYING)),
        tuple(rounds(MatchProgress.WAITING)),
        tuple(reversed(rounds(MatchProgress.DONE))),
    )
