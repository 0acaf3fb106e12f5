"""Constraints of a draw: competitors to be kept apart, and how far a draw does it.

Groups are opaque. Why two entries should not sit at one table (a family, a school class) is nobody's
business. So a group is only the list of its entries, and its number is its place in the list of groups.
Strong entries (seeds) are spread: the fewest pairs of them at one table, which is also the most even number
of them at each.

The objective is counted in pairs at a table. Each two entries of one group count once for each match in which
they sit together, as opponents or in one squad. They count once more for each further group that they share.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeVar

from .errors import CannotDraw, gettext_noop
from .model import DrawnRounds, Player


@dataclass(frozen=True, slots=True)
class Constraints:
    """Groups of entries that should not meet, group 1 first, and the strong entries that are spread.

    A group of one constrains nothing, and an entry may be in several. Raises CannotDraw for an entry that is
    twice in a group or twice among the strong.
    """

    groups: tuple[tuple[Player, ...], ...] = ()
    strong: tuple[Player, ...] = ()

    def __post_init__(self) -> None:
        for number, members in enumerate((self.strong, *self.groups)):
            for player, times in Counter(members).items():
                if times > 1:
                    raise CannotDraw(
                        "entry_twice_in_group",
                        gettext_noop(
                            "Entry %(entry)d of team %(team)d is %(times)d times in group %(group)d "
                            "(0: the strong entries); once was expected."
                        ),
                        entry=player.entry,
                        team=player.team,
                        times=times,
                        group=number,
                    )

    def __bool__(self) -> bool:
        """Whether anything is to be kept apart or spread."""
        return bool(self.groups or self.strong)

    def check(self, everybody: Collection[Player]) -> None:
        """Refuse with `CannotDraw` who isn't in the field."""
        for player in (player for members in (*self.groups, self.strong) for player in members):
            if player not in everybody:
                raise CannotDraw(
                    "unknown_entry",
                    gettext_noop(
                        "A constraint names entry %(entry)d of team %(team)d, which is not in this draw."
                    ),
                    entry=player.entry,
                    team=player.team,
                )


Member = TypeVar("Member", Player, int)


def groups_of(marks: Iterable[tuple[Member, Collection[Hashable]]]) -> tuple[tuple[Member, ...], ...]:
    """Groups of those beside whom the same mark is written.

    Members in their own order, groups in the order of their members: what a mark says is forgotten, and
    plays no part in the order. One that stands beside a single member is left out.
    """
    members: defaultdict[Hashable, list[Member]] = defaultdict(list)
    for member, written in marks:
        for mark in set(written):
            members[mark].append(member)
    return tuple(sorted(tuple(sorted(each)) for each in members.values() if len(each) > 1))


UNCONSTRAINED = Constraints()


@dataclass(frozen=True, slots=True)
class Together:
    """Entries of one group (0: strong entries) that sit at one table in a match."""

    match: int
    group: int
    players: tuple[Player, ...]

    @property
    def pairs(self) -> int:
        """How many pairs they are: what the objective counts."""
        return comb(len(self.players), 2)


@dataclass(frozen=True, slots=True)
class ConstraintsKept:
    """How far a draw keeps its constraints.

    `together` has each violation, match after match; strong entries at one table are told as those of group
    0. No draw of the same plan has fewer pairs than `fewest_group_pairs` and `fewest_strong_pairs`. A draw
    that has as many is as good as any; one that has more may or may not be.
    """

    constraints: Constraints
    together: tuple[Together, ...]
    group_pairs: int
    fewest_group_pairs: int
    strong_pairs: int
    fewest_strong_pairs: int


def kept(draw: DrawnRounds, constraints: Constraints) -> ConstraintsKept:
    """What a draw makes of the constraints; raises CannotDraw where they name who isn't in it."""
    squads = {player: squad for each in draw.squads for squad in each for player in squad.players()}
    constraints.check(squads)
    lists = (constraints.strong, *constraints.groups)
    together = []
    for match in draw.matches():
        seated = {player for side in match.sides for player in side.players()}
        for number, members in enumerate(lists):
            present = tuple(sorted(seated.intersection(members)))
            if len(present) > 1:
                together.append(Together(match.number, number, present))
    bounds = Bounds.of(
        [
            [tuple((side.team - 1, side.number - 1) for side in match.sides) for match in each.matches()]
            for each in draw.rounds
        ],
        len(draw.squads[0]),
    )
    return ConstraintsKept(
        constraints=constraints,
        together=tuple(together),
        group_pairs=sum(each.pairs for each in together if each.group),
        fewest_group_pairs=sum(bounds.fewest_pairs(members) for members in constraints.groups),
        strong_pairs=sum(each.pairs for each in together if not each.group),
        fewest_strong_pairs=bounds.fewest_pairs(constraints.strong),
    )


Place = tuple[int, int]
"""A squad by its team and its number, both from 0."""

Plan = Sequence[Sequence[Sequence[Place]]]
"""Rounds of matches of squads, before it is known who is in them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a plan of meetings makes unavoidable.

    `blocks`: the teams of each meeting of whole teams, which fill `squads` tables together. `least`: how
    often any squad of one team meets any of another at least. For a team with itself, it is in how many
    matches a squad plays.
    """

    squads: int
    blocks: tuple[tuple[int, ...], ...]
    least: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, rounds: Plan, squads: int) -> "Bounds":
        """The bounds of a plan in which teams meet with all their `squads` squads."""
        blocks = tuple(
            block for each in rounds for block in sorted({tuple(sorted(t for t, _ in m)) for m in each})
        )
        met: Counter[tuple[Place, Place]] = Counter(
            pair for each in rounds for match in each for pair in combinations(sorted(match), 2)
        )
        by_teams: dict[tuple[int, int], list[int]] = defaultdict(list)
        for (one, other), times in met.items():
            by_teams[one[0], other[0]].append(times)
        least = {pair: min(times) if len(times) == squads * squads else 0 for pair, times in by_teams.items()}
        for team, matches in Counter(team for block in blocks for team in block).items():
            least[team, team] = matches
        return cls(squads, blocks, least)

    def fewest_pairs(self, members: Collection[Player]) -> int:
        """So many pairs of these sit together in any draw of the plan, at least.

        The larger of two bounds. One is as many as fill the tables of a meeting of teams evenly. The other is
        as many as sit in one squad or meet whatever squads they are in.
        """
        size = Counter(player.team - 1 for player in members)
        by_tables = sum(even_pairs(sum(size[team] for team in block), self.squads) for block in self.blocks)
        by_pairs = sum(even_pairs(size[team], self.squads) * self.least.get((team, team), 0) for team in size)
        by_pairs += sum(
            size[one] * size[other] * self.least.get((one, other), 0)
            for one, other in combinations(sorted(size), 2)
        )
        return max(by_tables, by_pairs)


def even_pairs(people: int, tables: int) -> int:
    """The pairs at `tables` tables (or in so many groups) that `people` fill as evenly as can be."""
    each, over = divmod(people, tables)
    return over * comb(each + 1, 2) + (tables - over) * comb(each, 2)


@dataclass(frozen=True, slots=True)
class DrawField:
    """For team 1, 2, … the numbers of its entries (gaps are fine: one may have withdrawn), and what the draw
    is to keep apart.
    """

    rosters: tuple[tuple[int, ...], ...]
    constraints: Constraints = UNCONSTRAINED

    def players(self) -> frozenset[Player]:
        """All entries with their teams."""
        return frozenset(
            Player(team, entry) for team, roster in enumerate(self.rosters, start=1) for entry in roster
        )
