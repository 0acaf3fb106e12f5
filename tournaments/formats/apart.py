"""Keeping apart and spreading: the step that method `tendone-sha256-2` adds to the lots of method 1.

It starts from the drawn orders of `tendone-sha256-1` and only exchanges entries of one team. The plan of
meetings stays, and all that it promises: nobody meets more opponents twice than without constraints.

The cost of an arrangement is the number of pairs of one group at one table. Where that is the same, it is the
number of pairs of strong entries at one table. `constraints.py` counts both. A pass goes through the teams by
number and each team's places in drawn order. Whoever stands at a place and has a cost changes places with an
entry in another squad of the team. That is the entry that lowers the cost most, the first in drawn order
among several. Passes repeat until one changes nothing.

Then, while the cost isn't proved to be the least possible, the arrangement is shaken up to 60 times. In try
k, from 1, the SHA-256 of the following UTF-8 text is computed for j = 1, 2, 3.

    tendone-sha256-2/<seed>/<k>/<j>

It is read as a hexadecimal number N. The c places whose entries have a cost are listed by team and drawn
order before the try. Number N mod c (from 0) of them is taken. Its entry is exchanged with that at place
number (N div c) mod d of the d places of the other squads of the team. After passes as above the outcome is
kept if it costs no more than before.

Test vector: seed `palio-2022`, try 1, exchange 1 gives
08e88a97701ad60ef3ac7014111e198725642870f24946d9dea3135a074b651e.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

from .constraints import Bounds, Constraints, Plan
from .model import Player

METHOD_APART = "tendone-sha256-2"
METHOD_EVEN_APART = "tendone-sha256-4"
"""The same, with the even plans of meetings."""
TRIES = 60
_EXCHANGES = 3


def exchange_number(seed: str, attempt: int, exchange: int) -> int:
    """The number that says which two entries are exchanged in a try; both are counted from 1."""
    return int(hashlib.sha256(f"{METHOD_APART}/{seed}/{attempt}/{exchange}".encode()).hexdigest(), 16)


def keep_apart(
    drawn: Sequence[Sequence[int]], squad_size: int, rounds: Plan, constraints: Constraints, seed: str
) -> list[list[int]]:
    """The drawn orders of the teams with entries exchanged, so that the constraints are kept as far as the
    search finds.

    `drawn` has the entries of team 1, 2, … in drawn order, from which squads of `squad_size` are cut;
    `rounds` says which squads meet.
    """
    squads = len(drawn[0]) // squad_size
    bounds = Bounds.of(rounds, squads)
    search = _ApartSearch(drawn, squad_size, rounds, constraints)
    least = search.weight * sum(bounds.fewest_pairs(members) for members in constraints.groups)
    least += bounds.fewest_pairs(constraints.strong)
    if squads == 1:
        return search.order()
    search.improve()
    for attempt in range(1, TRIES + 1):
        if search.cost == least:
            break
        cost, exchanges = search.cost, len(search.exchanges)
        search.shake(seed, attempt)
        search.improve()
        if search.cost > cost:
            search.back_to(exchanges)
    return search.order()


class _ApartSearch:
    """An arrangement that knows its cost, and what each entry would cost in each squad of its team.

    Places are numbered through all teams, squads as well.
    """

    def __init__(
        self, drawn: Sequence[Sequence[int]], squad_size: int, rounds: Plan, constraints: Constraints
    ) -> None:
        self.size = len(drawn[0])
        self.squad_size = squad_size
        self.squads = self.size // squad_size
        self.teams = len(drawn)
        players = [Player(team, entry) for team, order in enumerate(drawn, start=1) for entry in order]
        self.entries = [player.entry for player in players]
        # Who stands at each place: by their numbers in the drawn order.
        self.entry_at = list(range(len(players)))
        self.exchanges: list[tuple[int, int]] = []
        self.together = self._together(rounds)
        self.meeting = self._meeting()
        most = max(row.total() for row in self.together)
        # So large that one pair of a group outweighs all pairs of strong entries.
        self.weight = 1 + comb(len(constraints.strong), 2) * most
        self.shared = self._shared(players, constraints)
        self.costs = [[0] * self.squads for _ in players]
        for entry, place in enumerate(self.entry_at):
            self._seat(entry, place // squad_size, 1)
        self.cost = sum(map(self.cost_at, range(len(players)))) // 2

    def _together(self, rounds: Plan) -> list[Counter[int]]:
        """For each squad, in how many matches it sits with each other one; with itself, how many it plays."""
        together: list[Counter[int]] = [Counter() for _ in range(self.teams * self.squads)]
        for each in rounds:
            for match in each:
                numbers = [team * self.squads + squad for team, squad in match]
                for one in numbers:
                    together[one].update(numbers)
        return together

    def _meeting(self) -> list[list[list[tuple[int, int]]]]:
        """For each squad and each team: with which of the team's squads, from 0, it sits how often."""
        meeting: list[list[list[tuple[int, int]]]] = []
        for row in self.together:
            by_team: list[list[tuple[int, int]]] = [[] for _ in range(self.teams)]
            for other, times in row.items():
                by_team[other // self.squads].append((other % self.squads, times))
            meeting.append(by_team)
        return meeting

    def _shared(self, players: Sequence[Player], constraints: Constraints) -> list[Counter[int]]:
        """For each entry, how much one match together with each other one costs."""
        number = {player: index for index, player in enumerate(players)}
        weighted = [(members, self.weight) for members in constraints.groups]
        shared: list[Counter[int]] = [Counter() for _ in players]
        for members, weight in (*weighted, (constraints.strong, 1)):
            for one, other in combinations([number[player] for player in members], 2):
                shared[one][other] += weight
                shared[other][one] += weight
        return shared

    def order(self) -> list[list[int]]:
        """The entries of each team by place."""
        entries = [self.entries[index] for index in self.entry_at]
        return [entries[start : start + self.size] for start in range(0, len(entries), self.size)]

    def back_to(self, exchanges: int) -> None:
        """Back to the arrangement that there was after so many exchanges."""
        while len(self.exchanges) > exchanges:
            self._exchange(*self.exchanges.pop())
            self.exchanges.pop()

    def _seat(self, entry: int, squad: int, times: int) -> None:
        """Count what an entry in a squad costs all others; `times` is 1 or, for leaving it, -1."""
        by_team = self.meeting[squad]
        for other, weight in self.shared[entry].items():
            costs = self.costs[other]
            for each, matches in by_team[other // self.size]:
                costs[each] += times * weight * matches

    def cost_at(self, place: int) -> int:
        """What the pairs of the entry at a place cost."""
        return self.costs[self.entry_at[place]][place % self.size // self.squad_size]

    def others(self, place: int) -> list[int]:
        """The places of the other squads of the same team."""
        start = place - place % self.size
        squad = place // self.squad_size
        return [other for other in range(start, start + self.size) if other // self.squad_size != squad]

    def _gain(self, place: int, other: int) -> int:
        """How much cheaper it gets if the entries of two places are exchanged."""
        one, two = self.entry_at[place], self.entry_at[other]
        here, there = place // self.squad_size, other // self.squad_size
        first, second = self.costs[one], self.costs[two]
        left, right = here % self.squads, there % self.squads
        gain = first[left] + second[right] - first[right] - second[left]
        weight = self.shared[one][two]
        if weight:
            # What the two cost together stays.
            together = self.together
            gain += weight * (together[here][here] + together[there][there] - 2 * together[here][there])
        return gain

    def _exchange(self, place: int, other: int) -> None:
        self.cost -= self._gain(place, other)
        one, two = self.entry_at[place], self.entry_at[other]
        here, there = place // self.squad_size, other // self.squad_size
        for entry, leaves, comes in ((one, here, there), (two, there, here)):
            self._seat(entry, leaves, -1)
            self._seat(entry, comes, 1)
        self.entry_at[place], self.entry_at[other] = two, one
        self.exchanges.append((place, other))

    def improve(self) -> None:
        """Passes until nothing gets cheaper."""
        changed = True
        while changed:
            changed = False
            for place in range(len(self.entry_at)):
                if self.cost_at(place) == 0:
                    continue
                gain, _, best = max((self._gain(place, other), -other, other) for other in self.others(place))
                if gain > 0:
                    self._exchange(place, best)
                    changed = True

    def shake(self, seed: str, attempt: int) -> None:
        """The exchanges of a try."""
        costly = [place for place in range(len(self.entry_at)) if self.cost_at(place)]
        for exchange in range(1, _EXCHANGES + 1):
            high, index = divmod(exchange_number(seed, attempt, exchange), len(costly))
            others = self.others(costly[index])
            self._exchange(costly[index], others[high % len(others)])
