"""The rows of the public standings, put together from what is stored: of teams, or of squads where these are
ranked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.utils.translation import ngettext

from people.display_names import Viewer
from people.models import Event, Team
from publishing.counted_matches import ListedTable, Opponent
from rendering.text.numbers import bent_by, spoken
from tournaments.facts.reasons import REASONS
from tournaments.models import Standing
from tournaments.projections.removed_squads import is_ranked_last, removed
from tournaments.projections.rounds.course import Key
from tournaments.queries.counted_table_rounds import RoundAway
from tournaments.queries.order_reasons import KnockoutEnd, ShownTie, reason, reasons_of, still_in
from tournaments.queries.squad_names import ranked_squad_names
from tournaments.queries.standings import StandingsTable
from tournaments.standings import ADDED_UP

_BY_FORMAT = "stage_place"


@dataclass(frozen=True, slots=True)
class PublicStandingsRow:
    """One line: place, who it is, points, why it is ahead of the next, places climbed, and the games behind
    it.

    `name` is the team's, or that of the squad's players; `key` tells it from the others of a page. `points`
    are as they are read, empty where nothing is played, `count` as a number; with `counts_games` they are
    games won. `is_in`: nobody can say a place yet, since it is still in the knockout. `goes_on`: it comes
    into the next stage as it stands.
    `tables` are those of many at which it sat, `sat_out` the rounds that it didn't play. `is_removed`: the
    reason says why it doesn't play on.
    `placement` are the placement points as they are read, only once the tournament is closed, and of many
    squads only where there are any;
    `placement_count` as a number. `by_decision`: a sentence for each time that points were given or taken.
    """

    place: int
    team: Team
    name: str
    key: str
    points: str
    count: int
    tied: bool
    reason: str
    movement: int | None
    placement: str
    placement_count: int
    against: Sequence[Opponent]
    counts_games: bool = False
    is_in: bool = False
    goes_on: bool = False
    is_removed: bool = False
    by_decision: Sequence[str] = ()
    sat_out: Sequence[RoundAway] = ()
    tables: Sequence[ListedTable] = ()


@dataclass(frozen=True, slots=True)
class OrderStep:
    """One of the three first on the steps.

    `points` are placement points, or those of the palio where it `is_overall`, as they are read; `count` is
    the number that words follow.
    """

    place: int
    team: Team
    points: str
    count: int
    name: str = ""
    is_overall: bool = False


@dataclass(frozen=True, slots=True)
class PublicGroup:
    """The table of a group."""

    name: str
    rows: list[PublicStandingsRow]


@dataclass(frozen=True, slots=True)
class RowNames:
    """What those of a table are called: `long` as their line begins, `short` in sentences about others."""

    long: Mapping[UUID, str]
    short: Mapping[str, str]

    @classmethod
    def of(cls, rows: Sequence[Standing], squads: Mapping[UUID, str]) -> "RowNames":
        """`squads` are the names of squads by id; those of teams are in the rows."""
        long = {row.contestant_id: squads.get(row.contestant_id, row.team.name) for row in rows}
        short = {str(row.contestant_id): squads.get(row.contestant_id, row.team.short_name) for row in rows}
        return cls(long, short)


def squads_in(event: Event, tables: Iterable[StandingsTable]) -> dict[UUID, str]:
    """The names of the squads that stand in these tables, by id; one query where squads are ranked."""
    ranking = [each.version.pk for each in tables if any(row.squad_id for row in each.rows)]
    return ranked_squad_names(Viewer.public(event), ranking) if ranking else {}


def rows(
    table: StandingsTable,
    names: RowNames,
    stage_format: str = "",
    against: Mapping[UUID, list[Opponent]] | None = None,
    sat_out: Mapping[Key, Sequence[RoundAway]] | None = None,
    ends: Mapping[UUID, KnockoutEnd] | None = None,
    tables: Mapping[UUID, Sequence[ListedTable]] | None = None,
) -> list[PublicStandingsRow]:
    """The rows in their order. Before the first game everybody is level, and nothing has to be explained.

    `stage_format` is that of the stage that is on, of a format drawn round by round; `ends` say how a
    knockout ended for whom.
    """
    version = table.version
    level = still_in(table, stage_format)
    reasons = reasons_of(table, names.short, stage_format, ends)
    return [
        PublicStandingsRow(
            place=row.place,
            team=row.team,
            name=names.long[row.contestant_id],
            key=f"team-{row.team.number}" + (f"-{row.squad.number}" if row.squad else ""),
            points=spoken(str(_points(row.metrics, row.games_won))) if version.games_total else "",
            count=bent_by(str(_points(row.metrics, row.games_won))),
            tied=row.is_tied,
            reason=reasons[row.contestant_id],
            movement=None if version.is_final else row.movement,
            placement=_placement(row) if version.is_final else "",
            placement_count=bent_by(row.placement_points or "0"),
            against=against[row.contestant_id] if against else (),
            counts_games=_counts_games(row.metrics),
            is_in=row.contestant_id in level and row.removal is None,
            is_removed=row.removal is not None,
            by_decision=_by_decision(row, row.metrics),
            sat_out=(sat_out or {}).get((str(row.team_id), row.squad.number), ()) if row.squad else (),
            tables=(tables or {}).get(row.contestant_id, ()),
        )
        for row in table.rows
    ]


def groups(
    table: StandingsTable,
    lines: Sequence[PublicStandingsRow],
    names: RowNames,
    settings: Mapping[str, Any],
    stage: int,
) -> list[PublicGroup]:
    """The tables of the groups of the stage of that number, whose rows are among `lines`."""
    by_squad = {str(row.contestant_id): (row, line) for row, line in zip(table.rows, lines, strict=True)}
    going_on = _going_on(settings, stage)
    found = []
    for group in table.version.groups:
        of_group = [row for row in group["rows"] if row["squad"] in by_squad]
        # Who doesn't play any more leaves its place in the next stage to who stands behind.
        playing_on = [row["place"] for row in of_group if by_squad[row["squad"]][0].removal is None]
        shown = []
        for row in of_group:
            standing, line = by_squad[row["squad"]]
            level = [names.short[o["squad"]] for o in of_group if o["place"] == row["place"] and o is not row]
            # What nobody decided was a removal.
            below = [each for each in of_group if each["place"] > row["place"] and not row["decided_by"]]
            gone = [names.short[each["squad"]] for each in below]
            ahead = reason(row["decided_by"], names.short, ShownTie(level) if row["is_tied"] else None, gone)
            value = _points(row["metrics"], standing.games_won)
            shown.append(
                replace(
                    line,
                    place=row["place"],
                    tied=row["is_tied"],
                    points=spoken(str(value)),
                    count=bent_by(str(value)),
                    counts_games=_counts_games(row["metrics"]),
                    by_decision=_by_decision(standing, row["metrics"]),
                    reason=removed(standing.removal, ahead if table.version.games_played else ""),
                    movement=None,
                    goes_on=standing.removal is None
                    and sum(place <= row["place"] for place in playing_on) <= going_on
                    and table.version.games_played > 0,
                )
            )
        found.append(PublicGroup(group["name"], shown))
    return found


def _going_on(settings: Mapping[str, Any], stage: int) -> int:
    """How many of each group go on; 0 where the rule is another, or no stage follows."""
    later = settings.get("later") or ()
    if not 0 < stage <= len(later):
        return 0
    rule = dict(later[stage - 1].get("qualification") or {})
    asked = {key for key in ("best_of_place", "first_overall", "everybody") if rule.get(key)}
    return 0 if asked else int(rule.get("first_of_each_group") or 0)


def _points(metrics: Sequence[Sequence[str | None]], games_won: int) -> Fraction:
    """The points of a row, or the games won where the tournament doesn't ask for points."""
    value = next((value for metric, value in metrics if metric in ADDED_UP), None)
    return Fraction(games_won) if value is None else Fraction(value)


