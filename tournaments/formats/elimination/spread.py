"""Who stands where in a bracket: method `tendone-bracket-sha256-1`, which anybody can repeat.

The lot of a contestant is the SHA-256 (in hexadecimal) of the UTF-8 text

    tendone-bracket-sha256-1/<seed>/<number>

Seeded contestants belong on the places of their seeds (`standard_order`), in tiers: 1, 2, 3-4, 5-8, 9-16 and
so on; a tier ends with the last seed, and is cut where the byes end. All others are one group, on the places
that remain. The bracket is then halved, from the whole down to single places. At each halving every group,
tier by tier and the unseeded last, sends as many of its contestants to the upper half as it has places there.

How many of each team: one after the other from the team that has the fewest above compared with below (the
sum of the squares of the teams' differences becomes least), so each team is split as evenly as can be. Where
this leaves a choice between teams, and which of a team go up, is decided contestant by contestant, in the
order of seeds or lots but those with labels first; each goes to the side they want, if it isn't full for
their team. That is the half with fewer of their labels; if that is the same, the half where the seed belongs;
for the unseeded the upper half, or with labels the one that the lot's last digit says (even: upper).

Where two of one team or label would still meet in the first round, from the top down, the lower of them
changes places with the nearest contestant of the same group (the smallest i XOR k of places i and k from 0)
with whom no such meeting is left in either match; if there is none, the upper one does; if there is none, the
two meet.

Test vector: seed `palio-2022`, number 1 gives
c4dd87896ee13b547934cc8b2a31d240aa27d561f7e14499eb171371d25ae7d1.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..by_round import Contestant
from .seeding import depth_for, standard_order

METHOD = "tendone-bracket-sha256-1"


def bracket_lot(seed: str, number: int) -> str:
    """The lot of a contestant: 64 hexadecimal digits, the lowest comes first."""
    return hashlib.sha256(f"{METHOD}/{seed}/{number}".encode()).hexdigest()


def spread(
    contestants: Sequence[Contestant], seeded: int | None, seed: str, *, apart: bool = True
) -> tuple[Contestant | None, ...]:
    """The places of a bracket from top to bottom; None is a bye.

    The first `seeded` contestants (None: all) are seeded by their numbers, the others drawn by `seed`. With
    `apart`, those of one team or with a label in common meet as late as seeds and places allow.
    """
    ranked = sorted(contestants, key=lambda one: one.number)
    count = len(ranked)
    depth = depth_for(count)
    place_of = {each: place for place, each in enumerate(standard_order(depth))}
    first = count if seeded is None else min(seeded, count)
    byes = (1 << depth) - count
    groups = [
        _Group(
            [_Member(one, place_of[rank], f"{rank:06d}") for rank, one in _ranks(ranked, low, high)],
            [place_of[rank] for rank in range(low, high + 1)],
        )
        for low, high in _tiers(first, byes)
    ]
    if first < count:
        groups.append(
            _Group(
                [_Member(one, None, bracket_lot(seed, one.number)) for one in ranked[first:]],
                [place_of[rank] for rank in range(first + 1, count + 1)],
            )
        )
    for group in groups:
        group.members.sort(key=lambda member: member.lot)
    placed: list[Contestant | None] = [None] * (1 << depth)
    _halve(0, 1 << depth, groups, placed, apart)
    if apart:
        for places in (group.places for group in groups if len(group.places) > 1):
            _part_first_meetings(placed, places)
    return tuple(placed)


@dataclass(frozen=True, slots=True)
class _Member:
    """A contestant, the place where its seed belongs (None: unseeded), and by what its group is ordered."""

    one: Contestant
    home: int | None
    lot: str


@dataclass(slots=True)
class _Group:
    """Contestants and as many places that they can have among themselves."""

    members: list[_Member]
    places: list[int]


def _ranks(ranked: Sequence[Contestant], low: int, high: int) -> Iterator[tuple[int, Contestant]]:
    return ((rank, ranked[rank - 1]) for rank in range(low, high + 1))


def _tiers(seeded: int, byes: int) -> Iterator[tuple[int, int]]:
    """First and last seed of each tier."""
    low = 1
    while low <= seeded:
        high = min(1 << (low - 1).bit_length(), seeded)
        if low <= byes < high:
            high = byes
        yield low, high
        low = high + 1


def _part_first_meetings(placed: list[Contestant | None], places: Sequence[int]) -> None:
    """Exchange contestants of one group so that fewer with something in common meet in the first round."""
    meeting = [place for place in sorted(places) if _share(placed[place], placed[place ^ 1])]
    for place in sorted(meeting, key=lambda place: (place // 2, -place)):
        if not _share(placed[place], placed[place ^ 1]):
            continue
        for other in sorted(places, key=lambda other: place ^ other)[1:]:
            if _share(placed[other], placed[place ^ 1]) or _share(placed[place], placed[other ^ 1]):
                continue
            placed[place], placed[other] = placed[other], placed[place]
            break


def _share(one: Contestant | None, other: Contestant | None) -> bool:
    """Whether two have a team or a label in common; a bye has nothing."""
    return (
        one is not None and other is not None and (one.team == other.team or bool(one.labels & other.labels))
    )


def _halve(
    low: int, high: int, groups: Sequence[_Group], placed: list[Contestant | None], apart: bool
) -> None:
    """Give the places from `low` up to below `high` to the groups' contestants."""
    if not groups:
        return
    if high - low == 1:
        placed[low] = groups[0].members[0].one
        return
    middle = (low + high) // 2
    halving = _Halving(middle, apart)
    upper, lower = [], []
    for group in groups:
        above = [place for place in group.places if place < middle]
        up, down = halving.split(group.members, len(above))
        if up:
            upper.append(_Group(up, above))
        if down:
            lower.append(_Group(down, [place for place in group.places if place >= middle]))
    _halve(low, middle, upper, placed, apart)
    _halve(middle, high, lower, placed, apart)


