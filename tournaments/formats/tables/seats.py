"""Seats at the tables: everybody sits in each seat equally often.

For rounds that are planned together this is a colouring. Contestants and tables are the nodes, who sits at
which table the edges, and the seats the colours. A contestant's tables are cut into parts of as many as there
are seats, so that no node has more edges than there are colours. Then some colouring has no two edges of a
node in the same colour (Kőnig), and it is found edge by edge. So everybody sits in each seat once in every
such part, and over all rounds the seats of one differ by one at most.

Where tables have two sizes the last seat is at the larger ones only. It is given first: of the larger tables
alone everybody has it as often as any seat there, give or take one. Then the others are coloured.
"""

from collections.abc import Mapping, Sequence
from itertools import product

Edge = tuple[int, int]


def coloured(edges: Sequence[Edge], colours: int) -> list[int]:
    """A colour for each edge (contestant, table); each table has no more edges than there are colours.

    At no table a colour comes twice, and a contestant's colours differ by one at most in how often they come.
    """
    seen: dict[int, int] = {}
    parts: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for one, table in edges:
        at = seen.get(one, 0)
        seen[one] = at + 1
        parts.append(((one, at // colours), (-1 - table, 0)))
    # At each node the edge of each colour.
    used: dict[tuple[int, int], dict[int, int]] = {node: {} for ends in parts for node in ends}
    colour = [0] * len(parts)
    for edge, (left, right) in enumerate(parts):
        mine = next(each for each in range(colours) if each not in used[left])
        theirs = next(each for each in range(colours) if each not in used[right])
        if mine != theirs:
            _free(right, mine, theirs, parts, used, colour)
        colour[edge] = mine
        used[left][mine] = used[right][mine] = edge
    return colour


def _free(
    node: tuple[int, int],
    taken: int,
    free: int,
    parts: Sequence[tuple[tuple[int, int], tuple[int, int]]],
    used: Mapping[tuple[int, int], dict[int, int]],
    colour: list[int],
) -> None:
    """Exchange two colours on the path that begins at a node with one of them."""
    path = []
    wanted, at = taken, node
    while wanted in used[at]:
        edge = used[at][wanted]
        path.append(edge)
        left, right = parts[edge]
        at = right if at == left else left
        wanted = free if wanted == taken else taken
    for edge in path:
        for end in parts[edge]:
            del used[end][colour[edge]]
    for edge in path:
        colour[edge] = free if colour[edge] == taken else taken
        for end in parts[edge]:
            used[end][colour[edge]] = edge


def seats_in_turn(rounds: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """The same rounds with each table in the order of its seats."""
    tables = [list(table) for each in rounds for table in each]
    seats = max(map(len, tables), default=0)
    last: dict[int, int] = {}
    if any(len(table) < seats for table in tables):
        edges = [(one, at) for at, table in enumerate(tables) if len(table) == seats for one in table]
        colours = coloured(edges, seats)
        last = {at: one for (one, at), colour in zip(edges, colours, strict=True) if colour == seats - 1}
        seats -= 1
    edges = [(one, at) for at, table in enumerate(tables) for one in table if last.get(at) != one]
    seated = [[-1] * (len(table) - (at in last)) for at, table in enumerate(tables)]
    for (one, at), colour in zip(edges, coloured(edges, seats), strict=True):
        seated[at][colour] = one
    for at, one in last.items():
        seated[at].append(one)
    in_order = iter(seated)
    return [[next(in_order) for _ in each] for each in rounds]


def fairest_seats(sides: Sequence[int], had: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    """The sides of one table in the order of seats, so that they are as even as they can be there.

    `had` says how often each (side, seat) has been: the squares of these numbers are added up after it.
    Of several such orders it is the one in which the first sides have the lower seats.
    """
    count = len(sides)
    # For each set of taken seats the lowest sum of the sides so far, and their seats.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for one in sides:
        following: dict[int, tuple[int, tuple[int, ...]]] = {}
        for (taken, (cost, order)), seat in product(best.items(), range(count)):
            if taken >> seat & 1:
                continue
            reached = (cost + 2 * had.get((one, seat), 0) + 1, (*order, seat))
            if taken | 1 << seat not in following or reached < following[taken | 1 << seat]:
                following[taken | 1 << seat] = reached
        best = following
    _, order = best[(1 << count) - 1]
    return tuple(one for _, one in sorted(zip(order, sides, strict=True)))
