"""Metrics that a tournament can be ordered by, given its format and its games."""

from collections.abc import Mapping
from typing import Final

from games.figures import NO_POINTS
from tournaments.standings import (
    Data,
    Metric,
    TiePolicyText,
    metrics_offered,
    tie_policies_offered,
)

GIVEN: Final[Mapping[str, frozenset[Data]]] = {
    "triangle": frozenset({Data.MINI_TOURNAMENTS, Data.PLAY_OFFS}),
    "duel": frozenset({Data.MINI_TOURNAMENTS, Data.PLAY_OFFS}),
    "round_robin": frozenset({Data.MATCHES, Data.FIXED_OPPONENTS, Data.PLAY_OFFS}),
    "swiss": frozenset({Data.MATCHES, Data.CHOSEN_OPPONENTS, Data.PLAY_OFFS}),
    "single_elimination": frozenset({Data.PLACES, Data.PLAY_OFFS}),
    "double_elimination": frozenset({Data.PLACES, Data.PLAY_OFFS}),
    "table_elimination": frozenset({Data.PLACES, Data.PLAY_OFFS}),
    "by_hand": frozenset({Data.PLACES, Data.PLAY_OFFS}),
}
"""For each format what its results are, besides what games give: a metric that needs something else isn't
offered with it.
"""


_ORDERED_BY_FORMAT: Final = ("stage_place", "lots")
"""What there is to ask where the format itself says who is where."""

_DEFAULTS: Final[Mapping[str, tuple[str, ...]]] = {
    "round_robin": ("points", "direct_match", "wins", "sonneborn_berger"),
    "swiss": ("points", "direct_match", "buchholz_cut_1", "buchholz"),
}


def default_metrics(format_key: str) -> tuple[str, ...]:
    """What a tournament of this format is ordered by if nobody says; none for a format that isn't there."""
    if format_key in _DEFAULTS:
        return _DEFAULTS[format_key]
    if Data.PLACES in GIVEN.get(format_key, ()):
        return ("stage_place",)
    return ("points", "direct_match", "mini_tournaments")


def metrics_of(format_key: str, scoring: str | None = None) -> dict[str, Metric]:
    """The metrics that a tournament of this format can be ordered by, with games of a rule set of this
    `scoring`; None: of some rule set.
    """
    offered = metrics_offered(GIVEN[format_key] | _counted(scoring))
    if Data.PLACES in GIVEN[format_key]:
        return {key: offered[key] for key in _ORDERED_BY_FORMAT}
    return offered


def _counted(scoring: str | None) -> frozenset[Data]:
    """What games give whatever the format: penalty cards always, card points where the rules count them."""
    return frozenset({Data.PENALTIES} if scoring == NO_POINTS else {Data.PENALTIES, Data.CARD_POINTS})


def every_metric() -> dict[str, Metric]:
    """The metrics that some format can be ordered by, with some rule set."""
    return {key: each for format_key in GIVEN for key, each in metrics_of(format_key).items()}


def tie_policies_of(format_key: str) -> dict[str, TiePolicyText]:
    """What tied teams of a tournament of this format can get."""
    return tie_policies_offered(GIVEN[format_key])


def every_tie_policy() -> dict[str, TiePolicyText]:
    """What tied teams can get with some format."""
    return {key: each for given in GIVEN.values() for key, each in tie_policies_offered(given).items()}
