"""The formats: rounds at tables that are planned in advance, or drawn by the standings."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

from games.engine.places import only_first, places_of
from tournaments.standings import GameClosing

from ..errors import CannotDraw, gettext_noop
from ..format import (
    Contestant,
    Format,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
    TakenSeat,
    UnplayedPoints,
    refuse_repeated,
    results_missing,
)
from ..model import check_rounds, check_seed
from ..table_result import ResultKind, TableResult
from .by_standing import tables_by_standing
from .lot_order import METHOD, by_lot, by_team
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

    plays_on_without: ClassVar[bool] = True

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
        """See `Format`. A table that was broken off gives each side the mean, of the scale or of the cards of
        the round. Of a forfeit who was there has as much as a first, and the others have nothing. By cards
        they have as few, and as many, as anybody has in the round. Who wasn't there is left out; where at
        most one was, that is a forfeit.
        """
        kind = self.result_kind
        played = [
            _of_who_came(pairing, result, kind)
            for pairing, result in zip(plan.pairings, results, strict=True)
        ]
        if self.by_places:
            found = [self._by_places(pairing, result) for pairing, result in played]
        else:
            found = [_by_cards(pairing, result) for pairing, result in played]
            if None in found:
                found = [None if each is None or each.walkover else each for each in found]
            else:
                found = _with_points_of_round(found)
        came = (pairing for pairing, _result in played)
        return list(map(_with_absent, plan.pairings, came, found))

    def _by_places(self, pairing: RoundPairing, result: TableResult | None) -> PairingOutcome | None:
        if result is None:
            return None
        if not result.closing.is_played:
            return self._with_points(pairing, _walkover(pairing, result))
        return None if result.places is None else self.outcome_of_places(pairing, result.places)

    def _with_points(self, pairing: RoundPairing, outcome: PairingOutcome) -> PairingOutcome:
        """By places, a table with what its end gives on the scale."""
        if not outcome.walkover:
            return self.outcome_of_places(pairing, outcome.places)
        if not outcome.places:
            return replace(outcome, points=(mean_points(self.scale_of(self.seats)),) * len(pairing.sides))
        first = self.scale_of(len(pairing.sides))[0]
        points = (first if side == outcome.winner else Fraction(0) for side in pairing.sides)
        return replace(outcome, points=tuple(points))

    def without_annulled(
        self, pairing: RoundPairing, outcome: PairingOutcome | None, annulled: Collection[int]
    ) -> tuple[RoundPairing, PairingOutcome | None] | None:
        """See `Format`: it counts for the others as if they had sat there alone."""
        absent = frozenset() if outcome is None else outcome.absent
        stays = [at for at, side in enumerate(pairing.sides) if side not in {*annulled, *absent}]
        if not stays or len(stays) == len(pairing.sides):
            return (pairing, outcome) if stays else None
        left = pairing._replace(sides=tuple(pairing.sides[at] for at in stays))
        if outcome is None:
            return left, None
        places = places_of([outcome.places[at] for at in stays if outcome.places])
        winner = _first(left, places)
        if outcome.walkover and winner != outcome.winner:
            winner = None
        points = tuple(outcome.points[at] for at in stays)
        counted = PairingOutcome(points, winner, outcome.walkover, places)
        return left, self._with_points(left, counted) if self.by_places else counted

    def counted(
        self, played: PlayedRound, annulled: Collection[int]
    ) -> list[tuple[RoundPairing, PairingOutcome | None] | None]:
        """See `Format`: by cards, what a table gives that wasn't played out follows from those that count."""
        found = Format.counted(self, played, annulled)
        if self.by_places:
            return found
        outcomes = _with_points_of_round([each and each[1] for each in found])
        return [each and (each[0], outcome) for each, outcome in zip(found, outcomes, strict=True)]

    def is_finished(self, progress: StageProgress) -> bool:
        """See `Format`: too few for a table end it earlier."""
        if not progress.rounds or not progress.is_complete:
            return False
        return len(progress.rounds) >= self.rounds_for(0) or progress.are_too_few_left()

    @property
    def unplayed_points(self) -> tuple[Fraction, ...]:
        """See `Format`: the mean of the scale; with card points it depends on the round."""
        return (mean_points(self.scale_of(self.seats)),) if self.by_places else ()

    def points_absent(self, played: PlayedRound, annulled: Collection[int]) -> Fraction | None:
        """See `Format`: none, and of cards as many as who has most in the round."""
        if self.by_places:
            return Fraction(0)
        return max(self._points_played(played, annulled)) if played.is_complete else None

    def _points_played(self, played: PlayedRound, annulled: Collection[int]) -> list[Fraction]:
        return _points_played(each and each[1] for each in self.counted(played, annulled))

    def points_unplayed(self, progress: StageProgress, plan: RoundPlan) -> list[UnplayedPoints]:
        """See `Format`: who sits out has as many as others have on average, of a scale or of the round's
        cards.

        Who isn't there yet or asked to sit out has as many, too. Who has left or wasn't at their table has
        none, and of cards as many as who has most: where low is good, nothing would be best.
        """
        mean, worst = mean_points(self.scale_of(self.seats)), Fraction(0)
        if not self.by_places:
            played = progress.rounds[plan.number - 1]
            if not played.is_complete:
                return []
            points = self._points_played(played, progress.annulled)
            mean, worst = mean_points(points), max(points)
        asked = [one.number for one in progress.contestants if _is_away(one, plan.number)]
        left = {one.number for one in progress.contestants} - {*plan.taking_part(), *asked}
        for played in progress.rounds[plan.number - 1 : plan.number]:
            for _pairing, outcome in played.played():
                left |= outcome.absent - progress.annulled
        return [
            *(UnplayedPoints(one, mean, is_requested=False) for one in plan.byes),
            *(UnplayedPoints(one, mean, is_requested=True) for one in asked),
            *(UnplayedPoints(one, worst, is_requested=True, is_absent=True) for one in sorted(left)),
        ]

    def totals(self, progress: StageProgress) -> dict[int, Fraction]:
        """The points of everybody so far, of rounds without a table, too."""
        found = {one.number: Fraction(0) for one in progress.contestants}
        for each in progress.rounds:
            for counted in self.counted(each, progress.annulled):
                if counted and counted[1]:
                    for side, points in zip(counted[0].sides, counted[1].points, strict=True):
                        found[side] += points
            for unplayed in self.points_unplayed(progress, each.plan):
                found[unplayed.contestant] += unplayed.points
        return found

    def stays_without(self, plan: RoundPlan, gone: Collection[int]) -> bool:
        """See `Format`: at each table three are there, or two at tables of three."""
        fewest = min(3, self.seats - 1)
        return all(len(set(pairing.sides) - set(gone)) >= fewest for pairing in plan.pairings)

    def free_seat(self, progress: StageProgress, plan: RoundPlan, contestant: int) -> TakenSeat | None:
        """See `Format`: an empty seat of who has left, or the last one of a smaller table. By the order of
        weight of a plan: labels in common, two of one team, second meetings; then where fewest are.
        """
        known = {one.number: one for one in progress.contestants}
        own = known[contestant]
        played = [each.plan for each in progress.rounds if each.plan.number != plan.number]
        met = Counter(side for sides in _tables_of(played) if contestant in sides for side in sides)

        def cost(seat: TakenSeat) -> tuple[int, ...]:
            sides = next(each.sides for each in plan.pairings if each.slot == seat.slot)
            others = [known[side] for side in sides if side not in progress.gone]
            return (
                sum(len(own.labels & other.labels) for other in others),
                self.teams_apart * sum(own.team == other.team for other in others),
                sum(met[other.number] for other in others),
                len(others),
            )

        return min(self._free_seats(plan, progress.gone, contestant), key=cost, default=None)

    def _free_seats(self, plan: RoundPlan, gone: Collection[int], contestant: int) -> Iterator[TakenSeat]:
        for pairing in plan.pairings:
            yield from (TakenSeat(pairing.slot, contestant, side) for side in pairing.sides if side in gone)
            if len(pairing.sides) < self.seats:
                yield TakenSeat(pairing.slot, contestant)

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

    The plan is made for who is there at first. Who leaves leaves an empty seat, and who comes or is back
    takes a free one: that changes no other seat. From the first round on that was drawn for others than the
    one before, the rounds that are left are planned anew. A swap by hand changes no other round.
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
            here = drawn[number - 1].drawn_for() if is_drawn else {one.number for one in progress.playing()}
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
        played = [_as_met(each) for each in progress.rounds]
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
        had = _seats_had([each.plan for each in progress.rounds])
        tables = [fairest_seats([seated[one].number for one in table], had) for table in found]
        return [_round(number, tables, field)]


