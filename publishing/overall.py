"""The overall table of a palio in rows and words: who is ahead over all disciplines, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from people.models import Team
from publishing.standings_rows import OrderStep
from rendering.text.numbers import bent_by, spoken, spoken_apart
from tournaments.queries.order_reasons import ShownTie, level
from tournaments.queries.palio import OverallTable
from tournaments.standings import overall_metric


@dataclass(frozen=True, slots=True)
class Share:
    """What a discipline adds to a team's total, as it is read; `points` is empty while it isn't decided."""

    name: str
    points: str
    place: int | None
    joker: bool
    progress: str


@dataclass(frozen=True, slots=True)
class OverallTableRow:
    """A team's row of the overall table; `total` as it is read, `count` as a number."""

    place: int
    team: Team
    total: str
    count: int
    tied: bool
    reason: str
    shares: tuple[Share, ...]
    movement: int | None = None


def overall_rows(table: OverallTable) -> list[OverallTableRow]:
    """The rows in their order. Before the first discipline is decided nothing has to be explained."""
    names = {row.team_id: row.team.short_name for row in table.rows}
    parts = {str(each.id): each for each in table.disciplines}
    found = []
    for row in table.rows:
        others = [
            names[other.team_id]
            for other in table.rows
            if other.place == row.place and other.team_id != row.team_id
        ]
        ahead = reason(row.decided_by, table.names)
        awaits = "lots" if table.version.has_open_ties else ""
        told = level(ShownTie(others, awaits), ahead) if row.is_tied else ahead
        shares = tuple(
            Share(
                parts[share["discipline"]].name,
                "" if share["points"] is None else spoken(share["points"]),
                share["place"],
                share["joker"],
                str(parts[share["discipline"]].progress),
            )
            for share in row.shares
            if share["discipline"] in parts
        )
        line = OverallTableRow(
            row.place,
            row.team,
            spoken(row.total),
            bent_by(row.total),
            row.is_tied,
            told if table.version.decided else "",
            shares,
            None if table.version.is_final else row.movement,
        )
        found.append(line)
    return found


def reason(decided_by: Mapping[str, Any] | None, disciplines: Mapping[str, str]) -> str:
    """Why a team is placed above the next over all disciplines; empty for the last one.

    `disciplines` are the names by the keys that metrics ask for.
    """
    if decided_by is None:
        return ""
    metric, asked = overall_metric(decided_by["metric"])
    value, following = spoken_apart(decided_by["value"], decided_by["next_value"])
    return gettext(metric.ahead) % {
        "value": value,
        "next": following,
        "asked": disciplines.get(asked, asked),
    }


def steps(table: OverallTable) -> list[OrderStep]:
    """The three first of a final table; nobody before."""
    if not table.version.is_final:
        return []
    return [
        OrderStep(row.place, row.team, spoken(row.total), bent_by(row.total), is_overall=True)
        for row in table.rows
        if row.place <= 3
    ]
