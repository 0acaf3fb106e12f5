"""Round robin: everybody meets everybody, in groups, by Berger's tables."""

from .berger import berger_round
from .format import MAX_LEGS, Numbering, RoundRobin
from .groups import Grouping, divide
from .lots import METHOD, group_lot, number_lot

__all__ = [
    "MAX_LEGS",
    "METHOD",
    "Grouping",
    "Numbering",
    "RoundRobin",
    "berger_round",
    "divide",
    "group_lot",
    "number_lot",
]
