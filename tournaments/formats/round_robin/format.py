"""Round robin: everybody meets everybody, in one group or several, once or more.

All rounds follow from the contestants and the seed; results play no part. What was drawn stays. Places are
worked out round after round from who took part in each (`places.py`). So late contestants and those who are
gone change nothing before them.

Who is gone leaves byes to the opponents still to come. How what they played counts is the rule of FIDE's
Tournament Rules on those who leave. With less than half of their matches completed, no points for or against
them count. Otherwise all stand, and the unplayed ones are won by the opponents. The decision that removed
somebody can say otherwise. `annulled` tells the standings which is which.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..errors import CannotDraw, gettext_noop
from ..format import Contestant, Format, RoundPairing, RoundPlan, StageProgress, refuse_repeated
from ..model import check_seed
from ..points import USUAL_POINTS, MatchPoints
from .groups import Grouping, divide
from .lots import number_lot
from .places import GroupPlaces, GroupTableRow, admit, refuse_replaced

MAX_LEGS = 10


@dataclass(frozen=True, slots=True)
class RoundRobin(Format):
    """The format with its settings.

    `legs`: how often two meet, with seats changed from leg to leg. `groups` of the same size, give or take
    one, made by `grouping`. Rounds of all groups are played side by side, and smaller groups may end earlier.
    `annul`: whether the results of who is gone with less than half of their matches completed count for
    nobody. Without it they stand. `points` are what a match gives.

    Raises CannotDraw for legs and groups out of range.
    """

    legs: int = 1
    groups: int = 1
    grouping: Grouping = Grouping.POTS
    annul: bool = True
    points: MatchPoints = USUAL_POINTS

    key: ClassVar[str] = "round_robin"
    name: ClassVar[str] = gettext_noop("Round robin")
    explanation: ClassVar[str] = gettext_noop(
        "Everybody meets everybody, in one group or several; where they are an odd number, each waits for a "
        "round in turn."
    )
    is_predetermined: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 1 <= self.legs <= MAX_LEGS:
            raise CannotDraw(
                "legs",
                gettext_noop("A round robin has 1 to %(most)d legs, not %(given)d."),
                most=MAX_LEGS,
                given=self.legs,
            )
        if self.groups < 1:
            raise CannotDraw(
                "groups", gettext_noop("At least one group is needed, not %(given)d."), given=self.groups
            )

    def rounds_for(self, contestants: int) -> int:
        """How many rounds so many contestants play: those of the largest group.

        Raises CannotDraw if they are fewer than two for each group.
        """
        if contestants < 2 * self.groups:
            raise CannotDraw(
                "contestants",
                gettext_noop(
                    "Contestants: %(given)d; groups: %(groups)d. At least %(fewest)d contestants are needed, "
                    "two for each group."
                ),
                given=contestants,
                groups=self.groups,
                fewest=2 * self.groups,
            )
        largest = -(-contestants // self.groups)
        return self.legs * (largest + largest % 2 - 1)

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """The next round, or None if all is drawn; the same input gives the same round anywhere.

        Raises CannotDraw for too few contestants, one who is there twice, and a late one whom no place is
        free for. Also for one who comes back after somebody took their place, and for rounds that were drawn
        from something else.
        """
        return next(self._coming(progress, seed), None)

    def coming_rounds(
        self, progress: StageProgress, seed: str, *, rematches: bool = False
    ) -> list[RoundPlan]:
        """All rounds that are still to be drawn, as they are if nobody else comes or goes."""
        return list(self._coming(progress, seed))

    def _coming(self, progress: StageProgress, seed: str) -> Iterator[RoundPlan]:
        groups, total = self._start(progress, seed)
        if progress.are_too_few_left():
            return
        for _ in self._drawn(groups, progress):
            pass
        following = len(progress.rounds) + 1
        # One that comes when all is drawn is told so.
        for number in range(following, max(total, following) + 1):
            playing = {
                one.number: one
                for one in progress.contestants
                if one.number not in progress.gone and one.since <= number
            }
            lines = self._lines(groups, number, playing)
            if number <= total:
                yield _plan(number, lines, playing)

    def is_finished(self, progress: StageProgress) -> bool:
        """Whether all is drawn and decided; nothing is left to draw where fewer than two are left to play."""
        if not progress.rounds or not progress.is_complete:
            return False
        total = self.rounds_for(len(progress.rounds[0].plan.taking_part()))
        return len(progress.rounds) >= total or progress.are_too_few_left()

    def division(self, progress: StageProgress, seed: str) -> tuple[tuple[int, ...], ...]:
        """Who is in each group, group 1 first: the contestants' numbers in the order of their places.

        Who is gone is there as well, and after them who has taken their place.
        """
        groups, _ = self._start(progress, seed)
        for _ in self._drawn(groups, progress):
            pass
        return tuple(group.members() for group in groups)

    def annulled(self, progress: StageProgress, seed: str) -> frozenset[int]:
        """Whose results count for nobody: by decision, or by leaving.

        Who is gone and completed less than half of their matches is one of them, unless it was decided that
        their results stand. Their matches are those that the tables have for them from the round in which
        they came. One that was won or lost without a game isn't completed.
        """
        leaving = progress.gone - progress.kept
        if not self.annul or not leaving:
            return progress.annulled
        groups, total = self._start(progress, seed)
        matches: Counter[int] = Counter()
        for _, lines in self._drawn(groups, progress):
            matches.update(_of_each(groups, lines))
        for number in range(len(progress.rounds) + 1, total + 1):
            lines = [line for group in groups for line in group.lines(number, self.legs)]
            matches.update(_of_each(groups, lines))
        completed = Counter(
            one for pairing, outcome in progress.played() if not outcome.walkover for one in pairing.sides
        )
        by_rule = (one for one in leaving if 2 * completed[one] < matches[one])
        return progress.annulled.union(by_rule)

    @property
    def annuls_early_leavers(self) -> bool:
        """See `Format`."""
        return self.annul

    def why_no_swap(self, progress: StageProgress) -> CannotDraw:
        """See `Format`."""
        return CannotDraw(
            "nothing_to_swap",
            gettext_noop(
                "In a round robin everybody meets everybody: after a swap two would meet twice, and two not "
                "at all. Draw again with another seed."
            ),
        )

    def needs_lots(self, contestants: int) -> bool:
        """See `Format`: in one group everybody meets everybody."""
        return self.groups > 1

    def _start(self, progress: StageProgress, seed: str) -> tuple[list[GroupPlaces], int]:
        """The groups as they are drawn for round 1, and how many rounds they play."""
        check_seed(seed)
        refuse_repeated(progress.contestants)
        if progress.rounds:
            field = tuple(_contestants(progress, progress.rounds[0].plan).values())
        else:
            field = progress.playing()
        total = self.rounds_for(len(field))
        divided = divide(field, self.groups, self.grouping, seed)
        groups = [
            GroupPlaces.of(number, self._numbered(members, seed))
            for number, members in enumerate(divided, start=1)
        ]
        return groups, total

    def _numbered(self, members: Sequence[Contestant], seed: str) -> list[int]:
        """The contestants of a group in the order of their numbers in its table."""
        numbers = sorted(one.number for one in members)
        return sorted(numbers, key=lambda number: number_lot(seed, number))

    def _drawn(
        self, groups: Sequence[GroupPlaces], progress: StageProgress
    ) -> Iterator[tuple[RoundPlan, list[GroupTableRow]]]:
        """The rounds that were drawn, each with the tables' lines; late contestants get their places."""
        for number, plan in enumerate((each.plan for each in progress.rounds), start=1):
            playing = _contestants(progress, plan)
            lines = self._lines(groups, number, playing)
            expected = _plan(number, lines, playing)
            if _who_meets(plan) != _who_meets(expected):
                raise _other_draw(number)
            yield plan, lines

    def _lines(
        self, groups: Sequence[GroupPlaces], number: int, playing: dict[int, Contestant]
    ) -> list[GroupTableRow]:
        """The tables' lines of a round, after who comes in it has a place."""
        placed = {one for group in groups for one in group.holders()}
        for late in sorted(playing.keys() - placed):
            refuse_replaced(groups, late)
            unfinished = [group for group in groups if any(group.lines(number, self.legs))]
            admit(unfinished, playing[late], playing, number)
        return [line for group in groups for line in group.lines(number, self.legs)]


