"""Even plans of three teams a table for each round: those of the methods 3 and 4.

For up to 12 rounds there are plans of just so many (`even_designs.txt`), where these are more even than what
the older designs give (`triple_designs.py`). They were found by search, and for up to six teams by trying
everything; the tests count each of them again. A name says what a plan holds, as in `triple_designs.py`;
`r3-4` where teams play three or four times.
"""

from collections.abc import Sequence
from functools import lru_cache

from .triple_designs import (
    Balance,
    TriplePlan,
    TripleRound,
    balance_of,
    designs,
    read_designs,
    teams_of,
    triple_plan,
)

MOST_ROUNDS = 12
"""The longest of these plans; a longer one is put together of several."""


def rank(balance: Balance) -> tuple[int, int, int, int, int]:
    """The lower, the better: as `Balance.rank`, and of equals the one in which nobody meets seldom."""
    return (*balance.rank(), -balance.fewest_meetings)


@lru_cache(maxsize=1)
def even_designs() -> dict[tuple[int, int], tuple[str, tuple[TripleRound, ...]]]:
    """The plans by numbers of teams and rounds, each with its name."""
    plans = read_designs("even_designs.txt")
    return {(teams_of(name), len(rounds)): (name, rounds) for name, rounds in plans}


@lru_cache(maxsize=256)
def even_plan(teams: int, rounds: int) -> TriplePlan:
    """The most even plan of exactly so many rounds that is known.

    For more rounds than any design has, two ways are compared. One repeats a design in which all pairs of
    teams meet equally often, and takes the best plan for the rounds that are left. The other takes the plan
    of `MOST_ROUNDS`, and then a plan of the rest in which all teams' numbers are shifted: that shift is taken
    which is most even.
    """
    plans = [triple_plan(teams, rounds)]
    if (teams, rounds) in even_designs():
        name, found = even_designs()[teams, rounds]
        plans.append(_plan(name, teams, found))
    if rounds > MOST_ROUNDS:
        for name, design in designs()[teams].items():
            laps, rest = divmod(rounds, len(design))
            balance = balance_of(teams, design)
            if laps and rest and balance.fewest_meetings == balance.most_meetings:
                plans.append(_plan(name, teams, [*design * laps, *even_plan(teams, rest).rounds]))
        first, rest_plan = even_plan(teams, MOST_ROUNDS), even_plan(teams, rounds - MOST_ROUNDS)
        plans += [
            _plan(first.name, teams, [*first.rounds, *_moved(rest_plan.rounds, teams, by)])
            for by in range(teams)
        ]
    return min(plans, key=lambda plan: rank(plan.balance))


def _plan(name: str, teams: int, rounds: Sequence[TripleRound]) -> TriplePlan:
    return TriplePlan(name, teams, tuple(rounds), balance_of(teams, rounds))


def _moved(rounds: Sequence[TripleRound], teams: int, by: int) -> list[TripleRound]:
    """The same with every team's part taken by the one so many further on."""
    return [
        tuple(((one + by) % teams, (two + by) % teams, (three + by) % teams) for one, two, three in each)
        for each in rounds
    ]