def _by_decision(row: Standing, metrics: Sequence[Sequence[str | None]]) -> list[str]:
    """Why its points are others than its games add up to; nothing where points don't order the table."""
    if all(metric not in ADDED_UP for metric, _value in metrics):
        return []
    return [
        ngettext(
            "%(points)s point by decision: %(reason)s",
            "%(points)s points by decision: %(reason)s",
            abs(points),
        )
        % {"points": f"{points:+d}".replace("-", "−"), "reason": REASONS[code]}
        for points, code in row.adjustments
    ]


def _placement(row: Standing) -> str:
    points = row.placement_points
    return "" if not points or (row.squad and not Fraction(points)) else spoken(points)


def _counts_games(metrics: Sequence[Sequence[str | None]]) -> bool:
    asked = {metric for metric, _ in metrics}
    return _BY_FORMAT in asked and not asked & ADDED_UP


def steps(table: StandingsTable, names: RowNames) -> list[OrderStep]:
    """The three first of final standings, without those who were removed and come last; nobody before."""
    if not table.version.is_final:
        return []
    return [
        OrderStep(
            row.place,
            row.team,
            spoken(row.placement_points) if row.placement_points else "",
            bent_by(row.placement_points or "0"),
            names.long[row.contestant_id],
        )
        for row in table.rows
        if row.place <= 3 and not is_ranked_last(row.removal)
    ]
