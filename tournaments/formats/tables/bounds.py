"""Lower bounds: how often two must meet again, and one's own team, however well a round is drawn.

The meetings of two contestants count as pairs of rounds: 1, 3, 6 for 2, 3, 4 meetings. Two bounds are known,
and the larger one holds.

- Over all pairs: with more meetings at tables than there are pairs, some meet again; even meetings cost
  least.
- Over pairs of rounds: a table may have more seats than there are tables. Then those who sit there can't all
  be apart in another round, and some of them meet again.

Of a team that is larger than the number of tables some share a table, as few as an even spread leaves. So
many can't be avoided, and it can be done for all teams at once.
"""

from collections import Counter
from collections.abc import Sequence
from math import comb


def even_pairs(count: int, parts: int) -> int:
    """How many pairs are in one part if so many are spread evenly over parts; no spread has fewer."""
    size, more = divmod(count, parts)
    return parts * comb(size, 2) + more * size


def fewest_repeats(sizes: Sequence[int], rounds: int, pairs: int, out: int = 0) -> int:
    """At least so many repeated meetings there are in rounds at tables of these sizes.

    `pairs` of contestants can meet, and in each round `out` of them sit out.
    """
    met = rounds * sum(comb(size, 2) for size in sizes)
    over_rounds = comb(rounds, 2) * _fewest_of_two_rounds(sizes, out)
    return max(even_pairs(met, pairs) if pairs else 0, over_rounds)


def _fewest_of_two_rounds(sizes: Sequence[int], out: int) -> int:
    """At least so many pairs of a round meet in another one too; who sits this out comes from the tables
    where it saves most.
    """
    tables = len(sizes)
    left = list(sizes)
    for _ in range(out):
        left[
            max(range(tables), key=lambda at: even_pairs(left[at], tables) - even_pairs(left[at] - 1, tables))
        ] -= 1
    return sum(even_pairs(size, tables) for size in left)


def fewest_of_one_team(teams: Sequence[int], tables: int) -> int:
    """So many pairs of one team sit at one table at least, with these teams of who sits in a round."""
    return sum(even_pairs(count, tables) for count in Counter(teams).values())
