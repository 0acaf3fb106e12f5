"""Swiss tournaments played with random results, and an independent judge of small rounds."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from tournaments.formats import CannotDraw
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.swiss.criteria import lot
from tournaments.formats.swiss.format import Swiss

SEED = "palio-2022"
Vector = tuple[int | Fraction, ...]
Table = tuple[int, int | None]
"""Two numbers, the lower first; None for a bye."""


@dataclass
class Played:
    """What came of a tournament: each round with what was known before it, and how it ended."""

    progress: StageProgress
    steps: list[tuple[StageProgress, RoundPlan]] = field(default_factory=list)
    refusal: CannotDraw | None = None


def random_outcome(random: Random, sides: tuple[int, ...], *, cards: bool) -> PairingOutcome:
    """A win, a draw, or now and then a walkover; with `cards` any points, whoever won."""
    first, second = sides
    winner = random.choice((first, first, second, second, None))
    if cards:
        points = tuple(Fraction(random.randint(0, 300), random.choice((1, 3))) for _ in sides)
    else:
        points = tuple(Fraction(1, 2) if winner is None else Fraction(winner == side) for side in sides)
    return PairingOutcome(points, winner, walkover=winner is not None and random.random() < 0.06)


def random_field(random: Random, size: int) -> tuple[Contestant, ...]:
    """Contestants of a few teams or of as many as there are, some with labels, some late."""
    teams = random.choice((2, 3, size))
    return tuple(
        Contestant(
            number,
            random.randint(1, teams) if teams < size else number,
            frozenset({random.randint(1, 3)} if random.random() < 0.2 else ()),
            random.choice((2, 3)) if number > 2 and random.random() < 0.1 else 1,
        )
        for number in range(1, size + 1)
    )


def assess(chosen: Swiss, progress: StageProgress, plan: RoundPlan) -> dict[str, int]:
    """The sum of each criterion, in order, if `plan` were the next round: the lower, the better.

    Scores are counted in the smallest fraction of a point that occurs.
    """
    standings = {one.number: one for one in chosen.stand(progress)}
    pairs = [
        sorted((standings[one] for one in each.sides), key=lambda one: one.rank) for each in plan.pairings
    ]
    return {
        each.key: sum(each.of_pair(high, low) for high, low in pairs)
        + sum(each.of_bye(standings[one]) for one in plan.byes)
        for each in chosen.criteria()
    }


def play(random: Random, contestants: tuple[Contestant, ...], chosen: Swiss, seed: str = SEED) -> Played:
    """Draw and play until all is drawn, or the format refuses; now and then somebody withdraws."""
    played = Played(StageProgress(contestants))
    cards = random.random() < 0.15
    while True:
        before = played.progress
        try:
            plan = chosen.next_round(before, seed)
        except CannotDraw as refusal:
            played.refusal = refusal
            return played
        if plan is None:
            return played
        played.steps.append((before, plan))
        outcomes = tuple(random_outcome(random, each.sides, cards=cards) for each in plan.pairings)
        gone = {one.number for one in before.playing() if random.random() < 0.03}
        played.progress = replace(
            before,
            rounds=(*before.rounds, PlayedRound(plan, outcomes)),
            gone=before.gone | gone,
        )


def tables(plan: RoundPlan) -> set[Table]:
    """Who meets whom, and who has a bye."""
    met: set[Table] = {(min(each.sides), max(each.sides)) for each in plan.pairings}
    return met | {(one, None) for one in plan.byes}


def all_rounds(numbers: tuple[int, ...]) -> Iterator[tuple[Table, ...]]:
    """Every way to pair these, with a bye where their number is odd."""
    if not numbers:
        yield ()
    elif len(numbers) % 2:
        for one in numbers:
            for rest in all_rounds(tuple(other for other in numbers if other != one)):
                yield ((one, None), *rest)
    else:
        one = numbers[0]
        for other in numbers[1:]:
            for rest in all_rounds(tuple(left for left in numbers[1:] if left != other)):
                yield ((one, other), *rest)


class Judge:
    """The criteria of docs/reference/formats/swiss.md, worked out once more from what was played."""

    def __init__(self, progress: StageProgress, chosen: Swiss) -> None:
        self.chosen = chosen
        self.round = len(progress.rounds) + 1
        self.who = {one.number: one for one in progress.contestants}
        self.score = dict.fromkeys(self.who, Fraction(0))
        self.met: list[frozenset[int]] = []
        self.byes: list[int] = []
        self.walkovers: list[int] = []
        self.down: list[int] = []
        self.up: list[int] = []
        self.seats: dict[int, list[int]] = {number: [] for number in self.who}
        for number, each in enumerate(progress.rounds, start=1):
            self._add(number, each)
        self.playing = sorted(
            (one.number for one in progress.playing()), key=lambda number: (-self.score[number], number)
        )

    def _add(self, number: int, each: PlayedRound) -> None:
        before = dict(self.score)
        for pairing, outcome in each.played():
            first, second = pairing.sides
            self.score[first] += outcome.points[0]
            self.score[second] += outcome.points[1]
            if before[first] != before[second]:
                high, low = sorted(pairing.sides, key=before.__getitem__, reverse=True)
                self.down.append(high)
                self.up.append(low)
            if outcome.walkover:
                assert outcome.winner is not None
                self.walkovers.append(outcome.winner)
            else:
                self.met.append(frozenset(pairing.sides))
                self.seats[first].append(1)
                self.seats[second].append(-1)
        for one in each.plan.byes:
            self.byes.append(one)
            self.down.append(one)
            self.score[one] += self.chosen.bye_points
        for one, known in self.who.items():
            if known.since > number:
                self.score[one] += self.chosen.missed_points

    def seats_after(self, one: int, other: int) -> tuple[int, int, int]:
        """Limit, balance and repetition of the better one of both ways to sit."""
        ways = []
        for seat in (1, -1):
            after = (sum(self.seats[one]) + seat, sum(self.seats[other]) - seat)
            ways.append(
                (
                    sum(abs(each) >= 3 for each in after),
                    sum(each**2 for each in after),
                    (self.seats[one][-1:] == [seat]) + (self.seats[other][-1:] == [-seat]),
                )
            )
        return min(ways)

    def vector(self, paired: tuple[Table, ...]) -> Vector:
        """Each criterion's sum, then the lots'."""
        return tuple(map(sum, zip(*map(self._table, paired), strict=True)))

    def _table(self, table: Table) -> Vector:
        one, other = table
        if other is None:
            below = len(self.playing) - 1 - self.playing.index(one)
            unplayed = self.round - 1 - len(self.seats[one])
            free = (self.byes.count(one), self.walkovers.count(one), unplayed, below)
            return (0, *free, *[0] * 9, lot(SEED, self.round, one))
        one, other = sorted((one, other), key=self.playing.index)
        difference = self.score[one] - self.score[other]
        limit, balance, repeated = self.seats_after(one, other)
        equals = [each for each in self.playing if self.score[each] == self.score[one]]
        between = abs(self.playing.index(one) - self.playing.index(other)) - 1
        off = 0 if difference else equals.index(other) - equals.index(one) - len(equals) // 2
        return (
            self.met.count(frozenset((one, other))),
            *(0, 0, 0, 0),
            len(self.who[one].labels & self.who[other].labels),
            self.chosen.teams_apart and self.who[one].team == self.who[other].team,
            limit,
            difference**2,
            self.down.count(one) + self.up.count(other) if difference else 0,
            balance,
            repeated,
            between**2 if difference else 0,
            off**2,
            lot(SEED, self.round, one, other),
        )
