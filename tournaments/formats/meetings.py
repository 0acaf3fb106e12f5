"""Counts of meetings: teams with teams and entries with entries."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from .course import Course
from .model import DrawSquad, Player


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


@dataclass(frozen=True, slots=True)
class EntryMeetings:
    """In how many matches two entries meet as opponents."""

    one: Player
    other: Player
    matches: int


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


def entry_meetings(course: Course) -> tuple[EntryMeetings, ...]:
    """Every two entries that meet, by team and number."""
    return tuple(sorted(_entries(_squad_meetings(course).items()), key=lambda each: (each.one, each.other)))


def rematches(course: Course) -> tuple[Rematch, ...]:
    """Who meets more than once, the most frequent first."""
    again = ((pair, times) for pair, times in _squad_meetings(course).items() if times > 1)
    found = (Rematch(each.one, each.other, each.matches) for each in _entries(again))
    return tuple(sorted(found, key=lambda rematch: (-rematch.matches, rematch.one, rematch.other)))


def _squad_meetings(course: Course) -> Counter[tuple[DrawSquad, DrawSquad]]:
    """Squads stay together, so it is enough to count them."""
    return Counter(
        (one, other) if (one.team, one.number) < (other.team, other.number) else (other, one)
        for sitting in course.sittings
        for one, other in combinations(sitting.sides, 2)
    )


def _entries(met: Iterable[tuple[tuple[DrawSquad, DrawSquad], int]]) -> Iterable[EntryMeetings]:
    return (
        EntryMeetings(min(one, other), max(one, other), times)
        for (left, right), times in met
        for one in left.players()
        for other in right.players()
    )
