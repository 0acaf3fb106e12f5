"""Course of a table elimination: totals, who is still in, and who left when."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from tournaments.standings.model import by_level

from ..errors import CannotDraw, gettext_noop
from ..format import PlayedRound, StageProgress


@dataclass(frozen=True, slots=True)
class Leaver:
    """Who left after which round (0: before the first), with how many points; `by_points`, or withdrawn."""

    contestant: int
    round: int
    total: Fraction
    by_points: bool


@dataclass(frozen=True, slots=True)
class TableCourse:
    """What the complete rounds say. `totals` are points so far by contestant; `leavers`, first to go first.

    `staying` are those who play on, by number; one alone has won.
    """

    totals: dict[int, Fraction]
    staying: tuple[int, ...]
    leavers: tuple[Leaver, ...]

    def places(self) -> tuple[tuple[int, ...], ...]:
        """Who has a place, first place first; nobody who plays on has one, but the last one left.

        Who left later is ahead. Of those who left after the same round who left by points is ahead of who
        withdrew, then who has fewer points. Who is level in all of it shares a place.
        """
        left = by_level(
            sorted(((-each.round, not each.by_points, each.total), each.contestant) for each in self.leavers)
        )
        return ((self.staying[0],), *left) if len(self.staying) == 1 else left


def follow(progress: StageProgress, target: Fraction) -> TableCourse:
    """Add up the points of all complete rounds and see who leaves.

    Who has the target or more after a round leaves. If nobody would be left, the lowest total stays, and
    several who share it play on among themselves. So the house rules have it: "who has fewest points wins as
    soon as a player reaches 500", and a tie is one more deal. Who is gone leaves after the last round they
    sat in. Who comes late begins with as many points as the one who has most of those still in. What somebody
    played after leaving (an earlier result was corrected) isn't counted. Raises CannotDraw for an outcome
    whose points aren't those of its sides.
    """
    totals: dict[int, Fraction] = {}
    leavers: list[Leaver] = []
    staying: list[int] = []
    waiting = sorted(progress.contestants, key=lambda one: (one.since, one.number))
    last_seat = _last_rounds(progress)
    rounds = list(takewhile(lambda each: each.is_complete, progress.rounds))
    for number in range(len(rounds) + 1):
        withdrawing = {one for one in progress.gone if last_seat.get(one, 0) <= number}
        if number:
            added = _added(rounds[number - 1])
            for one in staying:
                totals[one] += added.get(one, 0)
            over = _over(staying, totals, target, withdrawing)
            leavers += [Leaver(one, number, totals[one], True) for one in over]
            staying = [one for one in staying if one not in over]
        if number == 0 or len(staying) > 1:
            most = max((totals[one] for one in staying), default=Fraction(0))
            while waiting and waiting[0].since <= number + 1:
                totals[waiting[0].number] = most
                staying.append(waiting.pop(0).number)
        leavers += [Leaver(one, number, totals[one], False) for one in staying if one in withdrawing]
        staying = [one for one in staying if one not in withdrawing]
        if len(staying) < 2:
            break
    if len(staying) < 2:
        totals |= {one.number: Fraction(0) for one in waiting}
        leavers += [Leaver(one.number, 0, Fraction(0), False) for one in waiting]
    return TableCourse(totals, tuple(sorted(staying)), tuple(sorted(leavers, key=lambda one: one.round)))


def _over(
    staying: list[int], totals: dict[int, Fraction], target: Fraction, withdrawing: set[int]
) -> set[int]:
    """Who leaves by points after a round: all who have the target, but never everybody who could play on."""
    over = {one for one in staying if totals[one] >= target}
    rest = set(staying) - withdrawing
    if rest and rest <= over:
        lowest = min(totals[one] for one in rest)
        over -= {one for one in rest if totals[one] == lowest}
    return over


def _last_rounds(progress: StageProgress) -> dict[int, int]:
    """The number of the last round that each has sat in, drawn or played."""
    return {
        side: each.plan.number
        for each in progress.rounds
        for pairing in each.plan.pairings
        for side in pairing.sides
    }


def _added(played: PlayedRound) -> dict[int, Fraction]:
    """The points that a complete round added, by contestant."""
    added: dict[int, Fraction] = {}
    for pairing, outcome in played.played():
        if len(outcome.points) != len(pairing.sides) or min(outcome.points, default=Fraction(0)) < 0:
            raise CannotDraw(
                "points",
                gettext_noop(
                    "Round %(round)d, table %(table)s: %(given)d numbers of points for %(expected)d sides; "
                    "each side needs one, of 0 or more."
                ),
                round=played.plan.number,
                table=pairing.slot,
                given=len(outcome.points),
                expected=len(pairing.sides),
            )
        added.update(zip(pairing.sides, outcome.points, strict=True))
    return added
