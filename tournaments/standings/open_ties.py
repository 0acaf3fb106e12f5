"""Standings while ties inside groups wait for lots or a play-off.

Whoever wins such a tie stands in the first of its places in the own group. There they meet those in the same
place of the other groups. So the tied can come to places that lie apart. The others keep theirs whoever wins,
since the tied are level in all else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from .model import Decision, Row, T, by_level
from .outlook import places_of

RowsWith = Callable[[Mapping[T, int]], list[Row[T]]]
"""Ranks all teams; takes how many of its tie each of the tied has before it."""


def rows_while_open(ties: Sequence[Sequence[T]], rows_with: RowsWith[T]) -> list[Row[T]]:
    """The rows, first place first, each at the best place that it can still come to.

    The tied wait for placement points, and are level with each other alone. Who can be level with one of them
    waits too, and has to be told apart after them. A tie that changes no placement points stays shared.
    """
    waiting = list(ties)
    while waiting:
        ways = [_by_team(rows_with(_behind(waiting, turn))) for turn in range(max(map(len, waiting)))]
        apart = [tie for tie in waiting if any(_points(ways, team) is None for team in tie)]
        if apart == waiting:
            return _joined(ways, waiting)
        waiting = apart
    return rows_with({})


def _behind(ties: Sequence[Sequence[T]], turn: int) -> dict[T, int]:
    """Each tie in another order by turns: after as many turns as it has teams each has been everywhere."""
    return {team: (at + turn) % len(tie) for tie in ties for at, team in enumerate(tie)}


def _by_team(rows: Sequence[Row[T]]) -> dict[T, Row[T]]:
    return {row.team: row for row in rows}


def _points(ways: Sequence[Mapping[T, Row[T]]], team: T) -> Fraction | None:
    """The placement points that a team has in every way; None where they differ, or wait in one of them."""
    points = {way[team].placement_points for way in ways}
    return points.pop() if len(points) == 1 else None


def _joined(ways: Sequence[Mapping[T, Row[T]]], ties: Sequence[Sequence[T]]) -> list[Row[T]]:
    tie_of = {team: tuple(tie) for tie in ties for team in tie}
    rows = sorted((_row(team, ways, tie_of) for team in ways[0]), key=lambda row: row.place)
    levels = by_level((row.place, row.team) for row in rows)
    next_of = {team: level for before, level in pairwise(levels) for team in before}
    return [
        replace(row, decided_by=_decision(row.team, next_of.get(row.team, ()), ways, tie_of)) for row in rows
    ]


def _row(team: T, ways: Sequence[Mapping[T, Row[T]]], tie_of: Mapping[T, tuple[T, ...]]) -> Row[T]:
    known = [way[team] for way in ways]
    tied = tuple(other for other in tie_of.get(team, ()) if other != team)
    best = min(known, key=lambda row: row.place)
    if not tied and not _meets(known, tie_of):
        tied = tuple(other for other in best.tied_with if all(other in row.tied_with for row in known))
    return replace(
        best,
        place=min(way[one].place for way in ways for one in tie_of.get(team, (team,))),
        tied_with=tied,
        placement_points=_points(ways, team),
        unresolved=team in tie_of or (best.unresolved and bool(tied)),
        can_come_to=frozenset[int]().union(*map(places_of, known)),
    )


def _meets(known: Sequence[Row[T]], tie_of: Mapping[T, tuple[T, ...]]) -> bool:
    """Whether a team is level with somebody who is in an open tie of another group, in one of the ways."""
    return any(not tie_of.keys().isdisjoint(row.tied_with) for row in known)


def _decision(
    team: T, after: Sequence[T], ways: Sequence[Mapping[T, Row[T]]], tie_of: Mapping[T, tuple[T, ...]]
) -> Decision[T] | None:
    """What puts a team before those `after` it, where that is the same in all ways."""
    known = [way[team] for way in ways]
    found = {
        row.decided_by and (row.decided_by.metric, row.decided_by.value, row.decided_by.next_value)
        for row in known
    }
    if team in tie_of or _meets(known, tie_of) or len(found) > 1:
        return None
    expected = {one for each in after for one in tie_of.get(each, (each,))}
    for way in ways:
        behind = [row for row in way.values() if row.place > way[team].place]
        following = {row.team for row in behind if row.place == behind[0].place}
        if not following <= expected:
            return None
    return known[0].decided_by
