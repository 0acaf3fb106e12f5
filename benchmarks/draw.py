"""Times of draws, of their previews, and of outlooks, in milliseconds."""

import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from random import Random

from benchmarks import services
from benchmarks.tables import Cell, show
from benchmarks.timing import LINES, decode_lines, in_turns
from tests.support.draw_fields import draw_teams, even_field
from tournaments.formats import Constraints, Settings, kept, preview
from tournaments.formats.elimination.format import DoubleElimination, Elimination, SingleElimination
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.swiss.format import Swiss
from tournaments.standings import CountedResult, GameClosing, Rules, Tally
from tournaments.standings.outlook import compute_outlook

START = datetime(2026, 9, 5, 12, tzinfo=UTC)
FIELDS = (
    ("triangle", 3, 10, Settings(tables=6)),
    ("triangle", 3, 100, Settings(tables=20)),
    ("triangle", 16, 6, Settings(tables=12)),
    ("triangle", 16, 60, Settings(tables=40)),
    ("duel", 2, 100, Settings(tables=20)),
    ("duel", 16, 6, Settings(tables=12)),
    ("duel", 16, 60, Settings(tables=40)),
)
CONTESTANTS = tuple(Contestant(number, number % 12, frozenset({number % 7})) for number in range(1, 65))
KNOCKOUT = tuple(Contestant(number, number % 30 + 1) for number in range(1, 1025))


def first_round(chosen: Elimination, seed: str) -> Sequence[RoundPlan]:
    """All that can be drawn of a knockout between contestants of thirty teams, before anything is played."""
    plan = chosen.next_round(StageProgress(KNOCKOUT), seed)
    return (plan,) if plan else ()


BY_ROUND: dict[str, Callable[[str], Sequence[RoundPlan]]] = {
    "round robin, 64": lambda seed: tuple(RoundRobin().coming_rounds(StageProgress(CONTESTANTS), seed)),
    "round robin, 64 in 16 groups": lambda seed: tuple(
        RoundRobin(groups=16).coming_rounds(StageProgress(CONTESTANTS), seed)
    ),
    "knockout, 1024": lambda seed: first_round(SingleElimination(), seed),
    "knockout, 1024 drawn": lambda seed: first_round(SingleElimination(seeded=0), seed),
    "double knockout, 1024": lambda seed: first_round(DoubleElimination(), seed),
}
"""Formats that are drawn round by round: all rounds that a seed gives, as far as they need no results."""
APART = (("triangle", 3, 10), ("triangle", 3, 100), ("duel", 2, 100))
"""Draws in which a third of all have somebody of their family in the draw, and a fifth are strong."""
OPEN_GAMES = (0, 6, 12, 200)
"""How many games of a triangle of 3 × 100 are still open when its outlook is computed."""
SWISS = Swiss(rounds=9)
SWISS_FIELDS = (100, 200, 500)
GOAL = 0.050
"""Seconds for a draw, on two ordinary cores."""


def measure(key: str, teams: int, entries: int, settings: Settings) -> list[Cell]:
    """One row: a fresh seed for each draw, so that nothing is remembered."""
    field = even_field(teams, entries)
    seeds = (f"seed-{number}" for number in range(1_000))
    drawn = draw_teams(key, field, settings, "seed")
    times = in_turns(
        {
            "draw": lambda: draw_teams(key, field, settings, next(seeds)),
            "preview": lambda: preview(drawn, minutes_per_game=10, start=START, minutes_between=5),
            "decode": decode_lines,
        },
        rounds=11,
    )
    return [
        f"{key}, {teams} × {entries}",
        sum(1 for _ in drawn.matches()),
        sum(len(match.games) for match in drawn.matches()),
        times["draw"].median * 1e3,
        times["preview"].median * 1e3,
        times["draw"].ratio(times["decode"]),
        times["preview"].ratio(times["decode"]),
    ]


