"""Who is ahead and why: pure, plain data in and plain data out."""

from .errors import CannotRank
from .metrics import METRICS, Metric
from .model import Adjustment, Closing, Decision, GameResult, Row, Tally
from .progress import is_finished, open_games
from .ranking import rank, unresolved_ties
from .rules import TIE_POLICIES, Rules, TiePolicy, TiePolicyText

__all__ = [
    "METRICS",
    "TIE_POLICIES",
    "Adjustment",
    "CannotRank",
    "Closing",
    "Decision",
    "GameResult",
    "Metric",
    "Row",
    "Rules",
    "Tally",
    "TiePolicy",
    "TiePolicyText",
    "is_finished",
    "open_games",
    "rank",
    "unresolved_ties",
]
