"""Rotations: rounds in which nobody meets twice, where groups move past each other.

With t tables and k groups of t, table i of a round seats number i + s(g) of each group g. Two of the groups g
and h meet exactly when their numbers differ by s(h) - s(g). So nobody meets twice as long as these
differences are new in each round. "+" is the addition of a finite ring of t elements. Let t be a product of
prime powers that are all at least k. Then s(g) = u(g) * r in round r gives t such rounds. Otherwise shifts
are looked for one after another. If k divides t, each group then plays rounds of its own. So k * k
contestants play k + 1 rounds until everybody has met everybody.

Where seats are left empty, the last group has fewer than t: so each table lacks one at most.
"""

from collections.abc import Sequence
from functools import lru_cache

from .finite_ring import FiniteRing

MOST_STEPS = 20_000
"""How many shifts are tried at most, where they are looked for."""
MOST_LOOKED_FOR = 24
"""So many rounds are looked for at most."""


@lru_cache(maxsize=64)
def rotation_shifts(tables: int, groups: int, rounds: int) -> tuple[tuple[int, ...], ...]:
    """The shifts of each group in each round, as many rounds as are found without a second meeting."""
    ring = FiniteRing(tables)
    rounds = min(rounds, tables)
    if groups <= ring.units:
        factors = [ring.unit(group) for group in range(groups)]
        return tuple(tuple(ring.times(factor, number) for factor in factors) for number in range(rounds))
    return _look_for_shifts(ring, groups, min(rounds, MOST_LOOKED_FOR))


def _look_for_shifts(ring: FiniteRing, groups: int, rounds: int) -> tuple[tuple[int, ...], ...]:
    minus = [[ring.minus(one, other) for other in range(ring.size)] for one in range(ring.size)]
    used: dict[tuple[int, int], set[int]] = {
        (low, high): set() for high in range(groups) for low in range(high)
    }
    steps = 0
    best: list[tuple[int, ...]] = []
    chosen: list[tuple[int, ...]] = []

    def extend(shifts: list[int]) -> bool:
        """Whether all rounds are found, with these shifts of the first groups of the next round."""
        nonlocal steps, best
        group = len(shifts)
        if group == groups:
            chosen.append(tuple(shifts))
            if len(chosen) > len(best):
                best = list(chosen)
            if len(chosen) == rounds or extend([0]):
                return True
            chosen.pop()
            return False
        # The second group's shift is the number of the round: any other order gives the same rounds.
        for shift in (len(chosen),) if group == 1 else range(ring.size):
            steps += 1
            if steps > MOST_STEPS:
                return True
            differences = [minus[shift][before] for before in shifts]
            if all(each not in used[low, group] for low, each in enumerate(differences)):
                for low, each in enumerate(differences):
                    used[low, group].add(each)
                if extend([*shifts, shift]):
                    return True
                for low, each in enumerate(differences):
                    used[low, group].discard(each)
        return False

    extend([0])
    return tuple(best)


def rotated_rounds(contestants: int, seats: int, rounds: int) -> list[list[list[int]]]:
    """Rounds of contestants 0, 1, … at tables in which nobody meets twice; perhaps fewer than are asked for.

    Contestant c is number c mod t of group c div t. All of them sit in every round.
    """
    tables = -(-contestants // seats)
    if tables == 1:
        return [[list(range(contestants))]] if rounds else []
    ring = FiniteRing(tables)
    found = []
    for shifts in rotation_shifts(tables, seats, rounds):
        seated = (
            (group * tables + ring.add(table, shift) for group, shift in enumerate(shifts))
            for table in range(tables)
        )
        found.append([[one for one in table if one < contestants] for table in seated])
    if len(found) == tables and contestants == tables * seats and tables % seats == 0:
        inner = rotated_rounds(tables, seats, rounds - tables)
        found += [
            [[group * tables + one for one in table] for group in range(seats) for table in each]
            for each in inner
        ]
    return found


def groups_apart(teams: Sequence[int], tables: int) -> list[int]:
    """An order of contestants of these teams in which a rotation keeps teams in one group where they fit.

    The larger teams choose first, each the first group with room for all of it; who finds none fills up what
    is left. Gives the contestants' indexes by their place in the rotation.
    """
    contestants = len(teams)
    rooms = [
        min(tables, contestants - start) if start < contestants else 0
        for start in range(0, contestants, tables)
    ]
    groups: list[list[int]] = [[] for _ in rooms]
    members: dict[int, list[int]] = {}
    for index, team in enumerate(teams):
        members.setdefault(team, []).append(index)
    rest: list[int] = []
    for team in sorted(members, key=lambda team: (-len(members[team]), members[team][0])):
        for group, room in zip(groups, rooms, strict=True):
            if len(members[team]) <= room - len(group):
                group += members[team]
                break
        else:
            rest += members[team]
    for group, room in zip(groups, rooms, strict=True):
        while len(group) < room:
            group.append(rest.pop(0))
    return [one for group in groups for one in group]