def _of_who_came(
    pairing: RoundPairing, result: TableResult | None, kind: ResultKind
) -> tuple[RoundPairing, TableResult | None]:
    """A table as those came who were there, the winner among them. With one there or nobody it is a
    forfeit.
    """
    noted = frozenset() if result is None else result.missing(kind)
    missing = {at for at in noted if result is not None and pairing.sides[at] != result.winner}
    if result is None or not missing:
        return pairing, result
    came = [at for at in range(len(pairing.sides)) if at not in missing]
    if len(came) < 2 and result.closing.is_played:
        return pairing, TableResult(GameClosing.FORFEIT, pairing.sides[came[0]] if came else None)
    return pairing._replace(sides=tuple(pairing.sides[at] for at in came)), result.among(came)


def _with_absent(
    pairing: RoundPairing, came: RoundPairing, outcome: PairingOutcome | None
) -> PairingOutcome | None:
    """The outcome of a whole table, of that of those who came."""
    if outcome is None or came.sides == pairing.sides:
        return outcome
    at = {side: index for index, side in enumerate(came.sides)}
    points = (outcome.points[at[side]] if side in at else Fraction(0) for side in pairing.sides)
    places = (outcome.places[at[side]] if side in at else 1 + len(at) for side in pairing.sides)
    return replace(
        outcome,
        points=tuple(points),
        places=tuple(places) if outcome.places else (),
        absent=frozenset(side for side in pairing.sides if side not in at),
    )


