"""The rows of the public standings, put together from what is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

from people.models import Team
from publishing.meetings import Opponent
from publishing.numbers import spoken
from publishing.reasons import Tie, reason
from tournaments.models import Standing
from tournaments.reading import StandingsTable


@dataclass(frozen=True, slots=True)
class Row:
    """One line: place, team, points, why it is ahead of the next, places climbed, and the games behind it.

    `placement` are the placement points as they are read, only once the tournament is closed.
    """

    place: int
    team: Team
    points: int
    tied: bool
    reason: str
    movement: int | None
    placement: str
    against: Sequence[Opponent]


@dataclass(frozen=True, slots=True)
class Step:
    """One of the three first on the steps; `points` are its placement points where they are whole."""

    place: int
    team: Team
    points: int | None


def rows(table: StandingsTable, against: dict[UUID, list[Opponent]] | None = None) -> list[Row]:
    """The rows in their order. Before the first game everybody is level, and nothing has to be explained."""
    names = {str(row.team_id): row.team.short_name for row in table.rows}
    version = table.version
    return [
        Row(
            place=row.place,
            team=row.team,
            points=points(row),
            tied=row.is_tied,
            reason=_reason(row, table, names) if version.games_played else "",
            movement=None if version.is_final else table.movement.get(row.team_id),
            placement=spoken(row.placement_points) if version.is_final and row.placement_points else "",
            against=against[row.team_id] if against else (),
        )
        for row in table.rows
    ]


def points(row: Standing) -> int:
    """The points of a row: the metric of that name, or the games won where the tournament doesn't ask it."""
    value = dict(row.metrics).get("points")
    return row.games_won if value is None else int(Fraction(value))


def steps(table: StandingsTable) -> list[Step]:
    """The three first of final standings; nobody before."""
    if not table.version.is_final:
        return []
    return [Step(row.place, row.team, _whole(row.placement_points)) for row in table.rows if row.place <= 3]


def _whole(text: str) -> int | None:
    value = Fraction(text) if text else None
    return int(value) if value is not None and value.denominator == 1 else None


def _reason(row: Standing, table: StandingsTable, names: dict[str, str]) -> str:
    if not row.is_tied:
        return reason(row.decided_by, names)
    others = [
        names[str(other.team_id)]
        for other in table.rows
        if other.place == row.place and other.team_id != row.team_id
    ]
    return reason(row.decided_by, names, Tie(others, "" if row.placement_points else _awaited(row)))


def _awaited(row: Standing) -> str:
    """What has to decide first; of the two the play-off is asked before lots."""
    return "play_off" if "play_off" in dict(row.metrics) else "lots"
