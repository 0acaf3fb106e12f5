"""The cheapest way to pair everybody with somebody: a minimum-cost perfect matching in a complete graph.

Work is done on the cheapest few edges of each vertex; then all other edges are priced with the prices that
were found, those that would have been worth taking are added, and the search goes on. So the answer is exact
for any number, and it comes with its proof (see `Matching`).
"""

from collections.abc import Sequence
from heapq import nsmallest

from .blossoms import Matching, Search

_NEAREST = 12
_ADDED = 6
"""How many edges of each vertex are looked at first, and added at a time: that changes how long it takes,
never how cheap the answer is.
"""


def cheapest_matching(costs: Sequence[Sequence[int]]) -> Matching:
    """Pair the vertices 0 to n - 1, n even, at the lowest sum of costs; `costs` is symmetric, its diagonal
    is ignored.

    The same costs give the same pairs. Several optimal ones: one of them.
    """
    size = len(costs)
    if size % 2:
        raise ValueError(f"{size} can't be paired without one left over")
    edges = {(one, one + 1) for one in range(0, size, 2)}  # so that there is a way to pair all
    for one, row in enumerate(costs):
        others = (other for other in range(size) if other != one)
        edges.update((min(one, v), max(one, v)) for v in nsmallest(_NEAREST, others, key=row.__getitem__))
    prices = [min((c for v, c in enumerate(row) if v != one), default=0) for one, row in enumerate(costs)]
    while True:
        search = Search(costs, sorted(edges), prices)
        found = search.run()
        missing = _worth_taking(costs, found)
        if not missing:
            return found
        edges.update(missing)
        prices = search.prices_alone()


def _worth_taking(costs: Sequence[Sequence[int]], found: Matching) -> set[tuple[int, int]]:
    """Edges that contradict the proof, so that each might make the matching cheaper: for each vertex those
    that do it most.
    """
    sets_of: list[dict[int, int]] = [{} for _ in costs]
    for number, (members, weight) in enumerate(found.odd_sets):
        for v in members:
            sets_of[v][number] = weight
    prices = found.prices
    worth: list[list[tuple[int, int]]] = [[] for _ in costs]
    for v, row in enumerate(costs):
        price, own = prices[v], sets_of[v]
        doubtful = [
            u
            for u, (other, cost) in enumerate(zip(prices[:v], row[:v], strict=True))
            if price + other > 2 * cost
        ]
        for u in doubtful:
            shared = own.keys() & sets_of[u].keys()
            short = price + prices[u] - 2 * row[u] - sum(own[number] for number in shared)
            if short > 0:
                worth[v].append((-short, u))
                worth[u].append((-short, v))
    return {
        (min(v, u), max(v, u)) for v, found_here in enumerate(worth) for _, u in nsmallest(_ADDED, found_here)
    }
