"""Stages of a tournament: results, the rules by which contestants go on, and their preview; plain data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from fractions import Fraction

from tournaments.standings.model import repeated

from ..errors import CannotDraw, gettext_noop


@dataclass(frozen=True, slots=True)
class Value:
    """What a contestant shows in one metric when compared across groups; None where it can't be told."""

    metric: str
    value: Fraction | None
    highest_first: bool = True


# Takes the contestants against whom results aren't counted; gives everybody's values, weightiest first.
Compare = Callable[[frozenset[int]], Mapping[int, tuple[Value, ...]]]


def _nothing_to_compare(left_out: frozenset[int]) -> Mapping[int, tuple[Value, ...]]:
    """No values for anybody."""
    return {}


@dataclass(frozen=True, slots=True)
class Group:
    """A group (or the whole stage): its places, first place first, who shares one together.

    `missing` results are still to come; places count only when there are none. `places` has everybody who
    has a place, withdrawn ones too.
    """

    name: str
    places: tuple[tuple[int, ...], ...]
    missing: int = 0

    @property
    def members(self) -> tuple[int, ...]:
        """Everybody, in order."""
        return tuple(one for level in self.places for one in level)


@dataclass(frozen=True, slots=True)
class StageResult:
    """A stage: its groups in order, how contestants of different groups compare, and who is `gone`.

    Raises CannotDraw for somebody who is in it twice.
    """

    groups: tuple[Group, ...]
    compare: Compare = _nothing_to_compare
    gone: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        for one in repeated(member for group in self.groups for member in group.members):
            raise CannotDraw(
                "in_two_groups",
                gettext_noop("Contestant %(contestant)d is in the stage's groups twice."),
                contestant=one,
            )


@dataclass(frozen=True, slots=True)
class FirstOfEachGroup:
    """The first `count` of each group; for one who is gone the next of the same group moves up."""

    count: int


@dataclass(frozen=True, slots=True)
class BestOfPlace:
    """The best `count` of those who are in place `place` of their groups: the best thirds.

    If there are too few of them, because some are gone, the best of the next place move up.
    """

    place: int
    count: int


@dataclass(frozen=True, slots=True)
class FirstOverall:
    """The first `count` of all, whatever their group; the next one moves up for one who is gone."""

    count: int


@dataclass(frozen=True, slots=True)
class Everybody:
    """All who aren't gone."""


Rule = FirstOfEachGroup | BestOfPlace | FirstOverall | Everybody


class UnequalGroups(StrEnum):
    """How contestants of groups of different sizes are compared."""

    AS_THEY_ARE = "as_they_are"
    WITHOUT_LAST = "without_last"  # results against the last ones of larger groups aren't counted


class Seeding(StrEnum):
    """How those who go on are numbered for the next stage."""

    CROSSED = "crossed"  # group winners first, in the groups' order; A1 meets B2, B1 meets A2
    RANKED = "ranked"  # group winners first, the best of them as number 1; compared across groups
    LOTS = "lots"  # by lot: places don't matter any more


