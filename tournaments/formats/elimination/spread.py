"""Slots of a bracket by method `tendone-bracket-sha256-1`, which anybody can repeat.

The lot of a contestant is the SHA-256 (in hexadecimal) of the following UTF-8 text.

    tendone-bracket-sha256-1/<seed>/<number>

Seeded contestants belong on the places of their seeds (`standard_order`), in tiers: 1, 2, 3-4, 5-8, 9-16 and
so on. A tier ends with the last seed, and is cut where the byes end. All others are one group, on the places
that remain. The bracket is then halved, from the whole down to single places. At each halving one group comes
after the other, tier by tier and the unseeded last. Each sends as many of its contestants to the upper half
as it has places there.

How many of each team: one after the other from the team that has the fewest above compared with below. The
sum of the squares of the teams' differences becomes least, so each team is split as evenly as can be. Where
this leaves a choice between teams, and which of a team go up, is decided contestant by contestant. They come
in the order of seeds or lots, but those with labels first. Each goes to the side they want, if it isn't full
for their team. That is the half with fewer of their labels. If that is the same, it is the half where the
seed belongs. For the unseeded it is the upper half, or with labels the one that the lot's last digit says
(even: upper).

Last come two of one team or label who would still meet in the first round, from the top down. The lower of
the two changes places with the nearest contestant of the same group with whom no such meeting is left in
either match. The nearest has the smallest i XOR k of places i and k from 0. If there is none, the upper one
changes places so. If there is none for that one either, the two meet.

Test vector: seed `palio-2022`, number 1 gives
c4dd87896ee13b547934cc8b2a31d240aa27d561f7e14499eb171371d25ae7d1.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..format import Contestant
from ..order import drawn_lot
from .seeding import depth_for, standard_order

METHOD = "tendone-bracket-sha256-1"


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
        _Group.of(
            (
                _Member.of(one, place_of[rank], f"{rank:06d}", apart)
                for rank, one in enumerate(ranked[low - 1 : high], start=low)
            ),
            (place_of[rank] for rank in range(low, high + 1)),
        )
        for low, high in _tiers(first, byes)
    ]
    if first < count:
        groups.append(
            _Group.of(
                (
                    _Member.of(one, None, drawn_lot(f"{METHOD}/{seed}/{one.number}"), apart)
                    for one in ranked[first:]
                ),
                (place_of[rank] for rank in range(first + 1, count + 1)),
            )
        )
    placed: list[Contestant | None] = [None] * (1 << depth)
    _halve(0, 1 << depth, groups, placed)
    if apart:
        for places in (group.places for group in groups if len(group.places) > 1):
            _part_first_meetings(placed, places)
    return tuple(placed)


@dataclass(frozen=True, slots=True)
class _Member:
    """A contestant, the place where its seed belongs (None: unseeded), and by what its group is ordered.

    `team` and `labels` are what keeps it apart from others: where nothing does, all are of team 0.
    """

    one: Contestant
    home: int | None
    lot: str
    team: int
    labels: frozenset[int]

    @classmethod
    def of(cls, one: Contestant, home: int | None, lot: str, apart: bool) -> "_Member":
        """A contestant that is to be kept apart from others, or isn't."""
        return cls(one, home, lot, one.team if apart else 0, one.labels if apart else frozenset())


@dataclass(slots=True)
class _Group:
    """Contestants in their order, and as many places, from top to bottom, that they have among themselves."""

    members: list[_Member]
    places: list[int]

    @classmethod
    def of(cls, members: Iterable[_Member], places: Iterable[int]) -> "_Group":
        """A group in the order in which its contestants choose: those with labels first."""
        return cls(sorted(members, key=lambda member: (not member.labels, member.lot)), sorted(places))


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
    meeting = [place for place in places if _share(placed[place], placed[place ^ 1])]
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


