"""Plan of rounds: who sits at which table in each round, so that two meet as rarely as possible.

Weighed in this order: labels in common at one table, own team, meetings, and how often each sits at a smaller
table. Who sits out is fixed first: who has sat at a table most often, of equals the first.

The plan is the cheapest that was found: in which nobody meets twice by `rotations.py`, by turning one round
(`cycles.py`), and by exchanging places (`search.py`). None is looked for further once it costs no more than
the lower bound of `bounds.py`. It knows no seed: contestants come to it in an order that the lots say. So
every draw of as many, with teams of the same sizes, is as good.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb

from .bounds import even_pairs, fewest_of_one_team, fewest_repeats
from .cycles import Cycle, first_row, spans_of
from .lot_order import METHOD
from .rotations import groups_apart, rotated_rounds
from .search import PairCosts, Rounds, TableSearch, drawn_numbers
from .sizes import who_sits_out

TURNED = f"{METHOD}/turned"
EXCHANGED = f"{METHOD}/exchanged"
"""What the numbers of the two searches begin with."""
ATTEMPTS = 5
"""How many first rounds are looked for in each kind of cycle."""
CYCLE_STEPS = 48_000
STEPS = 240_000
"""How many steps the searches take at most, divided by the seats of a table: each step looks at that many."""
MOST_LOOKED_AT = 120
"""With more contestants than this no cycles are looked for, as every look at all of them takes too long."""


@dataclass(frozen=True, slots=True)
class SeatingTask:
    """What a plan is made for: contestants 0, 1, … of these teams, tables of these sizes in each round.

    `labels` of each; `met`: how often pairs (lower number first) have met before. `played`: how often each
    has sat at a table before, and `at_smaller` of these at a smaller one.
    """

    rounds: int
    sizes: tuple[int, ...]
    teams: tuple[int, ...]
    labels: tuple[frozenset[int], ...]
    met: frozenset[tuple[int, int, int]] = frozenset()
    played: tuple[int, ...] = ()
    at_smaller: tuple[int, ...] = ()

    def waiting(self) -> list[tuple[int, ...]]:
        """Who sits out in each round."""
        contestants = len(self.teams)
        played = Counter(dict(enumerate(self.played)))
        found = []
        for _ in range(self.rounds):
            out = who_sits_out(range(contestants), played, contestants - sum(self.sizes))
            played.update(set(range(contestants)) - set(out))
            found.append(out)
        return found


def pair_costs(task: SeatingTask, *, weight: int = 1) -> PairCosts:
    """The costs of a task, in units; `weight` is the cost of a meeting beside something that weighs less."""
    count = len(task.teams)
    at_smaller = task.at_smaller or (0,) * count
    smaller = task.rounds * sum(size for size in task.sizes if size < task.sizes[0])
    # More than all that the smaller tables can cost.
    unit = weight * (1 + smaller * (task.rounds + max(at_smaller, default=0)))
    pairs = task.rounds * sum(comb(size, 2) for size in task.sizes)
    team_weight = unit * (1 + pairs * (task.rounds + max((times for *_, times in task.met), default=0)))
    label_weight = team_weight * (1 + pairs)
    apart = [[0] * count for _ in range(count)]
    met = [[0] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        cost = len(task.labels[one] & task.labels[other]) * label_weight
        cost += (task.teams[one] == task.teams[other]) * team_weight
        apart[one][other] = apart[other][one] = cost
    for one, other, times in task.met:
        met[one][other] = met[other][one] = times
    return PairCosts(unit, apart, met, at_smaller)


@lru_cache(maxsize=32)
def planned_rounds(task: SeatingTask) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each round its tables, the larger ones first, for each table who sits there by number.

    Who is at no table sits out. The same task gives the same plan anywhere.
    """
    costs = pair_costs(task)
    waiting = task.waiting()
    least = _least_cost(task, costs, waiting)
    numbers, steps = drawn_numbers(EXCHANGED), STEPS // task.sizes[0]
    found = TableSearch(costs, _first_rounds(task, waiting))
    if len(task.teams) <= MOST_LOOKED_AT:
        # Rotated rounds without a cost stay as they are; late acceptance would spoil them.
        found.descend()
    found.run(numbers, steps, least)
    if found.cost >= least + costs.unit:
        turned = min(
            (TableSearch(costs, rounds) for rounds in _turned_rounds(task, costs, waiting, least)),
            key=lambda search: search.cost,
            default=found,
        )
        found = turned if turned.cost < found.cost else found
        found.run(numbers, steps, least)
    return tuple(tuple(tuple(table) for table in tables) for tables in found.rounds())