def measure_apart(key: str, teams: int, entries: int) -> list[Cell]:
    """One row: a draw that keeps families apart and spreads the strong, with a fresh seed each."""
    everybody = sorted(even_field(teams, entries).players())
    Random(entries).shuffle(everybody)
    third = everybody[: len(everybody) // 3]
    groups = tuple(tuple(third[at : at + 3]) for at in range(0, len(third) - 1, 3))
    field = even_field(teams, entries, Constraints(groups, tuple(everybody[::5])))
    seeds = (f"seed-{number}" for number in range(1_000))
    found = kept(draw_teams(key, field, Settings(), "seed"), field.constraints)
    times = in_turns(
        {"draw": lambda: draw_teams(key, field, Settings(), next(seeds)), "decode": decode_lines}, rounds=5
    )
    return [
        f"{key}, {teams} × {entries}",
        len(groups),
        len(found.together),
        times["draw"].median * 1e3,
        times["draw"].ratio(times["decode"]),
    ]


def measure_open(open_games: int) -> list[Cell]:
    """One row: the outlook of a triangle of which so many games are open."""
    drawn = draw_teams("triangle", even_field(3, 100), Settings(), "seed")
    random = Random(open_games)
    sides = [
        (key, tuple(match.sides[index].team for index in game))
        for match in drawn.matches()
        for key, game in zip(((match.number, at) for at in range(len(match.games))), match.games, strict=True)
    ]
    results = [
        CountedResult(str(key), str(key[0]), teams, random.choice(teams), GameClosing.PLAYED)
        if number >= open_games
        else CountedResult(str(key), str(key[0]), teams, None, None)
        for number, (key, teams) in enumerate(sides)
    ]
    rules = Rules(("points", "direct_match", "mini_tournaments"))
    tally = Tally.of((1, 2, 3), results)
    outlook = compute_outlook(tally, rules, seed="seed")
    times = in_turns(
        {"what if": lambda: compute_outlook(tally, rules, seed="seed"), "decode": decode_lines}, rounds=5
    )
    return [
        open_games,
        outlook.method,
        times["what if"].median * 1e3,
        times["what if"].ratio(times["decode"]),
    ]


def measure_rounds(name: str, draw: Callable[[str], Sequence[RoundPlan]]) -> list[Cell]:
    """One row: all its rounds, with a fresh seed for each draw."""
    seeds = (f"seed-{number}" for number in range(1_000))
    drawn = draw("seed")
    times = in_turns({"draw": lambda: draw(next(seeds)), "decode": decode_lines}, rounds=11)
    return [
        name,
        len(drawn),
        sum(len(plan.pairings) for plan in drawn),
        times["draw"].median * 1e3,
        times["draw"].ratio(times["decode"]),
    ]


def measure_swiss(size: int) -> list[Cell]:
    """One row: nine rounds with results at random, then the ninth again with fresh seeds.

    Contestants of twelve teams, some with something in common.
    """
    random = Random(size)
    contestants = tuple(
        Contestant(number, number % 12, frozenset({number % 7} if number % 5 == 0 else ()))
        for number in range(1, size + 1)
    )
    progress = StageProgress(contestants)
    begun = time.process_time()
    while plan := SWISS.next_round(progress, "seed"):
        before, pairings = progress, plan.pairings
        winners = [random.choice((*each.sides, None)) for each in pairings]
        outcomes = tuple(
            PairingOutcome(
                tuple(Fraction(1, 2) if winner is None else Fraction(winner == side) for side in each.sides),
                winner,
            )
            for each, winner in zip(pairings, winners, strict=True)
        )
        progress = StageProgress(contestants, (*before.rounds, PlayedRound(plan, outcomes)))
    all_rounds = time.process_time() - begun
    seeds = (f"seed-{number}" for number in range(1_000))
    times = in_turns(
        {"draw": lambda: SWISS.next_round(before, next(seeds)), "decode": decode_lines}, rounds=5
    )
    return [size, times["draw"].median * 1e3, times["draw"].ratio(times["decode"]), all_rounds]


def main() -> int:
    """Measure all fields."""
    services.arguments(__doc__).parse_args()
    show(
        f"Draws (goal: {GOAL * 1e3:.0f} ms; the yardstick is json.loads of {LINES:,} lines)",
        ["format, teams × entries", "matches", "games", "draw, ms", "preview, ms", "draw ×", "preview ×"],
        [measure(*each) for each in FIELDS],
    )
    show(
        f"Drawn round by round, all rounds at once (goal: {GOAL * 1e3:.0f} ms)",
        ["format, contestants", "rounds", "matches", "draw, ms", "draw ×"],
        [measure_rounds(*each) for each in BY_ROUND.items()],
    )
    show(
        f"With groups kept apart and strong entries spread (goal: {GOAL * 1e3:.0f} ms)",
        ["format, teams × entries", "groups", "tables with two of one", "draw, ms", "draw ×"],
        [measure_apart(*each) for each in APART],
    )
    show(
        "What is still open in a triangle of 3 × 100",
        ["open games", "method", "ms", "×"],
        [measure_open(each) for each in OPEN_GAMES],
    )
    show(
        "Swiss of nine rounds, each the best of all possible ones",
        ["contestants", "last round, ms", "last round ×", "all rounds, s"],
        [measure_swiss(each) for each in SWISS_FIELDS],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
