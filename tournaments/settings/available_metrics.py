"""Metrics that a tournament can be ordered by, given its format and its games."""

from typing import Final

from games.figures import NO_POINTS
from tournaments.formats.catalogue import FORMATS
from tournaments.standings import (
    Data,
    Metric,
    TiePolicyText,
    metrics_offered,
    tie_policies_offered,
)

_ORDERED_BY_FORMAT: Final = ("stage_place", "lots")
"""What there is to ask where the format itself says who is where."""


def default_metrics(format_key: str) -> tuple[str, ...]:
    """What a tournament of this format is ordered by if nobody says; of a format that isn't there points."""
    return FORMATS[format_key].default_metrics if format_key in FORMATS else ("points",)


def metrics_of(format_key: str, scoring: str | None = None) -> dict[str, Metric]:
    """The metrics that a tournament of this format can be ordered by, with games of a rule set of this
    `scoring`; None: of some rule set.
    """
    offered = metrics_offered(FORMATS[format_key].gives | _counted(scoring))
    if Data.PLACES in FORMATS[format_key].gives:
        return {key: offered[key] for key in _ORDERED_BY_FORMAT}
    return offered


def _counted(scoring: str | None) -> frozenset[Data]:
    """What games give whatever the format: penalty cards always, card points where the rules count them."""
    return frozenset({Data.PENALTIES} if scoring == NO_POINTS else {Data.PENALTIES, Data.CARD_POINTS})


def every_metric() -> dict[str, Metric]:
    """The metrics that some format can be ordered by, with some rule set."""
    return {key: each for format_key in FORMATS for key, each in metrics_of(format_key).items()}


def tie_policies_of(format_key: str) -> dict[str, TiePolicyText]:
    """What tied teams of a tournament of this format can get."""
    return tie_policies_offered(FORMATS[format_key].gives)


def every_tie_policy() -> dict[str, TiePolicyText]:
    """What tied teams can get with some format."""
    return {
        key: each for choice in FORMATS.values() for key, each in tie_policies_offered(choice.gives).items()
    }