class _Halving:
    """One halving: how many more of each team and of each label stand in the upper half than in the lower."""

    def __init__(self, middle: int, apart: bool) -> None:
        self.middle = middle
        self.apart = apart
        self.teams: Counter[int] = Counter()
        self.labels: Counter[int] = Counter()

    def split(self, members: Sequence[_Member], count: int) -> tuple[list[_Member], list[_Member]]:
        """The `count` members that go to the upper half and those that go to the lower one, in order."""
        up = self._choose(members, count)
        for member in members:
            self.teams[member.one.team] += 1 if member.one.number in up else -1
        return (
            [member for member in members if member.one.number in up],
            [member for member in members if member.one.number not in up],
        )

    def _choose(self, members: Sequence[_Member], count: int) -> set[int]:
        if count in (0, len(members)):
            for member in members:
                self._count_labels(member, 1 if count else -1)
            return {member.one.number for member in members} if count else set()
        quotas = _Quotas.of(
            Counter(self._team(member) for member in members), self.teams if self.apart else Counter(), count
        )
        up = set()
        for member in sorted(members, key=self._comes_later):
            team = self._team(member)
            if quotas.take(team, self._wants_up(member)):
                up.add(member.one.number)
                self._count_labels(member, 1)
            else:
                self._count_labels(member, -1)
        return up

    def _count_labels(self, member: _Member, change: int) -> None:
        for label in member.one.labels:
            self.labels[label] += change

    def _team(self, member: _Member) -> int:
        return member.one.team if self.apart else 0

    def _comes_later(self, member: _Member) -> bool:
        return not (self.apart and member.one.labels)

    def _wants_up(self, member: _Member) -> bool:
        if self.apart and member.one.labels:
            more_above = sum(self.labels[label] for label in member.one.labels)
            if more_above:
                return more_above < 0
            if member.home is None:
                return int(member.lot[-1], 16) % 2 == 0
        return member.home is None or member.home < self.middle


@dataclass(slots=True)
class _Quotas:
    """How many of each team go `up` and `down`; of the teams in `either`, `more` send one more up and `fewer`
    one more down.
    """

    up: dict[int, int]
    down: dict[int, int]
    either: set[int]
    more: int
    fewer: int

    @classmethod
    def of(cls, sizes: Mapping[int, int], surplus: Mapping[int, int], count: int) -> "_Quotas":
        """Quotas for `count` to go up. `surplus`: how many more of a team stand above already.

        The sum of the squares of surpluses is convex in how many of each team go up, so taking the smallest
        steps first makes it least. A team's own steps differ by 2 each, so of those that equal the last one
        taken it has one at most.
        """
        steps = sorted(
            (surplus.get(team, 0) - size + 2 * gone + 1, team)
            for team, size in sizes.items()
            for gone in range(size)
        )
        last = steps[count - 1][0] if count else steps[0][0]
        surely = Counter(team for step, team in steps if step < last)
        either = {team for step, team in steps if step == last}
        more = count - surely.total()
        return cls(
            up={team: surely[team] for team in sizes},
            down={team: size - surely[team] - (team in either) for team, size in sizes.items()},
            either=either,
            more=more,
            fewer=len(either) - more,
        )

    def take(self, team: int, wants_up: bool) -> bool:
        """Whether the next one of a team goes up, who does as they want if there is room."""
        goes_up = wants_up if self._has_room(team, wants_up) else not wants_up
        quota = self.up if goes_up else self.down
        if quota[team]:
            quota[team] -= 1
        else:
            self.either.discard(team)
            if goes_up:
                self.more -= 1
            else:
                self.fewer -= 1
        return goes_up

    def _has_room(self, team: int, upwards: bool) -> bool:
        if (self.up if upwards else self.down)[team]:
            return True
        return team in self.either and (self.more if upwards else self.fewer) > 0
