"""Round robin: everybody meets everybody, in groups, by Berger's tables."""

from .berger import berger_round
from .format import MAX_LEGS, MissedRound, Numbering, RoundRobin
from .groups import Grouping, Groups, divide
from .lots import METHOD, group_lot, number_lot

__all__ = [
    "MAX_LEGS",
    "METHOD",
    "Grouping",
    "Groups",
    "MissedRound",
    "Numbering",
    "RoundRobin",
    "berger_round",
    "divide",
    "group_lot",
    "number_lot",
]
