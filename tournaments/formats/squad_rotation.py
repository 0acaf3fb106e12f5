"""Rotation of squads: nobody meets the same opponent twice while that is possible.

When teams A, B, C meet with m squads each, they fill m tables. Table i seats a(i + x), b(i + y), c(i + z).
Two squads of A and B meet exactly when their numbers differ by y - x. So nobody meets twice as long as two
teams' differences change from meeting to meeting. "+" is the addition of a group of m elements, and the
numbers 0 to m - 1 are its elements.

Three teams alone, round r (from 0): the shifts are 0, r and 2r.

- m odd: with the numbers mod m this holds for m rounds.
- m divisible by 4: it holds for m rounds in GF(2^e) x Z(q), where m = 2^e * q and q is odd. That is the
  classical pair of orthogonal Latin squares. A number is low + 2^e * high. Low parts add bit by bit without
  carry, high parts mod q. "2r" doubles the high part mod q. It multiplies the low part by x modulo the
  polynomial below.
- m twice an odd number: mod m it would hold for m/2 rounds only. From round m/2 on the third shift is
  therefore 2r + 1, which makes m - 1 rounds without a second meeting. In one more the second and third team
  meet as in the first round. For m = 2 and m = 6 no plan can do better.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

# Irreducible polynomials over GF(2) by degree, as bits. All that counts: neither x nor x + 1 divides them.
_POLYNOMIALS = {2: 0b111, 3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10000011, 8: 0b100011011}

Shifts = tuple[int, ...]


class RotationGroup:
    """The numbers 0 to m - 1 with an addition fit for rotating squads (see the module)."""

    def __init__(self, size: int) -> None:
        bits = (size & -size).bit_length() - 1
        self.size = size
        self.bits = bits if bits in _POLYNOMIALS else 0
        self._binary = 1 << self.bits
        self._odd = size // self._binary

    def _split(self, element: int) -> tuple[int, int]:
        return element % self._binary, element // self._binary

    def add(self, one: int, other: int) -> int:
        """one + other."""
        (low, high), (low_other, high_other) = self._split(one), self._split(other)
        return (low ^ low_other) + self._binary * ((high + high_other) % self._odd)

    def minus(self, one: int, other: int) -> int:
        """one - other."""
        (low, high), (low_other, high_other) = self._split(one), self._split(other)
        return (low ^ low_other) + self._binary * ((high - high_other) % self._odd)

    def twice(self, element: int) -> int:
        """2 * element; in the binary part, the element times x."""
        low, high = self._split(element)
        if self.bits:
            low <<= 1
            if low & self._binary:
                low ^= _POLYNOMIALS[self.bits]
        return low + self._binary * (2 * high % self._odd)


def free_rounds(squads: int) -> int:
    """In how many rounds of three teams with `squads` squads each nobody meets the same opponent twice."""
    group = RotationGroup(squads)
    return squads if group.bits or squads % 2 else squads - 1


def three_team_shifts(rounds: int, squads: int) -> list[Shifts]:
    """For each round the shifts of the first, second and third team.

    Beyond the rounds without a second meeting they go on with other threes, so that second meetings spread
    evenly.
    """
    group = RotationGroup(squads)
    plain = free_rounds(squads) == squads
    shifts: list[Shifts] = []
    for number in range(rounds):
        lap, step = divmod(number, squads)
        bend = 0 if plain or step < squads // 2 else 1
        shifts.append((0, step, group.add(group.twice(step), (bend + lap) % squads)))
    return shifts


def shifts_for(meetings: Sequence[Sequence[int]], squads: int) -> list[Shifts]:
    """Shifts for a list of meetings of two or three teams each, with as few second meetings as a plain
    search finds.

    Each meeting takes the first shifts that repeat the fewest differences between its teams. Then every
    meeting may choose again, knowing all others, until nothing improves. Deterministic; about m steps a
    meeting where m is larger than the number of meetings of two teams.
    """
    group = RotationGroup(squads)
    used: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * squads)
    chosen: list[Shifts] = []
    for teams in meetings:
        shifts = _best(teams, group, used)
        _count(teams, shifts, group, used, +1)
        chosen.append(shifts)
    for _ in range(_LAPS):
        before = list(chosen)
        for index, teams in enumerate(meetings):
            _count(teams, chosen[index], group, used, -1)
            if _cost(teams, chosen[index], group, used):
                chosen[index] = _best(teams, group, used)
            _count(teams, chosen[index], group, used, +1)
        if chosen == before:
            break
    return chosen


_LAPS = 4
_Used = dict[tuple[int, int], list[int]]


def _pairs(teams: Sequence[int], shifts: Shifts, group: RotationGroup) -> list[tuple[tuple[int, int], int]]:
    """Each pair of teams, the lower number first, with the difference between their shifts."""
    in_order = combinations(sorted(zip(teams, shifts, strict=True)), 2)
    return [((one, other), group.minus(there, here)) for (one, here), (other, there) in in_order]


def _count(teams: Sequence[int], shifts: Shifts, group: RotationGroup, used: _Used, change: int) -> None:
    for pair, difference in _pairs(teams, shifts, group):
        used[pair][difference] += change


def _cost(teams: Sequence[int], shifts: Shifts, group: RotationGroup, used: _Used) -> int:
    return sum(used[pair][difference] for pair, difference in _pairs(teams, shifts, group))


def _best(teams: Sequence[int], group: RotationGroup, used: _Used) -> Shifts:
    best: Shifts = ()
    lowest = -1
    thirds = range(group.size) if len(teams) == 3 else range(1)
    for second in range(group.size):
        for third in thirds:
            shifts = (0, second, third)[: len(teams)]
            cost = _cost(teams, shifts, group, used)
            if lowest < 0 or cost < lowest:
                best, lowest = shifts, cost
                if cost == 0:
                    return best
    return best