def _halve(low: int, high: int, groups: Sequence[_Group], placed: list[Contestant | None]) -> None:
    """Give the places from `low` up to below `high` to the groups' contestants."""
    if all(len(group.members) == 1 for group in groups):
        for group in groups:
            placed[group.places[0]] = group.members[0].one
        return
    middle = (low + high) // 2
    halving = _Halving(middle)
    upper, lower = [], []
    for group in groups:
        above = bisect_left(group.places, middle)
        up, down = halving.split(group.members, above)
        if up:
            upper.append(_Group(up, group.places[:above]))
        if down:
            lower.append(_Group(down, group.places[above:]))
    _halve(low, middle, upper, placed)
    _halve(middle, high, lower, placed)


class _Halving:
    """One halving: how many more of each team and of each label stand in the upper half than in the lower."""

    def __init__(self, middle: int) -> None:
        self.middle = middle
        self.teams: defaultdict[int, int] = defaultdict(int)
        self.labels: defaultdict[int, int] = defaultdict(int)

    def split(self, members: list[_Member], count: int) -> tuple[list[_Member], list[_Member]]:
        """The `count` members that go to the upper half and those that go to the lower one, in order."""
        if count == 0 or count == len(members):
            for member in members:
                self._count(member, 1 if count else -1)
            return (members, []) if count else ([], members)
        if len(members) == 2:
            return self._split_two(*members)
        quotas = _Quotas.of([member.team for member in members], self.teams, count)
        up: list[_Member] = []
        down: list[_Member] = []
        for member in members:
            goes_up = quotas.take(member.team, self._wants_up(member))
            (up if goes_up else down).append(member)
            self._count(member, 1 if goes_up else -1)
        return up, down

    def _split_two(self, first: _Member, second: _Member) -> tuple[list[_Member], list[_Member]]:
        """As quotas would split them, for the half of all splits that parts two."""
        more_above = self.teams[first.team] - self.teams[second.team]
        goes_up = more_above < 0 if more_above else self._wants_up(first)
        up, down = (first, second) if goes_up else (second, first)
        self._count(up, 1)
        self._count(down, -1)
        return [up], [down]

    def _count(self, member: _Member, change: int) -> None:
        self.teams[member.team] += change
        for label in member.labels:
            self.labels[label] += change

    def _wants_up(self, member: _Member) -> bool:
        if member.labels:
            more_above = sum(self.labels[label] for label in member.labels)
            if more_above:
                return more_above < 0
            if member.home is None:
                return int(member.lot[-1], 16) % 2 == 0
        return member.home is None or member.home < self.middle


@dataclass(slots=True)
class _Quotas:
    """How many of each team go `up` and `down` for certain.

    Each team in `either` has one more: of these teams `more` send it up, and `fewer` send it down.
    """

    up: dict[int, int]
    down: dict[int, int]
    either: set[int]
    more: int
    fewer: int

    @classmethod
    def of(cls, teams: Iterable[int], surplus: Mapping[int, int], count: int) -> "_Quotas":
        """Quotas for `count` (at least one) of contestants of these teams to go up. `surplus`: how many more
        of a team stand above already.

        The sum of the squares of surpluses is convex in how many of each team go up. So taking the smallest
        steps first makes it least. A team's own steps differ by 2 each, so of those that equal the last one
        taken it has one at most.
        """
        sizes: dict[int, int] = {}
        for team in teams:
            sizes[team] = sizes.get(team, 0) + 1
        first_step = {team: surplus.get(team, 0) - size + 1 for team, size in sizes.items()}
        steps = [
            step
            for team, size in sizes.items()
            for step in range(first_step[team], first_step[team] + 2 * size, 2)
        ]
        steps.sort()
        last = steps[count - 1]
        up, down, either = {}, {}, set()
        for team, size in sizes.items():
            over = last - first_step[team]
            surely = min((over + 1) // 2, size) if over > 0 else 0
            up[team] = surely
            down[team] = size - surely
            if over % 2 == 0 and 0 <= over < 2 * size:
                either.add(team)
                down[team] -= 1
        more = count - sum(up.values())
        return cls(up, down, either, more, fewer=len(either) - more)

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
