"""The format: sit down, play a round at every table, see who leaves, sit closer together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

from ..errors import CannotDraw, gettext_noop
from ..format import Format, PairingOutcome, RoundPairing, RoundPlan, StageProgress, results_missing
from ..table_result import ResultKind, TableResult
from .course import TableCourse, follow
from .tables import rebalance

FEWEST_SEATS = 3  # with two seats somebody would sit alone whenever an odd number is left
MOST_SEATS = 10  # the most that any of the rule sets is for


@dataclass(frozen=True, slots=True)
class TableElimination(Format):
    """A round is a deal, or a game, at every table; its points add up, low is good.

    `seats` is the most at one table, `target` the points with which one leaves. Raises CannotDraw for
    settings that can't be played.
    """

    seats: int = 6
    target: int = 500

    key: ClassVar[str] = "table_elimination"
    name: ClassVar[str] = gettext_noop("Table elimination")
    explanation: ClassVar[str] = gettext_noop(
        "Points add up from deal to deal; who reaches the target leaves, tables are merged, and the last one "
        "left wins."
    )

    def __post_init__(self) -> None:
        if not FEWEST_SEATS <= self.seats <= MOST_SEATS:
            raise CannotDraw(
                "seats",
                gettext_noop("A table has %(fewest)d to %(most)d seats, not %(given)d."),
                fewest=FEWEST_SEATS,
                most=MOST_SEATS,
                given=self.seats,
            )
        if self.target < 1:
            raise CannotDraw(
                "target", gettext_noop("The target is 1 point or more, not %(given)d."), given=self.target
            )

    def rounds_for(self, contestants: int) -> int | None:
        """None: it depends on the points."""

    @property
    def result_kind(self) -> ResultKind:
        """See `Format`: those add up."""
        return ResultKind.POINTS

    def outcomes(self, plan: RoundPlan, results: Sequence[TableResult | None]) -> list[PairingOutcome | None]:
        """See `Format`: a game that was broken off gives nobody points."""
        return list(map(_outcome, plan.pairings, results))

    def course(self, progress: StageProgress) -> TableCourse:
        """Totals, who plays on and who left; see `follow`."""
        return follow(progress, Fraction(self.target))

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """See `Format`. Slots are `r3t2`: round 3, table 2; a table keeps its number.

        The first side has the first seat, and the seat left of it has it in the next round. A note `moved`
        names who comes from another table.
        """
        if len(progress.contestants) < 2:
            raise CannotDraw(
                "contestants",
                gettext_noop("Table elimination takes two contestants or more, not %(given)d."),
                given=len(progress.contestants),
            )
        if not progress.is_complete:
            raise results_missing(progress)
        staying = set(self.course(progress).staying)
        if len(staying) < 2:
            return None
        number = len(progress.rounds) + 1
        before = _tables(progress)
        seated = rebalance(
            [one for one in progress.contestants if one.number in staying],
            before,
            _met(progress),
            self.seats,
            seed,
        )
        return RoundPlan(
            number,
            gettext_noop("Round %(number)d, last table")
            if len(seated) == 1
            else gettext_noop("Round %(number)d"),
            (("number", number),),
            tuple(
                RoundPairing(
                    f"r{number}t{table}",
                    sides,
                    tuple(("moved", one) for one in sides if before and one not in before.get(table, ())),
                )
                for table, sides in seated.items()
            ),
        )

    def is_finished(self, progress: StageProgress) -> bool:
        """Whether all is decided and one contestant is left, or nobody."""
        return progress.is_complete and len(self.course(progress).staying) < 2

    def places(self, progress: StageProgress) -> tuple[tuple[int, ...], ...]:
        """See `Format`: from the last place up, as contestants leave."""
        return self.course(progress).places()


def _outcome(pairing: RoundPairing, result: TableResult | None) -> PairingOutcome | None:
    if result is None:
        return None
    if not result.closing.is_played:
        return PairingOutcome((Fraction(0),) * len(pairing.sides), None)
    points = result.points
    return None if points is None else PairingOutcome(tuple(map(Fraction, points)), result.winner)


def _tables(progress: StageProgress) -> dict[int, tuple[int, ...]]:
    """Who sat where in the last round, by the table's number, from the seat left of the first one."""
    if not progress.rounds:
        return {}
    return {
        int(pairing.slot.partition("t")[2]): (*pairing.sides[1:], *pairing.sides[:1])
        for pairing in progress.rounds[-1].plan.pairings
    }


def _met(progress: StageProgress) -> Counter[frozenset[int]]:
    """How many rounds two have sat at one table."""
    return Counter(
        frozenset(pair)
        for each in progress.rounds
        for pairing in each.plan.pairings
        for pair in combinations(pairing.sides, 2)
    )
