"""Rounds at tables: repeated meetings beside the lower bound, time of a draw, points at tables of two sizes.

Exits with 1 if a plan that is known to exist isn't reached, a draw takes longer than its goal, or equal
players have other points at smaller tables.
"""

import sys
import time
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

from benchmarks import services
from benchmarks.tables import Cell, show
from tests.tournaments.formats.tables_play import repeats
from tournaments.formats.format import Contestant, PlayedRound, RoundPairing, RoundPlan, StageProgress
from tournaments.formats.tables.bounds import fewest_repeats
from tournaments.formats.tables.format import PlannedTables, TablesByStanding
from tournaments.formats.tables.planning import planned_rounds
from tournaments.formats.tables.rotations import rotated_rounds
from tournaments.formats.tables.scale import mean_points

SEATS = 4
FULL = (12, 16, 20, 24, 30, 36)
MIXED = tuple(range(13, 20))
ROUNDS = range(3, 9)
TEAMS = ((16, 4), (24, 6), (36, 6), (60, 3))
LARGE = ((200, 1), (198, 1), (200, 20))
GOAL = 5.0
"""Seconds for the draw of 200 at tables of four in eight rounds, on two ordinary cores."""
GAMES = 200_000
TOLERANCE = Fraction(2, 100)
REACHED = {(16, 5): 0, (20, 5): 0, (24, 7): 0, (36, 8): 0, (12, 3): 9}
"""Repeated meetings by contestants and rounds, where it is known what can be reached."""


def field(count: int, size: int = 1) -> tuple[Contestant, ...]:
    """Contestants of teams of so many."""
    return tuple(Contestant(number, 1 + (number - 1) // size) for number in range(1, count + 1))


def draw(count: int, rounds: int, size: int = 1) -> tuple[list[RoundPlan], float]:
    """All rounds, and the seconds of the processor that their draw took."""
    planned_rounds.cache_clear()
    begun = time.process_time()
    plans = PlannedTables(seats=SEATS, rounds=rounds).coming_rounds(
        StageProgress(field(count, size)), "palio-2022"
    )
    return plans, time.process_time() - begun


def measure(count: int) -> tuple[list[Cell], list[str]]:
    """One row: what is reached and the lower bound for each number of rounds; what fails to be reached."""
    row: list[Cell] = [count, len(rotated_rounds(count, SEATS, max(ROUNDS)))]
    failed = []
    longest = 0.0
    for rounds in ROUNDS:
        plans, seconds = draw(count, rounds)
        longest = max(longest, seconds)
        found = repeats(plans)
        sizes = [len(pairing.sides) for pairing in plans[0].pairings]
        row.append(f"{found} / {fewest_repeats(sizes, rounds, comb(count, 2))}")
        if found > REACHED.get((count, rounds), found):
            failed.append(f"{count} contestants, {rounds} rounds: {found} repeated meetings")
    return [*row, longest], failed


def measure_teams(count: int, size: int) -> list[Cell]:
    """One row: a plan of six rounds for teams of one size."""
    plans, seconds = draw(count, 6, size)
    team = {one.number: one.team for one in field(count, size)}
    own = sum(
        team[one] == team[other]
        for plan in plans
        for pairing in plan.pairings
        for one, other in combinations(pairing.sides, 2)
    )
    return [f"{count} in teams of {size}", own, repeats(plans), seconds]


def measure_standing(count: int) -> list[Cell]:
    """One row: eight rounds by the standings with places at random."""
    random = Random(count)
    form = TablesByStanding(seats=SEATS, rounds=8)
    progress = StageProgress(field(count))
    seconds = []
    while True:
        begun = time.process_time()
        plan = form.next_round(progress, "palio-2022")
        if plan is None:
            break
        seconds.append(time.process_time() - begun)
        outcomes = tuple(
            form.outcome_of_places(each, random.sample(range(1, 1 + len(each.sides)), len(each.sides)))
            for each in plan.pairings
        )
        progress = StageProgress(progress.contestants, (*progress.rounds, PlayedRound(plan, outcomes)))
    return [count, repeats([each.plan for each in progress.rounds]), max(seconds)]


def measure_points(seats: int) -> tuple[list[Cell], bool]:
    """One row: the mean of equal players' points at full tables and at smaller ones; whether it is fair."""
    random = Random(seats)
    form = PlannedTables(seats=seats)
    means = []
    for players in (seats, seats - 1):
        pairing = RoundPairing("r1t1", tuple(range(players)))
        # Points by the places of the table, so that a game costs no more than a shuffle.
        points = [float(each) for each in form.outcome_of_places(pairing, range(1, players + 1)).points]
        means.append(sum(random.choice(points) for _ in range(GAMES)) / GAMES)
    exact = mean_points(form.scale_of(seats))
    is_fair = all(mean_points(form.scale_of(players)) == exact for players in (seats, seats - 1))
    difference = abs(means[1] / means[0] - 1)
    return [seats, float(exact), *means, f"{difference:.2%}"], is_fair and difference <= TOLERANCE


def main() -> int:
    """Measure all fields."""
    services.arguments(__doc__).parse_args()
    failed: list[str] = []
    rounds = [f"{number} rounds" for number in ROUNDS]
    for title, fields in (("Tables of four", FULL), ("Tables of four and three", MIXED)):
        rows = []
        for count in fields:
            row, missed = measure(count)
            rows.append(row)
            failed += missed
        show(
            f"{title}: repeated meetings / lower bound (all rounds of a column drawn together)",
            ["contestants", "rounds by rotation", *rounds, "longest draw, s"],
            rows,
        )
    show(
        "With teams, six rounds",
        ["contestants", "own team met", "repeated meetings", "draw, s"],
        [measure_teams(*each) for each in TEAMS],
    )
    rows = []
    for count, size in LARGE:
        plans, seconds = draw(count, 8, size)
        rows.append([f"{count} in teams of {size}", repeats(plans), seconds])
        if seconds > GOAL:
            failed.append(f"{count} contestants: {seconds:.1f} s")
    show(f"Eight rounds (goal: {GOAL:.0f} s)", ["contestants", "repeated meetings", "draw, s"], rows)
    show(
        "By the standings, eight rounds",
        ["contestants", "repeated meetings", "longest round, s"],
        [measure_standing(count) for count in (16, 40, 100, 200)],
    )
    rows = []
    for seats in (4, 5, 6, 8, 10):
        row, is_fair = measure_points(seats)
        rows.append(row)
        if not is_fair:
            failed.append(f"points at tables of {seats} and {seats - 1} differ")
    show(
        f"Points of equal players by the usual scale, {GAMES:,} seats each",
        ["seats", "mean of the scale", "full table", "one less", "difference"],
        rows,
    )
    return services.report_failures(failed)


if __name__ == "__main__":
    sys.exit(main())
