"""Places and placement points that a tournament's standings give to the palio."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from uuid import UUID

from tournaments.models import StandingsVersion
from tournaments.standings import Placing

Line = tuple[UUID, int, Fraction | None]
"""A row of the standings: team, place, placement points (None while something has to decide first)."""


def placings(version: StandingsVersion) -> list[Placing[UUID]]:
    """The teams' results in a tournament, first place first; one query."""
    rows = version.rows.order_by("position").values_list("team_id", "place", "placement_points")
    return of_teams((team, place, Fraction(points) if points else None) for team, place, points in rows)


def of_teams(lines: Iterable[Line]) -> list[Placing[UUID]]:
    """One result a team. A team with several rows (its squads) has the sum of their points, and then all
    teams' places are by that sum, shared as 1, 2, 2, 4.
    """
    of_team: dict[UUID, list[Line]] = {}
    for line in lines:
        of_team.setdefault(line[0], []).append(line)
    if all(len(rows) == 1 for rows in of_team.values()):
        return [Placing(*row) for rows in of_team.values() for row in rows]
    sums = {team: _sum([points for _team, _place, points in rows]) for team, rows in of_team.items()}
    # Of a team that waits for lots or a play-off the sum isn't known, and its place comes after the others'.
    order = sorted(sums, key=lambda team: (sums[team] is None, -(sums[team] or 0)))
    found: list[Placing[UUID]] = []
    for points, level in groupby(order, key=lambda team: sums[team]):
        place = len(found) + 1
        found += [Placing(team, place, points) for team in level]
    return found


def _sum(points: Sequence[Fraction | None]) -> Fraction | None:
    known = [each for each in points if each is not None]
    return sum(known, Fraction(0)) if len(known) == len(points) else None
