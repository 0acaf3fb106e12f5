"""Swiss: equals meet, nobody twice; the best of all possible rounds by a list of criteria in order."""

from .blossoms import Matching
from .criteria import CRITERIA, FIRST_METHOD, METHOD, Criterion, lot
from .format import Swiss
from .matching import cheapest_matching
from .notes import NOTES

__all__ = [
    "CRITERIA",
    "FIRST_METHOD",
    "METHOD",
    "NOTES",
    "Criterion",
    "Matching",
    "Swiss",
    "cheapest_matching",
    "lot",
]
