"""The cheapest way to pair everybody with somebody: a minimum-cost perfect matching in a complete graph.

Work is done on the cheapest few edges of each vertex. Then all other edges are priced with the prices that
were found. Those that would have been worth taking are added, and the search goes on. So the answer is exact
for any number, and it comes with its proof (see `Matching`).

Over some edges it is found by Edmonds' blossom algorithm, in exact integers: shortest augmenting paths with
blossoms (Edmonds 1965). The search of one tree at a time is that of Ball and Derigs (1983). The tree's prices
aren't changed step by step: a heap foresees at which lift each edge becomes tight and each inner blossom is
used up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest

_FREE, _OUTER, _INNER = 0, 1, -1
"""A node outside the tree, at an even distance from its root, at an odd one: what `lift` is added to its
prices."""


@dataclass(frozen=True, slots=True)
class Matching:
    """`partners[v]` is who v is paired with; `prices` and `odd_sets` prove that nothing is cheaper.

    For every edge: 2 × cost >= price + price − the sum over odd sets that hold both ends. For the edges taken
    it is equal. An odd set of 2k + 1 vertices holds exactly k edges that were taken. Any other perfect
    matching has at most k there. Summing up, none is cheaper.
    """

    partners: tuple[int, ...]
    prices: tuple[int, ...]
    odd_sets: tuple[tuple[frozenset[int], int], ...]


class _Node:
    """A vertex, or a blossom: an odd ring of nodes, contracted; all but its base are matched inside.

    `links[i]` is the edge from `ring[i]` to the next one, as (vertex there, vertex here after). The base lies
    in `ring[0]`, so that the links 1, 3, … are matched. `via` is the edge by which the tree reached it, from
    the vertex nearer to the root.
    """

    __slots__ = ("base", "label", "links", "parent", "ring", "since", "vertices", "via", "weight")

    def __init__(
        self,
        base: int,
        vertices: list[int],
        ring: "list[_Node]",
        links: list[tuple[int, int]],
    ) -> None:
        self.base = base
        self.vertices = vertices
        self.ring = ring
        self.links = links
        self.parent: _Node | None = None
        self.weight = 0
        self.label = _FREE
        self.since = 0
        self.via: tuple[int, int] | None = None


_Event = tuple[int, int, int, int, int, _Node | None]
"""When (how far the tree is lifted), a running number, an edge (outer vertex, other vertex, 2 × cost), or the
inner blossom whose weight is used up."""


class Search:
    """One optimum over some edges, built up by one augmenting path after another."""

    def __init__(
        self, costs: Sequence[Sequence[int]], edges: Sequence[tuple[int, int]], prices: Sequence[int]
    ) -> None:
        size = len(costs)
        self.size = size
        # Twice the costs: then halves of what is left between outer vertices are integers.
        self.edges: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for one, other in edges:
            cost = 2 * costs[one][other]
            self.edges[one].append((other, cost))
            self.edges[other].append((one, cost))
        self.prices = list(prices)
        self.mate = [-1] * size
        self.leaves = [_Node(v, [v], [], []) for v in range(size)]
        self.top = list(self.leaves)
        self.lift = 0
        self.bound: int | None = None
        self.events: list[_Event] = []
        self.count = 0
        self.tree: list[_Node] = []

    def run(self) -> Matching:
        """Match everybody."""
        self._begin()
        for root in range(self.size):
            if self.mate[root] < 0:
                self._augment_from(root)
        return Matching(
            tuple(self.mate),
            tuple(self.prices),
            tuple((frozenset(each.vertices), each.weight) for each in self._blossoms() if each.weight),
        )

    def prices_alone(self) -> list[int]:
        """Prices that hold without odd sets, to start another search with."""
        prices = list(self.prices)
        for each in self._blossoms():
            for v in each.vertices:
                prices[v] -= each.weight // 2
        return prices

    def _blossoms(self) -> Iterator[_Node]:
        """Every blossom, the outermost first."""
        stack = [node for v, node in enumerate(self.top) if node.base == v and node.ring]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(child for child in node.ring if child.ring)

    def _begin(self) -> None:
        """Make prices that hold, then raise each one until an edge is tight, and take it if both ends are
        free.
        """
        prices, mate = self.prices, self.mate
        for v, edges in enumerate(self.edges):
            prices[v] = min(cost - prices[u] for u, cost in edges)
        for v, edges in enumerate(self.edges):
            if mate[v] < 0:
                prices[v] = min(cost - prices[u] for u, cost in edges)
                for u, cost in edges:
                    if mate[u] < 0 and prices[u] + prices[v] == cost:
                        mate[u], mate[v] = v, u
                        break

    # One tree.

    def _augment_from(self, root: int) -> None:
        """Grow a tree of tight edges from a free vertex until it reaches another, and flip the path."""
        self.lift, self.bound, self.events, self.count, self.tree = 0, None, [], 0, []
        self._label(self.top[root], _OUTER, None)
        while True:
            self.lift, _, v, u, cost, blossom = heappop(self.events)
            if blossom is not None:
                if blossom.label == _INNER and blossom.parent is None:
                    self._expand(blossom)
                continue
            here, there = self.top[v], self.top[u]
            if here is there or there.label == _INNER or self._price(v) + self._price(u) != cost:
                continue  # settled since in another way
            if there.label == _OUTER:
                self._shrink(v, u)
            elif self.mate[there.base] < 0:
                break
            else:
                self._label(there, _INNER, (v, u))
                base = there.base
                self._label(self.top[self.mate[base]], _OUTER, (base, self.mate[base]))
        for node in self.tree:
            if node.parent is None:
                self._settle(node)
                node.label = _FREE
        self._flip(v, u)

    def _price(self, v: int) -> int:
        node = self.top[v]
        return self.prices[v] + node.label * (self.lift - node.since)

    def _settle(self, node: _Node) -> None:
        """Write into prices and weight what the lifting has made of them."""
        change = node.label * (self.lift - node.since)
        if change:
            for v in node.vertices:
                self.prices[v] += change
            if node.ring:
                node.weight += 2 * change
        node.since = self.lift

    def _label(self, node: _Node, label: int, via: tuple[int, int] | None) -> None:
        node.label, node.via, node.since = label, via, self.lift
        self.tree.append(node)
        if label == _OUTER:
            for v in node.vertices:
                self._look_around(v)
        elif label == _INNER and node.ring:
            self._push(self.lift + node.weight // 2, -1, -1, 0, node)

    def _push(self, when: int, v: int, u: int, cost: int, blossom: _Node | None = None) -> None:
        """Note an event, unless the tree has reached a free vertex by then."""
        if self.bound is None or when < self.bound:
            self.count += 1
            heappush(self.events, (when, self.count, v, u, cost, blossom))

    def _look_around(self, v: int) -> None:
        """Foresee when each edge of an outer vertex becomes tight."""
        here, price = self.top[v], self._price(v)
        for u, cost in self.edges[v]:
            there = self.top[u]
            if there is here or there.label == _INNER:
                continue
            if there.label == _OUTER:
                self._push(self.lift + (cost - price - self._price(u)) // 2, v, u, cost)
            else:
                when = self.lift + cost - price - self.prices[u]
                self._push(when, v, u, cost)
                if self.mate[there.base] < 0 and (self.bound is None or when < self.bound):
                    self.bound = when  # the tree won't be lifted beyond

    # Blossoms.

    def _path(self, node: _Node) -> list[_Node]:
        """From a node of the tree to its root."""
        path = [node]
        while node.via is not None:
            node = self.top[node.via[0]]
            path.append(node)
        return path

    def _shrink(self, v: int, u: int) -> None:
        """Contract the odd ring that a tight edge between two outer nodes closes."""
        left, right = self._path(self.top[v]), self._path(self.top[u])
        while len(left) > 1 and len(right) > 1 and left[-2] is right[-2]:
            left.pop()
            right.pop()
        fork = left.pop()
        right.pop()
        left.reverse()
        ring = [fork, *left, *right]
        down = [node.via for node in left if node.via is not None]
        up = [(node.via[1], node.via[0]) for node in right if node.via is not None]
        blossom = _Node(fork.base, [x for node in ring for x in node.vertices], ring, [*down, (v, u), *up])
        blossom.label, blossom.via, blossom.since = _OUTER, fork.via, self.lift
        inner = [x for node in ring if node.label == _INNER for x in node.vertices]
        for node in ring:
            self._settle(node)
            node.parent = blossom
            for x in node.vertices:
                self.top[x] = blossom
        self.tree.append(blossom)
        for x in inner:
            self._look_around(x)

    def _expand(self, blossom: _Node) -> None:
        """Open an inner blossom whose weight is used up; the way through it stays in the tree."""
        self._settle(blossom)
        blossom.label = _FREE
        for child in blossom.ring:
            child.parent, child.label, child.via = None, _FREE, None
            for x in child.vertices:
                self.top[x] = child
        assert blossom.via is not None  # noqa: S101 - an inner node was reached from an outer one
        ring, links, size = blossom.ring, blossom.links, len(blossom.ring)
        place = ring.index(self.top[blossom.via[1]])
        via, label = blossom.via, _INNER
        reached = []
        while True:
            reached.append((ring[place], label, via))
            if place == 0:
                break
            # An even number of steps to the base, the first over a matched link.
            if (len(reached) % 2 == 1) == (place % 2 == 1):
                via = links[place]
                place = (place + 1) % size
            else:
                via = (links[place - 1][1], links[place - 1][0])
                place -= 1
            label = -label
        for node, label, via in reached:
            if label == _INNER:
                self._label(node, label, via)
        for node, label, via in reached:
            if label == _OUTER:
                self._label(node, label, via)
        for child in ring:
            if child.label == _FREE:
                for u in child.vertices:
                    for v, cost in self.edges[u]:
                        if self.top[v].label == _OUTER:
                            self._push(self.lift + cost - self._price(v) - self.prices[u], v, u, cost)

    # Matching along the path.

    def _flip(self, v: int, u: int) -> None:
        """Match an outer vertex with a free one, and what that frees, up to the root."""
        while True:
            node = self.top[v]
            self._join(node, v, self.top[u], u)
            if node.via is None:
                break
            v, u = self._via(self.top[node.via[0]])

    @staticmethod
    def _via(node: _Node) -> tuple[int, int]:
        assert node.via is not None  # noqa: S101 - only the root has none
        return node.via

    def _join(self, left: _Node, v: int, right: _Node, u: int) -> None:
        """Match v and u, and what their blossoms hold with each other."""
        stack = [(left, v, right, u)]
        while stack:
            left, v, right, u = stack.pop()
            self.mate[v], self.mate[u] = u, v
            for node, vertex in ((left, v), (right, u)):
                stack.extend(self._rebase(node, vertex))

    def _rebase(self, node: _Node, vertex: int) -> Iterator[tuple[_Node, int, _Node, int]]:
        """Make a vertex the base of a blossom and of those in it that hold it; yields what to join then."""
        while node.ring and node.base != vertex:
            child = self.leaves[vertex]
            while child.parent is not node:
                assert child.parent is not None  # noqa: S101 - the vertex lies in this blossom
                child = child.parent
            place = node.ring.index(child)
            node.base = vertex
            node.ring = node.ring[place:] + node.ring[:place]
            node.links = node.links[place:] + node.links[:place]
            for k in range(1, len(node.ring), 2):
                one, other = node.links[k]
                yield node.ring[k], one, node.ring[(k + 1) % len(node.ring)], other
            node = child


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
