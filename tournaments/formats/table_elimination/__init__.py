"""Table elimination: who reaches the target leaves, tables are merged as they empty, until one is left.

From the house rules, variation 1: "a 'tournament' in which players are excluded one (or more) at a time as
they reach 500 points, adding up the points of their cards at the end of each deal (fewer and fewer sit at the
table)".
"""

from .course import Leaver, TableCourse, follow
from .format import FEWEST_SEATS, MOST_SEATS, TableElimination
from .tables import METHOD, rebalance, table_lot

__all__ = [
    "FEWEST_SEATS",
    "METHOD",
    "MOST_SEATS",
    "Leaver",
    "TableCourse",
    "TableElimination",
    "follow",
    "rebalance",
    "table_lot",
]