def _least_cost(task: SeatingTask, costs: PairCosts, waiting: Sequence[tuple[int, ...]]) -> int:
    """No rounds cost less than this; without what was before them, which only adds to it."""
    own_team = sum(
        fewest_of_one_team([team for one, team in enumerate(task.teams) if one not in out], len(task.sizes))
        for out in waiting
    )
    count = len(task.teams)
    of_one_team = 0 if own_team else sum(comb(each, 2) for each in Counter(task.teams).values())
    out = count - sum(task.sizes)
    repeats = fewest_repeats(task.sizes, task.rounds, comb(count, 2) - of_one_team, out)
    smaller = task.rounds * sum(size for size in task.sizes if size < task.sizes[0])
    of_team = min((cost for row in costs.apart for cost in row if cost), default=0)
    return own_team * of_team + repeats * costs.unit + even_pairs(smaller, count)


def _first_rounds(task: SeatingTask, waiting: Sequence[tuple[int, ...]]) -> Rounds:
    """Rounds to begin with: rotated ones as far as there are, further ones in a drawn order."""
    count = len(task.teams)
    found: Rounds = []
    if not any(waiting):
        order = groups_apart(task.teams, len(task.sizes))
        for tables in rotated_rounds(count, task.sizes[0], task.rounds):
            named = [[order[one] for one in table] for table in tables]
            found.append(sorted(named, key=len, reverse=True))
    spans = sorted(set(spans_of(task.sizes)))
    numbers = drawn_numbers(f"{EXCHANGED}/first")
    for out in waiting[len(found) :]:
        row = [one for one in first_row(count, numbers) if one not in out]
        found.append([row[start:end] for start, end in spans])
    return found


def _turned_rounds(
    task: SeatingTask, costs: PairCosts, waiting: Sequence[tuple[int, ...]], least: int
) -> Iterator[Rounds]:
    """Rounds of cycles, until some cost as little as can be."""
    count = len(task.teams)
    if count > MOST_LOOKED_AT or len(task.sizes) == 1:
        return
    everybody = [[one for one in range(count) if one not in out] for out in waiting]
    for turns, attempt in product((task.rounds, task.rounds + 1), range(ATTEMPTS)):
        rounds = _turned(task, costs, turns, attempt)
        if rounds and [sorted(one for table in each for one in table) for each in rounds] == everybody:
            yield rounds
            if costs.of(rounds) < least + costs.unit:
                return


def _turned(task: SeatingTask, costs: PairCosts, turns: int, attempt: int) -> Rounds | None:
    """The first rounds of a cycle; None where so many contestants can't be turned so."""
    count = len(task.teams)
    out = count - sum(task.sizes)
    if turns > count or (out and turns * out != count):
        return None
    numbers = drawn_numbers(f"{TURNED}/{turns}/{attempt}")
    # Who sits out stands at the first place of a ring; the rings take turns in the order of contestants.
    place = [one % turns * out + one // turns if out else one for one in range(count)]
    apart = [[costs.apart[place[one]][place[other]] for other in range(count)] for one in range(count)]
    waiting = {ring * turns for ring in range(out)}
    row = [one for one in first_row(count, numbers) if one not in waiting]
    cycle = Cycle(turns, row, task.sizes, apart, costs.unit)
    cycle.run(numbers, CYCLE_STEPS // task.sizes[0])
    return [[[place[one] for one in table] for table in each] for each in cycle.rounds(task.rounds)]
