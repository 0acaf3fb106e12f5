"""`duel`: squads of two teams at one table play three games. The teams meet in repeated round robins.

The circle method: one team keeps its place, the others move on by one after each round. With an odd number of
teams, who meets the empty place waits. When two teams meet for the t-th time, squad i meets squad i + t.

The first side has seat 0 in two of three games, so each team should be first as often as second. Between two
teams the first side alternates. Who begins follows from the graph of all that meet an odd number of times.
Along its closed ways (Euler), each team comes into a meeting as often as it goes out of one. Where a team has
an odd number of meetings, it is once more one than the other. At all tables of a meeting the same team is
first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from .errors import gettext_noop
from .mini_tournament_format import MeetingPlan, MiniTournament, rotated

USUAL_ROUNDS = 4
_FEWEST_MATCHES = 3


def _circle(teams: int) -> list[list[tuple[int, int]]]:
    """All rounds of a single round robin of the teams 0 to `teams` - 1.

    The first side of a pair has seat 0 in two of the three games. Each team is first as often as second, give
    or take one.
    """
    places = teams + teams % 2
    ring = list(range(places - 1))
    rounds = []
    for number in range(places - 1):
        line = [places - 1, *ring]
        pairs = []
        for i in range(places // 2):
            pair = (line[i], line[-1 - i])
            turn = (i or number) % 2
            if max(pair) < teams:
                pairs.append((pair[turn], pair[1 - turn]))
        rounds.append(pairs)
        ring = [ring[-1], *ring[:-1]]
    return rounds


def even_sides(rounds: Iterable[Iterable[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """The same pairs in the same rounds, each team as often first as second.

    Give or take one, and that only where the number of its pairs is odd.
    """
    listed = [list(each) for each in rounds]
    count = Counter(tuple(sorted(pair)) for each in listed for pair in each)
    first: dict[tuple[int, ...], tuple[int, int]] = {}
    # Who meet an even number of times are even by themselves: they are spread apart from the others.
    for parity in (1, 0):
        first |= _oriented([pair for pair in sorted(count) if count[pair] % 2 == parity])
    planned: list[list[tuple[int, int]]] = []
    times: Counter[tuple[int, ...]] = Counter()
    for each in listed:
        planned.append([])
        for pair in each:
            key = tuple(sorted(pair))
            one, other = first[key]
            planned[-1].append((one, other) if times[key] % 2 == 0 else (other, one))
            times[key] += 1
    return planned


def _oriented(pairs: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], tuple[int, int]]:
    """The pairs with who is first in each, along closed ways.

    To close all ways, teams with an odd number of pairs are joined by edges that are no pairs.
    """
    ways: dict[int, list[tuple[int, tuple[int, ...] | None]]] = defaultdict(list)
    for pair in pairs:
        ways[pair[0]].append((pair[1], pair))
        ways[pair[1]].append((pair[0], pair))
    odd = sorted(team for team, each in ways.items() if len(each) % 2)
    for one, other in zip(odd[::2], odd[1::2], strict=True):
        ways[one].append((other, None))
        ways[other].append((one, None))
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for start in sorted(ways):
        at = start
        while ways[at]:
            there, met = ways[at].pop(0)
            ways[there].remove((at, met))
            if met is not None:
                found[met] = at, there
            at = there
    return found


@dataclass(frozen=True, slots=True)
class Duel(MiniTournament):
    """Squads of two teams at a table, three games."""

    key: ClassVar[str] = "duel"
    name: ClassVar[str] = gettext_noop("Duel")
    explanation: ClassVar[str] = gettext_noop("Squads of two teams sit down at a table and play three games.")
    fewest_teams: ClassVar[int] = 2
    games: ClassVar[tuple[tuple[int, int], ...]] = ((0, 1), (1, 0), (0, 1))
    alike_up_to: ClassVar[int] = 2

    def plan(self, teams: int, squads: int, rounds: int) -> MeetingPlan:
        """See `MiniTournament`."""
        circle = _circle(teams)
        met = [circle[number % len(circle)] for number in range(rounds)]
        return rotated("circle-2", even_sides(met), squads)

    def former_plan(self, teams: int, squads: int, rounds: int) -> MeetingPlan:
        """See `MiniTournament`."""
        circle = _circle(teams)
        planned = []
        for number in range(rounds):
            lap, step = divmod(number, len(circle))
            # Every other time around, who was second is first.
            planned.append([pair[::-1] if lap % 2 else pair for pair in circle[step]])
        return rotated("circle", planned, squads)

    def default_rounds(self, teams: int, squads: int) -> int:
        """An even number of teams: four rounds, if they go without a second meeting; odd: whole round
        robins.
        """
        if teams % 2:
            laps = -(-_FEWEST_MATCHES // (teams - 1))
            return teams * laps
        return min(USUAL_ROUNDS, squads) if teams == 2 else min(USUAL_ROUNDS, teams - 1)


DUEL = Duel()