@dataclass(frozen=True, slots=True)
class Qualification:
    """How contestants come into a stage: the rules are asked in order, of those who aren't through yet.

    Raises CannotDraw for rules that say nothing or can't follow each other.
    """

    rules: tuple[Rule, ...]
    seeding: Seeding = Seeding.CROSSED
    unequal: UnequalGroups | None = None

    def __post_init__(self) -> None:
        numbers = [number for rule in self.rules for number in astuple(rule)]
        if not self.rules or min(numbers, default=1) < 1:
            raise CannotDraw(
                "qualification", gettext_noop("Say who goes on: counts and places are 1 or more.")
            )
        if len({type(rule) for rule in self.rules}) != len(self.rules) or (
            len(self.rules) > 1 and any(isinstance(rule, Everybody) for rule in self.rules)
        ):
            raise CannotDraw(
                "qualification",
                gettext_noop("Each kind of rule can be asked once, and “everybody” only alone."),
            )


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a code of `REASONS` and the values of its sentence."""

    code: str
    values: tuple[tuple[str, int | str], ...] = ()


REASONS: dict[str, str] = {
    "group_place": gettext_noop("Place %(place)d in group %(group)s: the first %(count)d go on."),
    "best_of_place": gettext_noop("Number %(rank)d of those in place %(place)d: the best %(count)d go on."),
    "overall": gettext_noop("Number %(rank)d of all: the first %(count)d go on."),
    "everybody": gettext_noop("Everybody goes on."),
    "moved_up": gettext_noop(
        "Place %(place)d in group %(group)s, moves up for somebody who doesn't play on."
    ),
    "below_cut": gettext_noop("Place %(place)d in group %(group)s: not among those who go on."),
    "withdrawn": gettext_noop("Doesn't play on."),
    "group_open": gettext_noop("Results to come in group %(group)s: %(missing)d."),
    "others_open": gettext_noop("Compared with other groups, in which results are to come: %(missing)d."),
    "tie": gettext_noop("Level with others, and that has to be decided first."),
}

TIES: dict[str, str] = {
    "cut": gettext_noop("Level at the cut: only some of them go on."),
    "place": gettext_noop("Level for a place that is compared across groups."),
    "left_out": gettext_noop("Level for the last place, whose results aren't counted."),
    "seeding": gettext_noop("All of them go on, but whom they meet depends on their order."),
}


@dataclass(frozen=True, slots=True)
class Tie:
    """Contestants who are level where their order matters: `kind` is a key of `TIES`.

    `spots` is how many of them go on. Lots or a play-off break it: hand the order in as `decided`.
    """

    kind: str
    contestants: tuple[int, ...]
    spots: int


@dataclass(frozen=True, slots=True)
class Going:
    """One contestant in a preview. `seed` is the number in the next stage, from 1, once it is known."""

    contestant: int
    reason: Reason
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class StagePreview:
    """What would happen if the stage ended now: everybody of it is in one of three lists.

    `goes_on` is in the order of seeds when there are any; `stays` don't go on; `waits` can't be told yet.
    `left_out` are those against whom results weren't counted in comparing groups.
    """

    goes_on: tuple[Going, ...]
    stays: tuple[Going, ...]
    waits: tuple[Going, ...]
    ties: tuple[Tie, ...]
    seeding: Seeding
    left_out: frozenset[int] = frozenset()

    @property
    def can_be_applied(self) -> bool:
        """Whether nothing is open: no result, no tie."""
        return not self.waits and not self.ties


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage: the key of its format, its number of groups, and how one comes into it (None: by entering)."""

    format: str
    groups: int = 1
    qualification: Qualification | None = None


def plan_stages(stages: Sequence[PlannedStage], contestants: int) -> tuple[tuple[int, ...], ...]:
    """The sizes of the groups of each stage, for so many entered. Raises CannotDraw where it can't be played.

    Groups are as even as they can be, larger ones first.
    """
    sizes: list[tuple[int, ...]] = []
    count = contestants
    for number, stage in enumerate(stages, start=1):
        if (stage.qualification is None) != (number == 1):
            raise CannotDraw(
                "stages",
                gettext_noop("Stage %(stage)d: the first stage is entered, each other one needs its rules."),
                stage=number,
            )
        if stage.qualification is not None:
            count = _going_on(stage.qualification, sizes[-1], number)
        if stage.groups < 1 or count < 2 * stage.groups:
            raise CannotDraw(
                "too_few",
                gettext_noop(
                    "Stage %(stage)d: contestants %(count)d, groups %(groups)d; each group needs two."
                ),
                stage=number,
                count=count,
                groups=stage.groups,
            )
        base, more = divmod(count, stage.groups)
        sizes.append(tuple(base + (index < more) for index in range(stage.groups)))
    return tuple(sizes)


def _going_on(qualification: Qualification, sizes: Sequence[int], stage: int) -> int:
    """How many of groups of these sizes go on if nobody withdraws."""
    through = 0
    each = 0
    for rule in qualification.rules:
        if isinstance(rule, Everybody):
            return sum(sizes)
        if isinstance(rule, FirstOfEachGroup):
            wanted, there = rule.count * len(sizes), sum(min(size, rule.count) for size in sizes)
            each = rule.count
        elif isinstance(rule, BestOfPlace):
            wanted = rule.count
            there = 0 if rule.place <= each else sum(size >= rule.place for size in sizes)
        else:
            wanted, there = rule.count, sum(sizes) - through
        if there < wanted:
            raise CannotDraw(
                "too_few",
                gettext_noop(
                    "Stage %(stage)d: %(wanted)d are to come by a rule that only %(there)d can meet."
                ),
                stage=stage,
                wanted=wanted,
                there=there,
            )
        through += wanted
    return through
