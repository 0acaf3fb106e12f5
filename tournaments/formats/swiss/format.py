"""The Swiss system: round after round, equals meet whom they haven't met."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from ..errors import CannotDraw, gettext_noop
from ..format import Format, RoundPairing, RoundPlan, StageProgress, UnplayedPoints
from ..model import check_rounds, check_seed
from ..points import USUAL_POINTS, MatchPoints
from .criteria import CRITERIA, FIRST_METHOD, METHOD, Criterion, higher_sits_first, lot, notes_for, weigh
from .matching import cheapest_matching
from .standing import SwissScore, stand

_ROUND = gettext_noop("Round %(number)d")


@dataclass(frozen=True, slots=True)
class Swiss(Format):
    """Each round is the best of all possible ones by `CRITERIA`, in that order.

    It has score groups, a fold and floats like FIDE's Dutch system, but isn't that system. One list of
    criteria for the whole round takes the place of its procedure.

    `rounds`: None for as many as a knockout has. `points` are what a match gives, `bye_points` what a round
    without an opponent does. `asked_points` are for a round that a contestant sits out by request.
    `missed_points` are for each round that was drawn before a late contestant came. `teams_apart`: whether
    two of one team meet only where it can't be avoided. `rematches`: whether a second meeting (or a second
    bye) is drawn where there is no way without; otherwise that is refused. `method` is the named one by which
    rounds are drawn: stages that an earlier version began go on by theirs. Raises CannotDraw for settings out
    of range.
    """

    rounds: int | None = None
    points: MatchPoints = USUAL_POINTS
    bye_points: Fraction = Fraction(1)
    asked_points: Fraction = Fraction(1, 2)
    missed_points: Fraction = Fraction(0)
    teams_apart: bool = True
    rematches: bool = False
    method: str = METHOD

    key: ClassVar[str] = "swiss"
    name: ClassVar[str] = gettext_noop("Swiss")
    explanation: ClassVar[str] = gettext_noop(
        "In every round those with equal points meet, nobody the same opponent twice; nobody is eliminated."
    )

    def __post_init__(self) -> None:
        check_rounds(self.rounds)
        for points in (self.bye_points, self.asked_points, self.missed_points):
            if points < 0:
                raise CannotDraw(
                    "bye_points",
                    gettext_noop("A bye or a missed round gives 0 points or more, not %(given)s."),
                    given=str(points),
                )

    def drawn_by(self, method: str) -> Self:
        """See `Format`."""
        return replace(self, method=method)

    def rounds_for(self, contestants: int) -> int:
        """As set, or as many as it takes until at most one contestant can have won all: 3 for 5 to 8."""
        return self.rounds or max(1, (contestants - 1).bit_length())

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """See `Format`. With `rematches` second byes are allowed, too."""
        try:
            return self._next_round(progress, seed)
        except CannotDraw as error:
            if not rematches or error.code != "no_pairing":
                raise
        plan = replace(self, rematches=True)._next_round(progress, seed)
        title = gettext_noop("Round %(number)d, second meetings allowed")
        return None if plan is None else replace(plan, title=title, rematches=True)

    def _next_round(self, progress: StageProgress, seed: str) -> RoundPlan | None:
        """The next round as set. Slots are `r3t2`: round 3, table 2; the highest scores sit at table 1.

        Late contestants don't make the stage longer; it ends earlier where fewer than two are left.
        `CannotDraw` with the code `no_pairing` says that every way to pair all has a second meeting or a
        second bye.
        """
        check_seed(seed)
        number = len(progress.rounds) + 1
        if number > self._rounds(progress) or progress.are_too_few_left():
            return None
        standings = self.stand(progress)
        if len(standings) < 2:
            raise CannotDraw(
                "contestants",
                gettext_noop("A Swiss round takes two contestants or more, not %(given)d."),
                given=len(standings),
            )
        partners = cheapest_matching(weigh(self.criteria(), standings, seed, number)).partners
        pairs = [
            (one, standings[partners[one.rank]])
            for one in standings
            if one.rank < partners[one.rank] < len(standings)
        ]
        byes = [one for one in standings if partners[one.rank] == len(standings)]
        self._refuse_second_times(pairs, byes, number)
        notes = notes_for(pairs, number, teams_apart=self.teams_apart)
        return RoundPlan(
            number,
            _ROUND,
            (("number", number),),
            tuple(
                RoundPairing(f"r{number}t{table}", _seated(high, low, seed, number), noted)
                for table, ((high, low), noted) in enumerate(zip(pairs, notes, strict=True), start=1)
            ),
            tuple(one.number for one in byes),
        )

    def stand(self, progress: StageProgress) -> tuple[SwissScore, ...]:
        """Who can be paired in the next round, in the order of their ranks. Raises CannotDraw."""
        return stand(progress, self.bye_points, self.missed_points, self.asked_points)

    def is_finished(self, progress: StageProgress) -> bool:
        """See `Format`."""
        if not progress.rounds or not progress.is_complete:
            return False
        return len(progress.rounds) >= self._rounds(progress) or progress.are_too_few_left()

    @property
    def unplayed_points(self) -> tuple[Fraction, ...]:
        """See `Format`: of a bye, of a round that was sat out by request, of one before one came."""
        return self.bye_points, self.asked_points, self.missed_points

    def points_unplayed(self, progress: StageProgress, plan: RoundPlan) -> list[UnplayedPoints]:
        """See `Format`: left over by the draw, asked to sit out, or not there yet."""
        found = [UnplayedPoints(one, self.bye_points, is_requested=False) for one in plan.byes]
        for one in progress.contestants:
            if plan.number < one.since:
                found.append(UnplayedPoints(one.number, self.missed_points, is_requested=True))
            elif plan.number in one.sits_out:
                found.append(UnplayedPoints(one.number, self.asked_points, is_requested=True))
        return found

    def criteria(self) -> tuple[Criterion, ...]:
        """What a round is chosen by, with these settings."""
        left_out = set() if self.teams_apart else {"same_team"}
        if self.method == FIRST_METHOD:
            left_out.add("bye_unplayed")
        return tuple(each for each in CRITERIA if each.key not in left_out)

    def _rounds(self, progress: StageProgress) -> int:
        return self.rounds_for(sum(one.since <= 1 for one in progress.contestants))

    def _refuse_second_times(
        self, pairs: Sequence[tuple[SwissScore, SwissScore]], byes: Sequence[SwissScore], number: int
    ) -> None:
        meetings = sum(high.record.met.get(low.number, 0) > 0 for high, low in pairs)
        again = sum(one.record.byes > 0 for one in byes)
        if (meetings or again) and not self.rematches:
            raise CannotDraw(
                "no_pairing",
                gettext_noop(
                    "Round %(number)d can't be paired without second times. Second meetings, at best: "
                    "%(meetings)d; second byes: %(byes)d. Allow them for this round, or end the stage "
                    "with the rounds played."
                ),
                number=number,
                meetings=meetings,
                byes=again,
            )


def _seated(high: SwissScore, low: SwissScore, seed: str, number: int) -> tuple[int, int]:
    """Who has the first seat comes first; where seats had so far say nothing, an even lot is for `high`."""
    first = higher_sits_first(high, low)
    if first is None:
        first = lot(seed, number, high.number, low.number) % 2 == 0
    return (high.number, low.number) if first else (low.number, high.number)
