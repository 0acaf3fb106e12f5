"""Who is ahead and why: pure, plain data in and plain data out."""

from .errors import CannotRank
from .metrics import METRICS, Metric
from .model import Adjustment, Closing, Decision, GameResult, Row, Rules, Tally, TiePolicy
from .progress import is_finished, open_games
from .ranking import rank, unresolved_ties

__all__ = [
    "METRICS",
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
    "is_finished",
    "open_games",
    "rank",
    "unresolved_ties",
]
