"""Single and double elimination: who loses is out, or has a second chance.

`seeding` says where seeds stand, `spread` who stands where, `plan` what matches there are and what each side
comes from, `state` how they stand by the results, `format` draws rounds from that, `tree` shows it, `places`
reads the order off it, `sections` cuts it into pieces that can be read at once.
"""

from .format import (
    MOST_CONTESTANTS,
    REMATCH,
    DoubleElimination,
    Elimination,
    SingleElimination,
    bracket_of,
    last_matches_of,
)
from .places import BracketPlace, LastMatch
from .plan import SectionPart
from .sections import Section, sections
from .spread import METHOD, bracket_lot
from .titles import Title
from .tree import Bracket, BracketMatch, BracketRound, Side

__all__ = [
    "METHOD",
    "MOST_CONTESTANTS",
    "REMATCH",
    "Bracket",
    "BracketMatch",
    "BracketPlace",
    "BracketRound",
    "DoubleElimination",
    "Elimination",
    "LastMatch",
    "Section",
    "SectionPart",
    "Side",
    "SingleElimination",
    "Title",
    "bracket_lot",
    "bracket_of",
    "last_matches_of",
    "sections",
]