def _by_cards(pairing: RoundPairing, result: TableResult | None) -> PairingOutcome | None:
    """The outcome of a table by the cards left in hand, low is good; of a walkover without its points."""
    if result is None:
        return None
    if not result.closing.is_played:
        return _walkover(pairing, result)
    if result.points is None:
        return None
    places = places_of(result.points)
    return PairingOutcome(tuple(map(Fraction, result.points)), _first(pairing, places), places=places)


def _walkover(pairing: RoundPairing, result: TableResult) -> PairingOutcome:
    """A table that wasn't played out, still without its points: a forfeit has places, one broken off none."""
    sides, winner = pairing.sides, result.winner
    is_forfeit = result.closing is GameClosing.FORFEIT
    places = tuple(1 + (winner is not None and side != winner) for side in sides) if is_forfeit else ()
    return PairingOutcome((Fraction(0),) * len(sides), winner, walkover=True, places=places)


def _with_points_of_round(outcomes: Sequence[PairingOutcome | None]) -> list[PairingOutcome | None]:
    """By cards, the tables of a round with what those give that weren't played out; 0 if none was."""
    played = _points_played(outcomes)
    fewest, most = min(played), max(played)

    def points(outcome: PairingOutcome) -> tuple[Fraction, ...]:
        if not outcome.places:
            return (mean_points(played),) * len(outcome.points)
        is_won = outcome.winner is not None
        return tuple(fewest if is_won and place == 1 else most for place in outcome.places)

    return [each and (replace(each, points=points(each)) if each.walkover else each) for each in outcomes]


def _points_played(outcomes: Iterable[PairingOutcome | None]) -> list[Fraction]:
    """The points of all sides at tables that were played; 0 alone if none was."""
    found = [points for each in outcomes if each and not each.walkover for points in each.points]
    return found or [Fraction(0)]


def _first(pairing: RoundPairing, places: Sequence[int]) -> int | None:
    """The only one who came first; None where there is none or several share it."""
    return only_first(dict(zip(pairing.sides, places, strict=False)))


def _is_away(one: Contestant, number: int) -> bool:
    return number < one.since or number in one.sits_out


def _tables_of(played: Sequence[RoundPlan]) -> list[tuple[int, ...]]:
    return [pairing.sides for plan in played for pairing in plan.pairings]


def _as_met(played: PlayedRound) -> RoundPlan:
    """A round with those at its tables who were there."""
    pairings = (
        pairing._replace(sides=tuple(side for side in pairing.sides if side not in outcome.absent))
        for pairing, outcome in played.played()
    )
    return replace(played.plan, pairings=tuple(pairings))


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
