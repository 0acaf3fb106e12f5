"""Standings: who is ahead and why; plain data in and plain data out."""

from .bell import BellVerdict, by_bell
from .errors import CannotRank
from .metric_inputs import Tally
from .metrics import ADDED_UP, METRICS, Data, Metric, metrics_offered
from .model import RANKED_LAST, Adjustment, CountedResult, GameClosing, RemovedPlace, Row, still_held
from .overall import (
    OVERALL_METRICS,
    Discipline,
    Joker,
    OverallMetric,
    OverallRow,
    OverallRules,
    Placing,
    check_jokers,
    overall_metric,
    rank_overall,
)
from .ranking import rank, ties, unresolved_ties
from .result_sums import Count
from .round_results import Bye, MatchResult, Rounds
from .rules import EDITION, TIE_POLICIES, Rules, TiePolicy, TiePolicyText, tie_policies_offered

__all__ = [
    "ADDED_UP",
    "EDITION",
    "METRICS",
    "OVERALL_METRICS",
    "RANKED_LAST",
    "TIE_POLICIES",
    "Adjustment",
    "BellVerdict",
    "Bye",
    "CannotRank",
    "Count",
    "CountedResult",
    "Data",
    "Discipline",
    "GameClosing",
    "Joker",
    "MatchResult",
    "Metric",
    "OverallMetric",
    "OverallRow",
    "OverallRules",
    "Placing",
    "RemovedPlace",
    "Rounds",
    "Row",
    "Rules",
    "Tally",
    "TiePolicy",
    "TiePolicyText",
    "by_bell",
    "check_jokers",
    "metrics_offered",
    "overall_metric",
    "rank",
    "rank_overall",
    "still_held",
    "tie_policies_offered",
    "ties",
    "unresolved_ties",
]