def _plan(number: int, lines: Sequence[GroupTableRow], playing: dict[int, Contestant]) -> RoundPlan:
    pairings: list[RoundPairing] = []
    byes: list[int] = []
    for line in lines:
        present = tuple(one for one in line.holders if one is not None and one in playing)
        if len(present) == 2:
            pairings.append(RoundPairing(line.slot, present))
        else:
            byes += present
    title = gettext_noop("Round %(number)d")
    return RoundPlan(number, title, (("number", number),), tuple(pairings), tuple(byes))


def _who_meets(plan: RoundPlan) -> tuple[set[tuple[str, tuple[int, ...]]], set[int]]:
    return {(pairing.slot, pairing.sides) for pairing in plan.pairings}, set(plan.byes)


def _contestants(progress: StageProgress, plan: RoundPlan) -> dict[int, Contestant]:
    """Who takes part in a drawn round, by number."""
    everybody = {one.number: one for one in progress.contestants}
    taking_part = plan.taking_part()
    if not everybody.keys() >= set(taking_part):
        raise _other_draw(plan.number)
    return {number: everybody[number] for number in taking_part}


def _of_each(groups: Sequence[GroupPlaces], lines: Sequence[GroupTableRow]) -> Iterator[int]:
    """Who has a match in these lines, also who had the place before; an empty place is no opponent."""
    for line in lines:
        if None not in line.holders:
            for place in line.places:
                yield from groups[line.group - 1].had[place - 1]


def _other_draw(number: int) -> CannotDraw:
    return CannotDraw(
        "other_draw",
        gettext_noop(
            "Round %(round)d was drawn from other contestants, settings or another seed than these."
        ),
        round=number,
    )
