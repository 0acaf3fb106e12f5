"""The formats: rounds at tables that are planned in advance, or drawn by the standings."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

from tournaments.standings import GameClosing

from ..errors import CannotDraw, gettext_noop
from ..format import (
    Contestant,
    Format,
    PairingOutcome,
    RoundPairing,
    RoundPlan,
    StageProgress,
    UnplayedPoints,
    refuse_repeated,
    results_missing,
)
from ..model import check_rounds, check_seed
from ..table_result import ResultKind, TableResult
from .by_standing import tables_by_standing
from .lots import METHOD, by_lot, by_team
from .planning import SeatingTask, planned_rounds
from .scale import mean_points, points_of_places, read_scale, scale_at
from .seats import fairest_seats, seats_in_turn
from .sizes import check_fits, check_seats, who_sits_out

_ROUND = gettext_noop("Round %(number)d")


@dataclass(frozen=True, slots=True)
class RoundsAtTables(Format):
    """What both have in common. Tables have `seats` or one less.

    `rounds`: None for as many as there are seats, so that everybody sits in each seat once. `by_places`: a
    table gives the points of places on the `scale` (`4-2-1-0`; empty for the usual one). Otherwise it gives
    those of the cards left in hand, and low is good. `sits_out`: where not all can sit, as few as possible
    sit out in turn; otherwise such a round is refused. `teams_apart`: whether two of one team meet only where
    it can't be avoided. Raises CannotDraw for settings that can't be played.
    """

    seats: int = 4
    rounds: int | None = None
    by_places: bool = True
    scale: str = ""
    sits_out: bool = True
    teams_apart: bool = True

    def __post_init__(self) -> None:
        check_seats(self.seats)
        check_rounds(self.rounds)
        read_scale(self.scale, self.seats)

    def rounds_for(self, contestants: int) -> int:
        """As set, or as many as there are seats."""
        return self.rounds or self.seats

    def scale_of(self, players: int) -> tuple[Fraction, ...]:
        """The points of each place at a table of so many players."""
        return scale_at(read_scale(self.scale, self.seats), players)

    def outcome_of_places(self, pairing: RoundPairing, places: Sequence[int]) -> PairingOutcome:
        """The outcome of a table whose sides came to these places; raises CannotDraw."""
        points = points_of_places(read_scale(self.scale, self.seats), places)
        return PairingOutcome(points, _first(pairing, places), places=tuple(places))

    @property
    def result_kind(self) -> ResultKind:
        """See `Format`."""
        return ResultKind.PLACES if self.by_places else ResultKind.POINTS

    @property
    def place_points(self) -> tuple[Fraction, ...]:
        """See `Format`; none with card points."""
        return self.scale_of(self.seats) if self.by_places else ()

    @property
    def most_points(self) -> Fraction:
        """See `Format`; of cards there can be any number."""
        return self.scale_of(self.seats)[0]

    def outcomes(self, plan: RoundPlan, results: Sequence[TableResult | None]) -> list[PairingOutcome | None]:
        """See `Format`. By places, a table that was broken off gives each side the mean, and a forfeit all to
        who was there. By cards, such a table gives each the mean of the round's other tables.
        """
        if self.by_places:
            return list(map(self._by_places, plan.pairings, results))
        found = list(map(_by_cards, plan.pairings, results))
        is_played = [result is None or result.closing.is_played for result in results]
        if any(each is None and played for each, played in zip(found, is_played, strict=True)):
            return found
        mean = _mean_of(found) or Fraction(0)
        return [
            each or PairingOutcome((mean,) * len(pairing.sides), None, walkover=True)
            for each, pairing in zip(found, plan.pairings, strict=True)
        ]

    def _by_places(self, pairing: RoundPairing, result: TableResult | None) -> PairingOutcome | None:
        if result is None:
            return None
        if result.places is not None:
            return self.outcome_of_places(pairing, result.places)
        sides = pairing.sides
        match result.closing:
            case GameClosing.VOID:
                return PairingOutcome(
                    (mean_points(self.scale_of(self.seats)),) * len(sides), None, walkover=True
                )
            case GameClosing.FORFEIT:
                first = self.scale_of(len(sides))[0]
                points = tuple(first if side == result.winner else Fraction(0) for side in sides)
                places = tuple(1 + (side != result.winner) for side in sides) if any(points) else ()
                return PairingOutcome(points, result.winner, walkover=True, places=places)
        return None

    def without_annulled(
        self, pairing: RoundPairing, outcome: PairingOutcome | None, annulled: Collection[int]
    ) -> tuple[RoundPairing, PairingOutcome | None] | None:
        """See `Format`: it counts for the others as if they had sat there alone."""
        stays = [at for at, side in enumerate(pairing.sides) if side not in annulled]
        if not stays or len(stays) == len(pairing.sides):
            return (pairing, outcome) if stays else None
        left = pairing._replace(sides=tuple(pairing.sides[at] for at in stays))
        if outcome is None:
            return left, None
        points = tuple(outcome.points[at] for at in stays)
        places = tuple(outcome.places[at] for at in stays if outcome.places)
        if not outcome.walkover:
            places = tuple(1 + sum(other < own for other in places) for own in places)
            points = self.outcome_of_places(left, places).points if self.by_places else points
        return left, PairingOutcome(points, _first(left, places), outcome.walkover, places)

    def is_finished(self, progress: StageProgress) -> bool:
        """See `Format`: too few for a table end it earlier."""
        if not progress.rounds or not progress.is_complete:
            return False
        return len(progress.rounds) >= self.rounds_for(0) or progress.are_too_few_left()

    @property
    def unplayed_points(self) -> tuple[Fraction, ...]:
        """See `Format`: the mean of the scale; with card points it depends on the round."""
        return (mean_points(self.scale_of(self.seats)),) if self.by_places else ()

    def points_unplayed(self, progress: StageProgress, plan: RoundPlan) -> list[UnplayedPoints]:
        """See `Format`: who sits out has as many as others have on average, of a scale or of the round's
        cards.

        Who isn't there yet or asked to sit out has as many, too. Who has left has none, and of cards as many
        as who has most: where low is good, nothing would be best.
        """
        points = self._mean(progress, plan)
        if points is None:
            return []
        asked = [one.number for one in progress.contestants if _is_away(one, plan.number)]
        left = {one.number for one in progress.contestants} - {*plan.taking_part(), *asked}
        worst = Fraction(0) if self.by_places else max(_points_of(progress.rounds[plan.number - 1].outcomes))
        return [
            *(UnplayedPoints(one, points, is_requested=False) for one in plan.byes),
            *(UnplayedPoints(one, points, is_requested=True) for one in asked),
            *(UnplayedPoints(one, worst, is_requested=True, has_left=True) for one in sorted(left)),
        ]

    def _mean(self, progress: StageProgress, plan: RoundPlan) -> Fraction | None:
        if self.by_places:
            return mean_points(self.scale_of(self.seats))
        played = progress.rounds[plan.number - 1]
        return _mean_of(played.outcomes) if played.is_complete else None

    def totals(self, progress: StageProgress) -> dict[int, Fraction]:
        """The points of everybody so far, of rounds without a table, too."""
        found = {one.number: Fraction(0) for one in progress.contestants}
        for decided in progress.played():
            counted = self.without_annulled(*decided, progress.annulled)
            if counted and counted[1]:
                for side, points in zip(counted[0].sides, counted[1].points, strict=True):
                    found[side] += points
        for each in progress.rounds:
            for unplayed in self.points_unplayed(progress, each.plan):
                found[unplayed.contestant] += unplayed.points
        return found

    def matches_left(self, progress: StageProgress) -> int:
        """See `Format`."""
        undrawn = max(0, self.rounds_for(0) - len(progress.rounds))
        return len(progress.open_pairings()) + undrawn * -(-len(progress.playing()) // self.seats)

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """See `Format`. Slots are `r3t2`: round 3, table 2; sides stand in the order of their seats.

        Second meetings are always allowed: they are as few as possible.
        """
        return next(iter(self._coming(progress, seed, 1)), None)

    def coming_rounds(
        self, progress: StageProgress, seed: str, *, rematches: bool = False
    ) -> list[RoundPlan]:
        """See `Format`."""
        return self._coming(progress, seed, self.rounds_for(0) if self.is_predetermined else 1)

    def _coming(self, progress: StageProgress, seed: str, most: int) -> list[RoundPlan]:
        check_seed(seed)
        refuse_repeated(progress.contestants)
        left = self.rounds_for(0) - len(progress.rounds)
        if left < 1 or progress.are_too_few_left():
            return []
        return self._draw(progress, seed, min(most, left))

    @abstractmethod
    def _draw(self, progress: StageProgress, seed: str, most: int) -> list[RoundPlan]:
        """So many of the rounds that follow, at most."""

    def _task(self, field: Sequence[Contestant], played: Sequence[RoundPlan], rounds: int) -> SeatingTask:
        """What is asked of the search, for contestants in this order."""
        at = {one.number: index for index, one in enumerate(field)}
        tables = [[at[side] for side in sides if side in at] for sides in _tables_of(played)]
        met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
        sat = Counter(one for table in tables for one in table)
        smaller = Counter(
            at[side]
            for plan in played
            for pairing in plan.pairings
            for side in pairing.sides
            if side in at and len(pairing.sides) < self.seats
        )
        return SeatingTask(
            rounds,
            check_fits(len(field), self.seats, sits_out=self.sits_out),
            tuple(one.team if self.teams_apart else -index for index, one in enumerate(field)),
            tuple(one.labels for one in field),
            frozenset((one, other, times) for (one, other), times in met.items()),
            tuple(sat[index] for index in range(len(field))),
            tuple(smaller[index] for index in range(len(field))),
        )


@dataclass(frozen=True, slots=True)
class PlannedTables(RoundsAtTables):
    """All rounds are planned in advance.

    The plan is made for who is there at first. From the first round on for which somebody has come or gone,
    the rounds that are left are planned anew. A swap by hand changes no other round.
    """

    key: ClassVar[str] = "tables"
    name: ClassVar[str] = gettext_noop("Tables")
    explanation: ClassVar[str] = gettext_noop(
        "Everybody plays every round at a table, and meets as many others as possible; all rounds are "
        "planned in advance."
    )
    is_predetermined: ClassVar[bool] = True
    replans: ClassVar[bool] = True

    def _draw(self, progress: StageProgress, seed: str, most: int) -> list[RoundPlan]:
        drawn = [each.plan for each in progress.rounds]
        everybody = {one.number: one for one in progress.contestants}
        field: set[int] = set()
        plan: list[RoundPlan] = []
        for number in range(1, len(drawn) + 2):
            is_drawn = number <= len(drawn)
            here = (
                set(drawn[number - 1].taking_part())
                if is_drawn
                else {one.number for one in progress.playing()}
            )
            if not here <= everybody.keys():
                raise _other_contestants(number)
            if here != field:
                field = here
                contestants = [everybody[one] for one in sorted(here)]
                plan = self._plan(contestants, drawn[: number - 1], seed)
            if is_drawn:
                plan = plan[1:]
        return plan[:most]

    def _plan(self, field: Sequence[Contestant], played: Sequence[RoundPlan], seed: str) -> list[RoundPlan]:
        """The rounds that are left after those played, for contestants who take part in all of them."""
        in_order = by_team(field, seed)
        task = self._task(in_order, played, self.rounds_for(0) - len(played))
        rounds = planned_rounds(task)
        if played:
            had = _seats_had(played)
            seated = []
            for tables in rounds:
                numbered = [[in_order[one].number for one in table] for table in tables]
                seated.append([fairest_seats(sides, had) for sides in numbered])
                had.update((side, seat) for sides in seated[-1] for seat, side in enumerate(sides))
        else:
            seated = [
                [tuple(in_order[one].number for one in table) for table in tables]
                for tables in seats_in_turn(rounds)
            ]
        return [_round(number, tables, in_order) for number, tables in enumerate(seated, len(played) + 1)]


@dataclass(frozen=True, slots=True)
class TablesByStanding(RoundsAtTables):
    """Each round is drawn when the one before is over: the leaders sit together (`by_standing.py`)."""

    key: ClassVar[str] = "tables_by_standing"
    name: ClassVar[str] = gettext_noop("Tables by the standings")
    explanation: ClassVar[str] = gettext_noop(
        "Everybody plays every round at a table with others who have as many points; nobody is eliminated."
    )

    def _draw(self, progress: StageProgress, seed: str, most: int) -> list[RoundPlan]:
        if not progress.is_complete:
            raise results_missing(progress)
        number = len(progress.rounds) + 1
        played = [each.plan for each in progress.rounds]
        field = by_lot(progress.playing(), seed)
        sizes = check_fits(len(field), self.seats, sits_out=self.sits_out)
        sat = Counter(side for sides in _tables_of(played) for side in sides)
        out = who_sits_out([one.number for one in field], sat, len(field) - sum(sizes))
        seated = [one for one in field if one.number not in out]
        totals = self.totals(progress)
        sign = 1 if self.by_places else -1
        found = tables_by_standing(
            self._task(seated, played, 1),
            [sign * totals[one.number] for one in seated],
            f"{METHOD}/{seed}/round/{number}",
        )
        had = _seats_had(played)
        tables = [fairest_seats([seated[one].number for one in table], had) for table in found]
        return [_round(number, tables, field)]


def _by_cards(pairing: RoundPairing, result: TableResult | None) -> PairingOutcome | None:
    """The outcome of a table by the cards left in hand, low is good."""
    if result is None or result.points is None:
        return None
    places = tuple(1 + sum(other < own for other in result.points) for own in result.points)
    return PairingOutcome(tuple(map(Fraction, result.points)), _first(pairing, places), places=places)


def _first(pairing: RoundPairing, places: Sequence[int]) -> int | None:
    """The only one who came first; None where there is none or several share it."""
    firsts = [side for side, place in zip(pairing.sides, places, strict=False) if place == 1]
    return firsts[0] if len(firsts) == 1 else None


def _mean_of(outcomes: Iterable[PairingOutcome | None]) -> Fraction | None:
    """The mean of the points of all sides; None where nobody has any."""
    points = _points_of(outcomes)
    return sum(points, Fraction(0)) / len(points) if points else None


def _points_of(outcomes: Iterable[PairingOutcome | None]) -> list[Fraction]:
    return [each for outcome in outcomes if outcome for each in outcome.points]


def _is_away(one: Contestant, number: int) -> bool:
    return number < one.since or number in one.sits_out


def _tables_of(played: Sequence[RoundPlan]) -> list[tuple[int, ...]]:
    return [pairing.sides for plan in played for pairing in plan.pairings]


def _seats_had(played: Sequence[RoundPlan]) -> Counter[tuple[int, int]]:
    """How often each has sat in each seat: by contestant and seat, from 0."""
    return Counter((side, seat) for sides in _tables_of(played) for seat, side in enumerate(sides))


def _round(number: int, tables: Sequence[Sequence[int]], field: Sequence[Contestant]) -> RoundPlan:
    seated = {side for sides in tables for side in sides}
    return RoundPlan(
        number,
        _ROUND,
        (("number", number),),
        tuple(
            RoundPairing(f"r{number}t{table}", tuple(sides)) for table, sides in enumerate(tables, start=1)
        ),
        tuple(sorted(one.number for one in field if one.number not in seated)),
    )


def _other_contestants(number: int) -> CannotDraw:
    return CannotDraw(
        "other_contestants",
        gettext_noop("Round %(round)d was drawn from other contestants than these."),
        round=number,
    )
