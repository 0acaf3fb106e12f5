"""Counts of meetings: teams with teams, and entries that meet again."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from .course import Course
from .model import Player


@dataclass(frozen=True, slots=True)
class Rematch:
    """Two entries that meet as opponents in more than one match."""

    one: Player
    other: Player
    matches: int


@dataclass(frozen=True, slots=True)
class TeamMeetings:
    """In how many rounds two teams meet."""

    one: int
    other: int
    rounds: int


def team_meetings(course: Course) -> tuple[TeamMeetings, ...]:
    """Every two teams, those that never meet as well."""
    met = Counter(
        (one, other)
        for _, one, other in {
            (sitting.round, one, other)
            for sitting in course.sittings
            for one, other in combinations(sorted({side.team for side in sitting.sides}), 2)
        }
    )
    teams = sorted({side.team for side in course.sides})
    return tuple(TeamMeetings(*pair, met[pair]) for pair in combinations(teams, 2))


def rematches(course: Course) -> tuple[Rematch, ...]:
    """Who meets more than once, the most frequent first."""
    # Squads stay together, so it is enough to count them.
    met = Counter(frozenset(pair) for sitting in course.sittings for pair in combinations(sitting.sides, 2))
    found = (
        Rematch(min(one, other), max(one, other), times)
        for (left, right), times in met.items()
        if times > 1
        for one in left.players()
        for other in right.players()
    )
    return tuple(sorted(found, key=lambda rematch: (-rematch.matches, rematch.one, rematch.other)))
