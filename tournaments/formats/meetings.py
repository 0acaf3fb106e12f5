"""Counts of meetings: teams with teams, and entries that meet again."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from math import comb

from .match_sequence import Course
from .model import Player
from .tables.bounds import even_pairs, fewest_repeats


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


@dataclass(frozen=True, slots=True)
class RepeatedMeetings:
    """How often two meet again at tables of many: 1, 3, 6 for two who meet 2, 3, 4 times. `fewest` can't be
    avoided.
    """

    count: int
    fewest: int


def repeated_meetings(course: Course) -> RepeatedMeetings:
    """The repeated meetings of all rounds, and how many are needed at tables of these sizes."""
    met = Counter(frozenset(pair) for sitting in course.sittings for pair in combinations(sitting.sides, 2))
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for sitting in course.sittings:
        sizes[sitting.round].append(len(sitting.sides))
    pairs = comb(len(course.sides), 2)
    if not any(one.team == other.team for one, other in map(tuple, met)):
        pairs -= sum(comb(count, 2) for count in Counter(side.team for side in course.sides).values())
    fewest = even_pairs(sum(met.values()), pairs) if pairs else 0
    if len({tuple(sorted(tables)) for tables in sizes.values()}) == 1:
        tables = next(iter(sizes.values()))
        fewest = max(fewest, fewest_repeats(tables, len(sizes), pairs, len(course.sides) - sum(tables)))
    return RepeatedMeetings(sum(comb(times, 2) for times in met.values()), fewest)


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
