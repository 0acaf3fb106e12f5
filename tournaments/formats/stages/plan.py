"""The stages of a tournament, one after the other, as they are set up: do they fit together?"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import CannotDraw, gettext_noop
from .model import BestOfPlace, Everybody, FirstOfEachGroup, Qualification


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
