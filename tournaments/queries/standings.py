"""Versions of a tournament's standings with their rows, as pages and programs read them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Prefetch, Subquery

from people.models import Event
from tournaments.models import Standing, StandingsVersion, Tournament


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """One version of the standings with its rows."""

    version: StandingsVersion
    rows: tuple[Standing, ...]


def standings_table(tournament: Tournament, at: datetime | None = None) -> StandingsTable | None:
    """The current standings, or those that stood at a moment; None before the first. Two queries at
    most.
    """
    versions = tournament.standings_versions.order_by("-number")
    version = (versions if at is None else versions.filter(computed_at__lte=at)).first()
    if version is None:
        return None
    rows = Standing.objects.filter(version=version).select_related("team", "squad").order_by("position")
    return StandingsTable(version, tuple(rows))


def newest_tables(event: Event) -> dict[UUID, StandingsTable]:
    """The current standings of all tournaments of an event by the tournament's id; two queries."""
    newest = StandingsVersion.objects.filter(tournament=OuterRef("tournament")).order_by("-number")
    versions = StandingsVersion.objects.filter(
        tournament__event=event, number=Subquery(newest.values("number")[:1])
    ).defer("heads")
    tables = versions.order_by("tournament").prefetch_related(
        Prefetch("rows", Standing.objects.select_related("team", "squad").order_by("position"))
    )
    return {each.tournament_id: StandingsTable(each, tuple(each.rows.all())) for each in tables}


def table_json(table: StandingsTable) -> dict[str, Any]:
    """The standings for programs; ids for teams beside their names, exact numbers as text."""
    version = table.version
    return {
        "version": version.number,
        "computed_at": version.computed_at.isoformat(),
        "games_played": version.games_played,
        "games_total": version.games_total,
        "rounds_played": version.rounds_played,
        "is_final": version.is_final,
        "has_open_ties": version.has_open_ties,
        "receipt": version.receipt or None,
        "rows": [
            {
                "place": row.place,
                "team": {"id": str(row.team_id), "number": row.team.number, "name": row.team.name},
                "squad": None if row.squad is None else row.squad.number,
                "is_tied": row.is_tied,
                "games_won": row.games_won,
                "games_played": row.games_played,
                "metrics": dict(row.metrics),
                "decided_by": row.decided_by,
                "placement_points": row.placement_points or None,
                "removal": row.removal,
                "movement": row.movement,
            }
            for row in table.rows
        ],
    }
